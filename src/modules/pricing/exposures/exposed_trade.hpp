#pragma once
// One trade as an exposure: its values at given dates until its maturity on simulated paths.
//
// At a date before its maturity the value of a trade on a path is the conditional expectation of
// its payment given the state of the path: of forwards a linear function of the spot, of calls and
// puts on one lognormal asset the formula of Black (1976), of options on short rates that of
// Jamshidian (1989) or, with two factors, of Brigo and Mercurio (two_factor_option.hpp), of all
// others the regression of the payments of other paths on their states (Longstaff and Schwartz
// 2001; Cesari et al. 2009, "Modelling, Pricing, and Hedging Counterparty Credit Exposure"). The
// state has the spots, the variances and, where the payoff depends on the past of the path, what it
// would pay if the date were its maturity, or of payoffs of scripts and plugins if spots did not
// change after it (launched_payments.hpp). Control variates take noise from the regressions.
//
// A trade with early exercise is exercised by a policy, and has no value after that. On the paths
// of the unit, the policy is fitted again on the paths of the unit's regressions: which paths are
// exercised depends on the noise of the policy to first order, so that the means over units have a
// smaller noise, which their errors contain. What the paths of the regressions receive, on which
// values depend to second order only, follows from the policy that all units share, of other paths.
// Of a trade on another currency's rate, the decisions before a date are those on the states that
// EarlierRates (path_measure.hpp) gives for this date, so that they are made again for every one.

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "gsim/engine/module.hpp"
#include "src/modules/pricing/exercise/recorded_states.hpp"
#include "src/modules/pricing/exercise/state_regression.hpp"
#include "src/modules/pricing/exposures/exposure_options.hpp"
#include "src/modules/pricing/exposures/launched_payments.hpp"
#include "src/modules/pricing/exposures/path_measure.hpp"
#include "src/modules/pricing/exposures/path_recordings.hpp"
#include "src/modules/pricing/exposures/rate_option_values.hpp"
#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/pricing_setup.hpp"

namespace gsim::pricing {

/// Amounts on the paths of a unit, per unit of the trade, in the base currency at today's exchange
/// rate and in units of the trade's numeraire: discounted to today.
struct TradeValues {
  /// [date][path], a payment at the date included: before the maturity, or until the last payment.
  std::vector<double> values;
  std::vector<double> after;  ///< [date][path], without it
  /// [path] at the trade's last payment date or, with `paid_at`, there; 0 where `values` contain
  /// it.
  std::vector<double> payment;
  std::vector<double> paid_at;  ///< [path] years, of payments after exercise with a lag; or empty
  /// The value today: by a formula where one is known, otherwise the mean payment of the paths of
  /// the regressions, so that every unit has an estimate of its own.
  double today = 0;
};

class ExposedTrade {
 public:
  /// The values of `trade` at `dates`, years, increasing and before its maturity, on the paths of
  /// `setup`, whose records must contain the dates of exposure_dates(). The policy of a trade with
  /// early exercise must be known before evaluate(). `options` are those of the regressions.
  /// The trade is valued by its own measure, on paths under `measure`, which must outlive this
  /// object. Without `needs_today`, TradeValues::today is not set.
  ExposedTrade(const TradeConfig& trade, const std::vector<double>& dates,
               const ExerciseOptions& options, const MarketView& view, const PricingSetup& setup,
               const BaseMeasure& measure, bool needs_today = true);

  /// Whether values follow from a formula.
  bool is_closed() const { return is_closed_; }
  /// Whether the payoff depends on the past of the path in a way that is not a variable of the
  /// regressions.
  bool is_incomplete() const { return is_incomplete_; }

  /// What is to be recorded of the paths for evaluate().
  const std::vector<PathRecording>& recordings() const { return recordings_; }
  /// Bytes of what is recorded, with its set-up.
  double bytes(const UnitSamples& samples) const;
  /// Bytes that evaluate() needs besides, and those of the values.
  double bytes_of_work(const UnitSamples& samples) const;
  double bytes_of_values(const UnitSamples& samples) const;

  /// `states` are those of recordings(). `alone` has the communicator of one rank.
  TradeValues evaluate(std::vector<RecordedStates> states, const UnitSamples& samples,
                       const Context& alone) const;

