#pragma once
// Ramps in the place of the comparisons of scripted payoffs (kernels/pricing/greeks/adjoint/
// script_adjoint.hpp), which make payoffs with jumps continuous.

#include <vector>

#include "src/modules/pricing/paths/simulation.hpp"

namespace gsim::pricing {

/// Slope and offset of the ramp of each instruction of a trade's program, [instructions][2], both 0
/// for those that need none. A comparison of whole numbers has the ramp between neighbouring ones.
/// Another one has half the width by which the difference of what it compares changes, in the root
/// mean square over paths and fixings, where the spots of all fixings, or those of its own fixing
/// alone if that is more, are changed by the fraction `width`: there it is about as wide as a
/// central difference with this bump of the spot. Empty: a comparison allows no ramp
/// (comparisons_of(), or its difference does not change).
std::vector<double> ramps_of(const Simulation& base, const TradeSetup& trade, double width);

}  // namespace gsim::pricing
