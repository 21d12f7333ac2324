#pragma once
// What a payoff must keep besides its bits: gsim plugin check.

#include <functional>

#include "conformance.hpp"

namespace gsim::app {

/// Prices the subject's example, which is of module pricing, in the other precision and arithmetic,
/// by mirrored paths and by Sobol points, and compares with the example itself: no price may be
/// farther off than five standard errors of the difference. Tells each finding; returns whether all
/// hold.
bool check_payoff(const Subject& subject, const std::function<void(const Finding&)>& tell);

}  // namespace gsim::app