 private:
  /// What paths are paid, and when: [path].
  struct Payments {
    std::vector<double> payment, control;  ///< no control without control variates
    std::vector<Index> date;               ///< of the recorded ones
  };
  /// Places among the recordings; -1: there is none.
  struct Places {
    Index mine = -1, others = -1;  ///< the states on the paths of the unit and of the regressions
    Index my_decisions = -1, their_decisions = -1;  ///< with decisions_
    Index my_payments = -1, their_payments = -1;    ///< with launched_
    Index my_returns = -1, their_returns = -1;      ///< with returns_
    Index bond = -1;                                ///< with bond_
    Index earlier = -1;                             ///< with earlier_
    Index alive = -1;
    Index touched = -1;  ///< the first of those of touched_
  };
  using States = std::vector<RecordedStates>;

  /// Sets exercise_ and returns_.
  void make_states(const TradeConfig& trade, bool has_decisions, const ExerciseOptions& options,
                   const MarketView& view, const PricingSetup& setup, const TradeSetup& whole);
  /// Sets earlier_ and earlier_decisions_.
  void make_earlier_decisions(const TradeConfig& trade, const EarlierRates& rates);
  /// Sets what values follow from formulas.
  void choose_formulas(const TradeConfig& trade, const MarketView& view, const PricingSetup& setup,
                       const TradeSetup& whole);
  void choose_recordings(const TradeSetup& whole, const BaseMeasure& measure,
                         const EarlierRates& rates, const PricingSetup& setup);
  /// The recording of `exercise` of the trade, and its place.
  Index add_recording(const TradeSetup& whole, std::shared_ptr<const ExerciseSetup> exercise,
                      bool of_regression, const BaseMeasure& measure, const PricingSetup& setup);
  /// Sets the values on the paths of the unit by regressions of the payments of `others_paid`.
  /// `paid` is for each valued date, or one for all of them; `touched` are the values of touched_.
  void set_fitted(const States& states, const std::vector<Payments>& paid,
                  const Payments& others_paid, const std::vector<double>& touched,
                  const Context& alone, TradeValues& result) const;
  /// Sets what is paid after exercise, and at the maturity, with a lag.
  void set_lagged_payments(const Payments& paid, TradeValues& result) const;
  /// The same of a trade that is exercised today.
  void set_exercised_today(TradeValues& result) const;
  /// 1 on the paths of the regressions on which a trade with early exercise is held after recorded
  /// date d, else 0; empty without early exercise. Of a barrier option only paths that have touched
  /// the barrier, or have not.
  std::vector<double> held_paths(const RecordedStates& others, const Payments& others_paid, Index d,
                                 bool is_touched) const;
  /// The value at a date of what is paid at `paid_at`, years, and without what is paid at the date.
  static std::pair<double, double> known_values_at(double date, double payment, double paid_at);
  /// The same at recorded date d.
  std::pair<double, double> known_values(Index d, double payment, double paid_at) const {
    return known_values_at(dates_[static_cast<std::size_t>(d)], payment, paid_at);
  }
  /// Adds the bond's values on paths that were not exercised before, at valued date k.
  void add_bond(std::size_t k, const States& states, const Payments& paid,
                TradeValues& result) const;
  /// Sets what launched_ pays with a lag after it is known; `paid` are the payments of the unit's
  /// paths with early exercise.
  void add_known(const RecordedStates& recorded, const Payments& paid, TradeValues& result) const;
  /// The same at date k, among valued_ and then later_dates_, of paths that were exercised until
  /// then.
  void set_owed(const RecordedStates& recorded, const Payments& paid, std::size_t k,
                TradeValues& result) const;
  /// Date k among valued_ and then later_dates_, years.
  double date_of(std::size_t k) const;
  /// evaluate() of a trade with launched_.
  void evaluate_launched(States& states, const Context& alone, TradeValues& result) const;
  /// The payments after recorded date d on the paths of the regressions.
  std::vector<double> later_payments(const RecordedStates& recorded, const Payments& paid,
                                     Index d) const;
  /// The payments at recorded date d on the paths of the unit; without early exercise.
  std::vector<double> payments_at(const RecordedStates& recorded, Index d) const;
  /// Sets the values that follow from formulas.
  void set_closed(const RecordedStates& states, TradeValues& result) const;
  /// The fits of the policy on the paths of the regressions, by which those of the unit are
  /// exercised; the shared ones where there are no such paths.
  std::vector<DatePolicy> policy_of_unit(const States& states, const Context& alone) const;
  /// What paths are paid under `policy`; `states` are those of the decisions.
  Payments payments(const RecordedStates& states, const std::vector<DatePolicy>& policy,
                    const Context& alone) const;
  /// With earlier_: what the paths of the unit are paid until each valued date, as its values
  /// depend on the decisions.
  std::vector<Payments> payments_until_dates(const States& states,
                                             const std::vector<DatePolicy>& policy,
                                             const Context& alone) const;
  /// The mean payment, with the control variate.
  double mean_payment(const Payments& paid) const;
  /// Adds the values of the options on a short rate to `values`, [valued date][path].
  void add_options(const RecordedStates& states, std::vector<double>& values) const;
  /// The dates of the policy among those of the states of the decisions.
  std::vector<Index> decision_dates() const;
  bool is_exercised_with_lag() const { return (is_early() || policy_.exercised_today) && lag_ > 0; }
  bool is_early() const { return !policy_.dates.empty() || policy_.exercised_today; }
  const ExerciseSetup& decisions() const { return decisions_ ? *decisions_ : *exercise_; }

