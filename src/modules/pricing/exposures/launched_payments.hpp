#pragma once
// The payments of trades whose payoffs launchers evaluate (of scripts and plugins) on simulated
// paths: those after a date, and those at it.
//
// A launcher returns all payments of a path at once, those before the maturity compounded to the
// payment date by factors that belong to their dates (PayoffTerms::growth, or the tables of a
// script). With the factors of the dates up to t replaced by 0, it returns the payments that are
// fixed after t. The state of the past at t is what the payoff would pay of these if all spots
// stayed as they are at t: the payoff on the path that is stopped at t. Payments that are fixed
// until t and paid later are returned with the factors of these alone: their values at t are known.

#include <memory>
#include <vector>

#include "src/modules/pricing/exercise/exercise_policy.hpp"
#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/trades/trade_config.hpp"

namespace gsim::pricing {

/// Payments of one trade that are recorded on paths: amounts per unit of the trade, in the base
/// currency at today's exchange rate, discounted to today. They are values of one ExerciseSetup,
/// in whose place among its dates they are found.
class LaunchedPayments {
 public:
  /// `whole` is the set-up of `trade`, whose payoff is PayoffFormula::launched without extremes of
  /// the path between dates. The last of the `dates`, years, is the maturity. All dates are among
  /// the records of the view. `later_dates`, from the maturity on, are those of later payments,
  /// with which the trade has no early exercise.
  LaunchedPayments(const TradeConfig& trade, const MarketView& view, const TradeSetup& whole,
                   const std::vector<double>& dates, const std::vector<double>& later_dates);

  /// What is recorded; there are no variables.
  const std::shared_ptr<ExerciseSetup>& recorded() const { return recorded_; }
  /// Where the payments of all dates are found.
  static constexpr Index total = 0;
  /// Where the payments that are fixed after date d, before the maturity, are found.
  Index later(Index d) const { return columns_[static_cast<std::size_t>(d)].later; }
  /// Where the payments at date d and after it are found; -1: there are none at d.
  Index from(Index d) const { return columns_[static_cast<std::size_t>(d)].from; }
  /// Where the state of the past at date d, before the maturity, is found.
  Index state(Index d) const { return columns_[static_cast<std::size_t>(d)].state; }

  /// Whether there are payments after the dates at which they are fixed.
  bool has_lag() const { return !known_.empty(); }
  /// Values at a date of payments that are fixed until then, for which constant() is to be
  /// subtracted: of those that are paid later, and at the date.
  struct Known {
    Index later = -1, at = -1;
  };
  /// Those at date d before the maturity, and then those at the later dates.
  const Known& known(Index d) const { return known_[static_cast<std::size_t>(d)]; }
  /// Where the payments that belong to no date are found: those of a script `at maturity`.
  Index constant() const { return constant_; }

 private:
  struct Columns {
    Index later = -1, from = -1, state = -1;
  };
  /// Returns where the values of the payoff are found.
  Index add(TradeSetup setup);
  void add_without_lag(const TradeConfig& trade, const MarketView& view, const TradeSetup& whole,
                       const std::vector<double>& dates);
  void add_with_lag(const TradeConfig& trade, const MarketView& view, const TradeSetup& whole,
                    std::vector<double> dates, const std::vector<double>& later_dates);
  /// Sets where the payments after date d, and the state, are found.
  void add_later(std::size_t d, Index record, TradeSetup later);

  std::shared_ptr<ExerciseSetup> recorded_;
  std::vector<Columns> columns_;  ///< [date]
  std::vector<Known> known_;
  Index constant_ = -1;
};

}  // namespace gsim::pricing
