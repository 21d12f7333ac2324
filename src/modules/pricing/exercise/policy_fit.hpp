#pragma once
// The regressions of an exercise policy on recorded states, from one date to the one before it.

#include <vector>

#include "src/modules/pricing/exercise/regression_sequence.hpp"
#include "src/modules/pricing/exercise/state_regression.hpp"

namespace gsim::pricing {

/// Fits exercise date d of `states` to the payments that paths receive after it, and replaces those
/// of the paths that the fit exercises. Collective.
DatePolicy fit_exercise_date(const ExerciseSetup& exercise, const RecordedStates& states,
                             StateRegression& regression, Index d, RegressionPaths paths,
                             const PaymentsOfPaths& payments, const Context& context);

/// The paths that take part in the regressions of a policy. `has_rights`: where there is no right
/// to exercise, a path takes no part.
RegressionPaths paths_of_policy(const ExerciseOptions& options, const ExerciseSetup& exercise,
                                bool has_rights);

/// Fits the exercise dates `dates`, indices among those of `states` before the last one, from the
/// last back, on these states alone: the fits of find_policy(), [dates]. Collective.
std::vector<DatePolicy> fit_policy(const ExerciseSetup& exercise, const RecordedStates& states,
                                   const std::vector<Index>& dates, RegressionPaths paths,
                                   const Context& context);

}  // namespace gsim::pricing
