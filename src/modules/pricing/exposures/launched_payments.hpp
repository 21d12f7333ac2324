#pragma once
// The payments of trades whose payoffs launchers evaluate (of scripts and plugins) on simulated
// paths: those after a date, and those at it.
//
// A launcher returns all payments of a path at once, those before the maturity compounded to the
// payment date by factors that belong to their dates (PayoffTerms::growth, or the tables of a
// script). With the factors of the dates up to t replaced by 0, it returns the payments after t.
// The state of the past at t is what the payoff would pay after t if all spots stayed as they are
// at t: the payoff on the path that is stopped at t.

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
  /// the path between dates, and without payment lags. The last of the `dates`, years, is the
  /// maturity. All dates are among the records of the view.
  LaunchedPayments(const TradeConfig& trade, const MarketView& view, const TradeSetup& whole,
                   const std::vector<double>& dates);

  /// What is recorded; there are no variables.
  const std::shared_ptr<ExerciseSetup>& recorded() const { return recorded_; }
  /// Where the payments of all dates are found.
  static constexpr Index total = 0;
  /// Where the payments after date d, before the maturity, are found.
  Index later(Index d) const { return columns_[static_cast<std::size_t>(d)].later; }
  /// Where the payments at date d and after it are found; -1: there are none at d.
  Index from(Index d) const { return columns_[static_cast<std::size_t>(d)].from; }
  /// Where the state of the past at date d, before the maturity, is found.
  Index state(Index d) const { return columns_[static_cast<std::size_t>(d)].state; }

 private:
  struct Columns {
    Index later = -1, from = -1, state = -1;
  };
  /// Returns where the values of the payoff are found.
  Index add(TradeSetup setup);

  std::shared_ptr<ExerciseSetup> recorded_;
  std::vector<Columns> columns_;  ///< [date]
};

}  // namespace gsim::pricing
