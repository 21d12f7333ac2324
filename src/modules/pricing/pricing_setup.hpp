#pragma once
// Conversion of the configuration to the numerical form of a run: dates, steps, coefficients,
// payoffs. All arithmetic here affects results, so it uses gsim's own elementary functions and a
// fixed order of operations.
//
// The grid. Records are the union of all trades' dates (dates closer than 1e-7 years, 3 seconds,
// are merged). Steps end at the records; at the knots of volatilities, rates and yields if extremes
// of a path are monitored; at the knots of volatilities if a trade depends on two assets (their
// covariance is then exact); and, if a model is not exact over long steps, at further dates such
// that no step is longer than 1 / steps_per_year. Assets that no trade uses are not simulated. The
// address of a normal is (path, step, index of its asset among those used), so the samples of a
// trade depend on the grid and the assets of the whole portfolio: another portfolio uses different
// samples for the same price.

#include <vector>

#include "src/modules/pricing/paths/simulation.hpp"
#include "src/modules/pricing/pricing_config.hpp"

namespace gsim::pricing {

/// `simulation.trades[i]` is config.trades[i]; `assets[k]` is the index in the market of simulated
/// asset k.
struct PricingSetup {
  Simulation simulation;
  std::vector<Index> assets;
  std::vector<double> dates;  ///< dates of the records
  /// Whether the value of each trade is not random (knocked out before today, a quantity of 0, or
  /// deterministic spots), and so has no standard error.
  std::vector<std::uint8_t> is_certain;
};

/// The size of a portfolio.
struct PortfolioSize {
  Index trades = 0, dates = 0;  ///< numbers of trades, and of dates of all trades
  Index exercise_dates = 0;     ///< number of exercise dates of all trades with early exercise
  Index exercise_numbers = 0;   ///< constants of the payoffs at these dates (TradeSetup::numbers)
  /// The largest number of values that the regressions of one trade keep of each path: at every
  /// exercise date, the variables and the value of exercise.
  Index values_per_path = 0;
};

/// The paths only: simulation.trades and is_certain are empty.
PricingSetup set_up_paths(const PricingConfig& config, Arithmetic arithmetic, std::uint64_t seed);
/// Sets up every trade once and discards the result: for millions of trades, set-ups need more
/// memory than the configurations. Throws InputError for errors that the checks of the
/// configuration cannot detect.
PortfolioSize try_trade_setups(const PricingConfig& config, const PricingSetup& setup);
/// Fills simulation.trades, with their control variates, and is_certain. Throws as
/// try_trade_setups() does.
void add_trade_setups(const PricingConfig& config, PricingSetup& setup);
/// Sets up paths and trades.
PricingSetup set_up(const PricingConfig& config, Arithmetic arithmetic, std::uint64_t seed);

}  // namespace gsim::pricing
