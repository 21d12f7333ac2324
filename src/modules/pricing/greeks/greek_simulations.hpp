#pragma once
// The simulations from which the Greeks of a plan follow.

#include <optional>
#include <vector>

#include "kernels/pricing/greeks/adjoint/adjoint_job.hpp"
#include "src/modules/pricing/greeks/greek_plan.hpp"
#include "src/modules/pricing/paths/path_tables.hpp"

namespace gsim::pricing {

/// A date of the reverse sweep over an asset (AdjointDate), with records in the place of rows.
struct PlannedDate {
  Index fixing = -1;                   ///< of the payoff; -1: none
  Index record = 0, last_record = -1;  ///< last_record = -1: the start of the path
  int sum = -1;          ///< of the products with a column, where a segment begins (AdjointColumn)
  int profile_sum = -1;  ///< of the products with the profile, where a segment begins
  double profile = 0;
  int further = -1;  ///< of what a smoothed payoff gives besides (AdjointSweep::further)
};
/// A sweep over one asset (AdjointSweep).
struct PlannedSweep {
  Index position = 0;              ///< AdjointSweep::position
  Index asset = 0;                 ///< of the simulation: the one whose log-spots are read
  std::vector<PlannedDate> dates;  ///< the last one first
  bool reads_logs = false;         ///< a slope differs from 0
  /// The tangent that is read in the place of the log-spots (AdjointSweep::is_tangent).
  std::optional<std::size_t> tangent;
  int total = -1, weight = -1, scale = -1;
  int start = -1, value = -1, paid = -1;  ///< AdjointSweep::start, value and paid
  int claims = -1;                        ///< AdjointSweep::claims
  int claim_count = 0;                    ///< number of these sums
};
/// What derivatives of an exercised trade are multiplied with (ExercisedColumn).
struct PlannedExercisedColumn {
  Index position = 0;
  Index asset = 0;                     ///< of the simulation: the one whose log-spots are read
  std::optional<std::size_t> tangent;  ///< as in PlannedSweep
  std::vector<Index> last;             ///< the last record of each segment
  int sum = -1, control_sum = -1;
};
/// The sums of a trade with early exercise (ExercisedSweep).
struct PlannedExercise {
  std::vector<Index> records;  ///< that payoffs read, ascending: the slots
  Index dates = 0, assets = 0;
  int value = -1, spot = -1;
  std::vector<int> claims;  ///< of rate claims, [date]
  int claim_count = 0;      ///< of all dates
  int control_value = -1, control_spot = -1, control_sd = -1;
  std::vector<PlannedExercisedColumn> columns;
};
/// An adjoint Greek (AdjointRow).
struct PlannedAdjointRow {
  Index greek = 0;  ///< index in GreekPlan::greeks
  std::vector<AdjointTerm> payoff, control;
};
/// The adjoint Greeks of one trade.
struct PlannedAdjoint {
  Index trade = 0;  ///< of the run
  SweptPayoff swept = SweptPayoff::own;
  std::vector<double> numbers;  ///< AdjointEntry::number
  ScriptSize script;            ///< AdjointEntry::script
  /// The sweeps over the assets of the trade, then further ones; empty: no control variate.
  std::vector<PlannedSweep> payoff, control;
  std::optional<PlannedExercise> exercise;  ///< in the place of sweeps
  std::vector<PlannedAdjointRow> rows;
  int sums = 0;
  int payoff_sum = -1, control_sum = -1;  ///< as in AdjointEntry
};

/// A market and bumped ones with the same grid and random numbers.
struct GreekSimulations {
  Simulation base;                    ///< the market itself
  bool has_prices = false;            ///< `base` has the paths and all trades of the run
  std::vector<Index> base_trades;     ///< trades of the run, ascending: those of `base`
  std::vector<std::size_t> stencils;  ///< of the plan, ascending
  /// [position in `stencils`][point]. Trade e of a point is that of the stencil's entry e.
  std::vector<std::vector<Simulation>> points;
  std::vector<PlannedAdjoint> adjoints;  ///< by trade (use_adjoints())
  std::vector<AssetTangent> tangents;    ///< that `adjoints` read; without rows
};

/// The simulations for the portfolio, and those for its smoothed payoffs, which have a grid of
/// their own; those without trades are left out.
std::vector<GreekSimulations> set_up_greeks(const GreekPlan& plan, const PricingConfig& config,
                                            const PricingSetup& setup);

/// The position of a trade in an ascending list that contains it.
Index position_of(const std::vector<Index>& trades, Index trade);

/// The control variate of a Greek: the same difference quotient of that of its trade.
struct GreekControl {
  bool exists = false;
  double expectation = 0;
  /// A bound of the rounding errors of its samples. A control that varies no more than that, such
  /// as the second difference of a spot, is of no use.
  double rounding = 0;
};
/// The control variates of all Greeks of the plan.
std::vector<GreekControl> greek_controls(const GreekPlan& plan,
                                         const std::vector<GreekSimulations>& simulations);

}  // namespace gsim::pricing
