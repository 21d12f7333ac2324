#pragma once
// How much work a run needs until its error targets are met.

#include "gsim/engine/estimate.hpp"

namespace gsim {

/// Units of work after which the error targets of `stop` are met by the errors of `evaluation`,
/// which was made after `evaluated_at` units: errors decrease with the square root of the number of
/// samples. At least `done` and at most `total`; `total` without targets or errors.
double units_to_targets(const StopRule& stop, const Evaluation& evaluation, Index evaluated_at,
                        Index done, Index total);

}  // namespace gsim
