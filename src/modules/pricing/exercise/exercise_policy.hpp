#pragma once
// The numerical form of early exercise: the value of exercise at every date, the variables and
// functions of the regression, and the policy that it gives.

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "gsim/core/types.hpp"
#include "kernels/pricing/exercise/exercise_job.hpp"
#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/paths/simulation.hpp"
#include "src/modules/pricing/trades/trade_config.hpp"
#include "src/modules/pricing/trades/trade_setup.hpp"

namespace gsim::pricing {

/// The estimated value of continuation at an exercise date, discounted to today: the sum of
/// coefficients times the functions of the variables (x - centre) / scale. Without coefficients the
/// trade is not exercised at the date.
struct DatePolicy {
  std::vector<double> centre, scale;  ///< [variables]
  std::vector<double> coefficient;    ///< [functions]
  /// With ExerciseSetup::side: the weighted spot at which exercise and continuation are worth the
  /// same.
  double boundary = 0;
};

/// The policy of a trade: one that is not optimal, so that the price under it is a lower bound.
/// Amounts are per unit, in currency of today.
struct ExercisePolicy {
  std::vector<DatePolicy> dates;  ///< all exercise dates but the last
  double threshold = 0;           ///< as in ExerciseTable
  bool exercised_today = false;
  double value_today = 0;  ///< of exercise today, where that is possible
  /// The upper bound exceeds the price by gap, with its standard error; NaN: not computed.
  double gap = 0, gap_error = 0;
  /// The first exercise date, in years, at which the value of exercise is not a finite number on a
  /// path; the trade then has no policy and cannot be priced. NaN: none.
  double failed_at = std::numeric_limits<double>::quiet_NaN();

  bool has_failed() const { return failed_at == failed_at; }
};

/// The variables of the regression of a trade.
struct RegressionVariables {
  SpotVariables kind = SpotVariables::in_order;
  Index spots = 0;               ///< number of weighted spots
  std::vector<Index> variances;  ///< simulated assets whose instantaneous variances are variables
  bool has_exercise_value = false;

  Index count() const {
    return spots + static_cast<Index>(variances.size()) + (has_exercise_value ? 1 : 0);
  }
};

/// The control variate of a trade that is observed at exercise (ControlView): the sum over the
/// trade's assets.
struct ControlAtExercise {
  ExerciseControl kind = ExerciseControl::none;
  double expectation = 0;              ///< discounted to today
  std::vector<double> weight, strike;  ///< [assets]
  std::vector<double> growth, sd;      ///< [date][assets]
};

/// Early exercise of one trade in a simulation.
struct ExerciseSetup {
  std::vector<TradeSetup> values;  ///< the values of exercise: one European payoff per date
  std::vector<Index> records;      ///< [dates] indices of the dates among the recorded ones
  RegressionVariables variables;
  ControlAtExercise control;  ///< of the samples
  Index degree = 0;
  /// Whether exercise may pay less than nothing.
  bool may_pay_less_than_nothing = false;
  /// As in ExerciseTable. Of a payoff that may pay less than nothing it is 0 if it did on no
  /// recorded path; otherwise, and until that is known, what a cliquet with a global floor pays at
  /// its maturity at least, discounted to today, and below_all_values for others.
  double threshold = 0;
  /// With a right to exercise today, unless that is known already: the payoff then, on a path whose
  /// only record is today, and the discount factor of its payment.
  std::optional<TradeSetup> today;
  double today_discount = 1;
  /// 1 or -1 for calls and puts on one asset whose spot is the only variable: at every date they
  /// are exercised above or below a boundary. 0: others.
  int side = 0;
  std::vector<BasisFunction> functions;
  ExercisePolicy policy;
  /// What the policy compares values with: the discount factors of the dates, and the control that
  /// is added to the regressions. They are those of the market in which the policy was found.
  std::vector<double> decision_discount;
  ControlAtExercise decision_control;
  /// Whether the control variate is added to the regressions: the European option on the only
  /// asset, whose value is close to that of continuation.
  bool adds_control() const {
    return decision_control.kind == ExerciseControl::vanilla && decision_control.weight.size() == 1;
  }

  RecordedPaths recorded{};  ///< where paths are recorded instead of priced; `value` null: nowhere
};

/// The functions of `variables` variables up to a total degree, in the order of their degrees; at
/// most max_functions.
std::vector<BasisFunction> basis_functions(Index variables, Index degree);
/// Number of functions of exactly these variables up to a total degree: binomial(variables +
/// degree, degree).
Index function_count(Index variables, Index degree);
/// The total degree that is used for a number of variables if none is configured.
Index default_degree(Index variables);

/// The control variate of a trade with early exercise: European options on its assets, where these
/// are lognormal and the payoff is on one of them or on the one that is worth most, otherwise the
/// assets themselves; none where the expected spots are not known. With `spot_only` never options.
ControlAtExercise choose_control_at_exercise(const TradeConfig& trade, const MarketView& view,
                                             const TradeSetup& setup, bool spot_only);

/// The variables of the regressions of a trade, from the state of a path at a date.
RegressionVariables choose_variables(const TradeConfig& trade, const MarketView& view,
                                     const TradeSetup& setup);

/// The exercise of a trade whose other set-up is `setup`, under its policy if that is known. Its
/// assets are indices into the simulated assets in `order`. Throws ConfigError if the configured
/// degree needs too many functions.
std::shared_ptr<const ExerciseSetup> make_exercise_setup(const TradeConfig& trade,
                                                         const ExerciseOptions& options,
                                                         const MarketView& view,
                                                         const std::vector<Index>& order,
                                                         const TradeSetup& setup, bool spot_only);

/// The same with given payoffs `values` at the dates trade.exercise.dates, and of a policy the
/// threshold alone.
std::shared_ptr<ExerciseSetup> make_exercise_setup(const TradeConfig& trade,
                                                   const ExerciseOptions& options,
                                                   const MarketView& view, const TradeSetup& setup,
                                                   std::vector<TradeSetup> values, bool spot_only);
/// The trade whose payoff is the value of exercise at `date`: what the trade pays if that is its
/// maturity, except that the rebate of a barrier option is part of the payoff at the maturity only,
/// that a script pays what its `exercise` statements say, and that a bond is repaid. `date` is one
/// of trade.exercise.dates; another one gives the trade with that maturity.
TradeConfig matured_at(const TradeConfig& trade, double date);

/// What exercise today pays, per unit, discounted from its payment; minus infinity if a script
/// gives no right to it. `exercise` must have `today`.
double value_today(const Simulation& simulation, const ExerciseSetup& exercise);

}  // namespace gsim::pricing
