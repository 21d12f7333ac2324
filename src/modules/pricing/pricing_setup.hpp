#pragma once
// From the configuration to the numerical form of a run: dates, steps, coefficients, payoffs. All
// arithmetic here reaches results, so it uses gsim's own elementary functions and fixed orders.
//
// The grid. Records are the union of all trades' dates (dates nearer than 1e-7 years, 3 seconds,
// are one). Steps end at the records; at the knots of volatilities, rates and yields where a path's
// extremes are monitored; at the knots of volatilities where a trade depends on two assets (their
// covariance is then exact); and, where a model is not exact over a long step, so often that no
// step is longer than 1 / steps_per_year. Assets that no trade uses are not simulated. A normal's
// address is (path, step, position of its asset among those used), so a trade's samples depend on
// the grid and the assets of the whole portfolio: another portfolio draws other samples of the same
// price.

#include <vector>

#include "src/modules/pricing/paths/simulation.hpp"
#include "src/modules/pricing/pricing_config.hpp"

namespace gsim::pricing {

/// `simulation.trades[i]` is config.trades[i]; `assets[k]` is the market's asset simulated as asset
/// k.
struct PricingSetup {
  Simulation simulation;
  std::vector<Index> assets;
  std::vector<double> dates;  ///< of the records
  /// Trades whose value is known for sure (knocked out before today, a quantity of 0, spots that do
  /// not move at random): no error to wait for.
  std::vector<std::uint8_t> is_certain;
};

/// What the trades of a portfolio are in numbers.
struct PortfolioSize {
  Index trades = 0, dates = 0;  ///< dates: of all trades
};

/// The paths alone: simulation.trades and is_certain are empty.
PricingSetup set_up_paths(const PricingConfig& config, Arithmetic arithmetic, std::uint64_t seed);
/// Makes the set-up of every trade once and discards it: for millions of trades, set-ups need more
/// memory than the configurations. Throws InputError for what the configuration's own checks could
/// not see.
PortfolioSize try_trade_setups(const PricingConfig& config, const PricingSetup& setup);
/// Fills in simulation.trades, with their controls, and is_certain. Throws as try_trade_setups().
void add_trade_setups(const PricingConfig& config, PricingSetup& setup);
/// Paths and trades.
PricingSetup set_up(const PricingConfig& config, Arithmetic arithmetic, std::uint64_t seed);

}  // namespace gsim::pricing
