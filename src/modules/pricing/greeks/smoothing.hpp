#pragma once
// Digitals and continuously monitored barriers under black_scholes, replaced by conditional
// expectations that are smooth in the market, on paths of their own (kernels/pricing/greeks/
// smoothed_payoffs.hpp): pathwise derivatives of these are unbiased (Glasserman 2004, section
// 7.2.3).

#include <functional>
#include <vector>

#include "src/modules/pricing/pricing_setup.hpp"

namespace gsim::pricing {

/// Whether a trade has such an expectation. A digital is conditioned on the spot at half of its
/// maturity, a barrier on the spots at the maturity and at the knots of rate, yield and volatility,
/// that of a window also on those at the dates of the smoothed portfolio. A rebate that is paid at
/// the touch is not supported.
bool is_smoothable(const PricingConfig& config, const TradeConfig& trade);

/// The trades of a portfolio whose payoffs are replaced for Greeks, with their own grid.
struct ReplacedPortfolio {
  std::vector<Index> trades;  ///< of the run, ascending
  PricingConfig config;       ///< of these trades, replaced
  PricingSetup setup;
};

/// The trades for which replace(trade) is true, after it has changed them. Paths have the random
/// numbers of `setup`'s seed.
ReplacedPortfolio replaced_portfolio(const PricingConfig& config, const PricingSetup& setup,
                                     const std::function<bool(TradeConfig&)>& replace);

/// The trades of a portfolio that are smoothable.
ReplacedPortfolio smoothed_portfolio(const PricingConfig& config, const PricingSetup& setup);

/// Throws ConfigError if the smoothed portfolio of a run with Greeks needs more Sobol dimensions
/// than there are direction numbers.
void check_smoothed_dimensions(const PricingConfig& config, const PricingSetup& setup);

}  // namespace gsim::pricing
