#pragma once
// The payments of trades whose payoffs launchers evaluate (of scripts and plugins) on simulated
// paths: those after a date, and those at it.
//
// A launcher returns all payments of a path at once, those before the maturity compounded to the
// payment date by factors that belong to their dates (PayoffTerms::growth, or the tables of a
// script). With the factors of the dates up to t replaced by 0, it returns the payments after t.
// The state of the past at t is what the payoff would pay after t if all spots stayed as they are
// at t: the payoff on the path that is stopped at t.

#include <cstddef>
#include <memory>
#include <vector>

#include "gsim/engine/module.hpp"
#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/paths/simulation.hpp"
#include "src/modules/pricing/trades/trade_config.hpp"

namespace gsim::pricing {

/// Amounts per unit of the trade, in the base currency at today's exchange rate, discounted to
/// today: [date][path] at the dates of LaunchedPayments, the maturity included.
struct PaymentsOnPaths {
  std::vector<double> total;  ///< [path] all payments from today on
  std::vector<double> later;  ///< payments after the date
  std::vector<double> paid;   ///< payments at the date
  std::vector<double> state;  ///< of the past; 0 at the maturity
};

class LaunchedPayments {
 public:
  /// `whole` is the set-up of `trade`, whose payoff is PayoffFormula::launched without extremes of
  /// the path between dates, and without payment lags. The last of the `dates`, years, is the
  /// maturity. All dates are among the records of the view.
  LaunchedPayments(const TradeConfig& trade, const MarketView& view, const TradeSetup& whole,
                   const std::vector<double>& dates);

  /// On `paths` paths from sample `first` on, a multiple of regression_block. The only trade of
  /// the simulation has the assets of `whole`. `alone` has the communicator of one rank.
  PaymentsOnPaths evaluate(const Simulation& simulation, Index first, Index paths,
                           const Context& alone) const;
  /// Number of bytes of the spots of a block of paths.
  double bytes() const;

 private:
  /// The payoff as the launcher reads it, with fixings as indices into records_, and what it gives.
  struct Evaluation {
    TradeSetup setup;
    std::vector<double> PaymentsOnPaths::*result;
    std::size_t date;
  };
  void add(TradeSetup setup, std::vector<double> PaymentsOnPaths::*result, std::size_t date);
  /// The spots of the trade's assets, and their logarithms if the payoff reads them:
  /// [record][row][path].
  std::vector<double> spots(const Simulation& simulation, Index first, const Context& alone) const;
  Index rows() const;

  Index assets_;
  std::size_t dates_;
  std::vector<Index> records_;  ///< that are recorded: those of the dates and of the fixings
  std::vector<Evaluation> evaluations_;
};

}  // namespace gsim::pricing
