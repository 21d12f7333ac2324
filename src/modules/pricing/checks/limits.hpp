#pragma once
// What generators and kernels cannot do, found when a run is planned: `gsim check` ends there, and
// nothing has been simulated yet.

#include "src/modules/pricing/pricing_setup.hpp"

namespace gsim::pricing {

/// Most samples of a run: beyond, sums in double no longer count in ones.
inline constexpr Index most_samples = Index{1} << 50;
/// Points of one Sobol scrambling: its indices have 32 bits.
inline constexpr Index most_sobol_points = Index{1} << 32;
/// Most time steps of a path, and most jumps expected within one of them.
inline constexpr double most_steps = 1e7, most_jumps = 200;
/// What pricing.steps_per_year may be at most.
inline constexpr double most_steps_per_year = 1e6;

/// Coordinates of a Sobol point: one a normal of a path.
Index sobol_dimensions(const Simulation& simulation);

/// Throws ConfigError when a trade alone needs more than most_steps time steps, or when the spots
/// of its assets may leave the range of the paths' numbers before it ends. `section` is the
/// trade's.
void check_trade(const PricingConfig& config, const TradeConfig& trade, const Section& section);

/// Throws InputError, naming the trade or asset and the key to change, for what set_up() made and
/// the run cannot do: more Sobol dimensions than there are direction numbers, more jumps in a step
/// than the tables hold.
void check_limits(const PricingConfig& config, const PricingSetup& setup);

/// Throws InputError when a run of `wanted` samples does not fit the generators.
void check_samples(const PricingOptions& options, Index wanted);

}  // namespace gsim::pricing