  std::vector<double> dates_;  ///< the recorded ones, years
  double lag_;                 ///< of payments, years
  std::vector<PathRecording> recordings_;
  Places places_;
  std::shared_ptr<const ExerciseSetup> exercise_;
  /// Of early exercise: the set-up of the policy, where the state of the past at a date is not the
  /// value of exercise; null: exercise_ decides.
  std::shared_ptr<const ExerciseSetup> decisions_;
  /// Of a cliquet with values between its dates: the returns of the current periods so far, which
  /// are variables in place of the spot.
  std::shared_ptr<const ExerciseSetup> returns_;
  /// Of a bond with early exercise: the values of the bond without it, of which payments are the
  /// changes by exercise. The bond is held with the factor bond_sign_, and worth bond_price_ today.
  std::shared_ptr<const ExerciseSetup> bond_;
  double bond_sign_ = 1, bond_price_ = 0;
  /// Of early exercise on another currency's rate: the values of exercise at the dates of the
  /// policy until each valued date, on the states for that date.
  std::shared_ptr<const ExerciseSetup> earlier_;
  struct EarlierDecision {
    Index valued, decision;       ///< among valued_ and decided_
    std::vector<double> factors;  ///< by which the factors' spots are multiplied
  };
  std::vector<EarlierDecision> earlier_decisions_;  ///< [value of earlier_], by valued date
  /// Of a payoff that launchers evaluate, with payments after their fixings or early exercise: the
  /// dates from the maturity until the last payment, years.
  std::vector<double> later_dates_;
  std::vector<Index> valued_;  ///< [date] index among the recorded dates
  ExercisePolicy policy_;      ///< of early exercise
  RegressionPaths policy_paths_ = RegressionPaths::in_the_money;  ///< of its regressions
  std::vector<Index> decided_;  ///< [policy date] index among the recorded dates
  std::shared_ptr<const LaunchedPayments> launched_;  ///< of a payoff of a script or plugin
  std::optional<double> price_;                       ///< today's, by a formula
  bool needs_today_ = true;
  /// Of a forward: what its value is more than its control.
  std::optional<double> above_control_;
  bool is_closed_ = false, is_incomplete_ = false;
  bool ends_without_payment_ = false;
  bool records_values_ = false;  ///< the recorded values are those of the trade
  /// [valued date] of trades that have PayoffFunctions::rate_value: the options that are exercised
  /// later; the recorded values are those of what is decided.
  std::vector<RateOptionValues> options_;
  /// The recorded value at a date is 0 where the barrier was touched.
  bool ends_at_barrier_ = false;
  double knocked_out_value_ = 0;  ///< of a rebate that is paid at the maturity
  /// Of a rebate that is paid at the touch: positive at the maturity where it was not touched.
  std::shared_ptr<const TradeSetup> alive_;
  /// Of a knock-in without early exercise: what it is once knocked in.
  std::shared_ptr<const ExposedTrade> touched_;
  /// A knock-in with early exercise has regressions of its own once it is knocked in.
  bool begins_at_barrier_ = false;
};

/// The dates that are recorded for a trade with values at `dates`: those before its maturity, those
/// of early exercise, and the maturity.
std::vector<double> exposure_dates(const TradeConfig& trade, const std::vector<double>& dates);

}  // namespace gsim::pricing
