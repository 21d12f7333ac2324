#pragma once
// Digitals and discretely monitored barriers under black_scholes whose Greeks follow from the
// derivative of the density of the path at the fixings instead of that of the payoff (kernels/
// pricing/greeks/weighted_payoff.hpp). They are unbiased, also for gamma, but have larger errors
// than derivatives of smoothed payoffs, of the order of one over the deviation until the first
// fixing.

#include <vector>

#include "src/modules/pricing/greeks/smoothing.hpp"

namespace gsim::pricing {

/// Whether the Greeks of a trade follow from likelihood ratios, if greeks_method requests these:
/// those of all digitals and barriers.
bool is_weighted(const PricingConfig& config, const TradeConfig& trade);

/// Whether the gamma of a trade does, too: not with cash dividends between its first and its last
/// fixing, which make the changes of all fixings depend on the spot.
bool has_weighted_gamma(const PricingConfig& config, const TradeConfig& trade);

/// Throws ConfigError if greeks_method requests likelihood ratios of a trade for which they are not
/// defined: the reason, and what to do.
void check_likelihood_ratios(const PricingConfig& config);

/// The weighted trades, with weights of 1.
ReplacedPortfolio weighted_portfolio(const PricingConfig& config, const PricingSetup& setup);

/// The simulation of `base` with weights 1 + W, where W is the derivative of the density, and of
/// the discount factor, per `size` of the bump that leads to the simulation `bumped` of the same
/// trades; with `is_second` the second derivative with respect to the spot, times its square.
Simulation weighted_simulation(Simulation base, const Simulation& bumped, double size,
                               bool is_second);

}  // namespace gsim::pricing
