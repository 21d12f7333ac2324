#pragma once
// Limits of random number generators and kernels, checked when a run is planned: `gsim check`
// reports violations before any path is simulated.

#include "src/modules/pricing/pricing_setup.hpp"

namespace gsim::pricing {

/// Largest number of samples of a run: counts above 2^53 are not exact in double precision.
inline constexpr Index max_samples = Index{1} << 50;
/// Number of points of one Sobol scrambling: indices have 32 bits.
inline constexpr Index max_sobol_points = Index{1} << 32;
/// Largest number of time steps of a path, and of expected jumps within one step.
inline constexpr double max_steps = 1e7, max_jumps = 200;
/// Largest value of pricing.steps_per_year.
inline constexpr double max_steps_per_year = 1e6;

/// Dimension of the Sobol points: one coordinate per normal of a path.
Index sobol_dimensions(const Simulation& simulation);

/// Throws ConfigError if one trade needs more than max_steps time steps, or if the spots of its
/// assets may leave the floating-point range before its maturity. `section` is that of the trade.
void check_trade(const PricingConfig& config, const TradeConfig& trade, const Section& section);

/// Throws InputError, with the trade or asset and the key to change, if the run needs more Sobol
/// dimensions than there are direction numbers, or more jumps in a step than the tables hold.
void check_limits(const PricingConfig& config, const PricingSetup& setup);

/// Throws InputError if a run of `samples` samples exceeds the range of the generators.
void check_samples(const PricingOptions& options, Index samples);

}  // namespace gsim::pricing
