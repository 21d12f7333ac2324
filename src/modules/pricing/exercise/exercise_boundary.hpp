#pragma once
// The exercise boundary of calls and puts on one asset.

#include "src/modules/pricing/exercise/exercise_policy.hpp"

namespace gsim::pricing {

/// Finds the weighted spot nearest to the strike at which exercise at date d, one before the
/// maturity, is worth as much as continuation under the regression of `policy`, and sets
/// policy.boundary; false if there is none among the spots of the regression's paths. Such options
/// have one boundary at each date (Kim 1990, "The analytic valuation of American options", Review
/// of Financial Studies 3, 547), while the difference of the fitted values may vanish again far
/// from it.
bool find_boundary(const ExerciseSetup& exercise, Index date, DatePolicy& policy);

}  // namespace gsim::pricing
