#pragma once
// Exercise policies by least-squares Monte Carlo (Longstaff and Schwartz 2001), and upper bounds of
// prices by nested simulation (Andersen and Broadie 2004, "Primal-dual simulation algorithm for
// pricing multidimensional American options", Management Science 50, 1222).
//
// The draws of a path are addressed by the number of its sample, so that the three kinds of paths
// are independent of those of prices: their samples have numbers that no run of prices reaches.

#include <vector>

#include "gsim/domain/work_shares.hpp"
#include "gsim/engine/module.hpp"
#include "src/modules/pricing/exercise/exercise_policy.hpp"
#include "src/modules/pricing/paths/simulation.hpp"

namespace gsim::pricing {

/// Numbers of the first samples of regressions, and of the outer and inner paths of upper bounds. A
/// run of prices has less than 2^50 samples.
inline constexpr Index first_regression_sample = Index{1} << 52,
                       first_outer_sample = Index{1} << 53, first_inner_sample = Index{1} << 54;

/// The policy of the only trade of a simulation, which has early exercise and no policy yet. From
/// the last date back, the payments that paths receive after a date are regressed on functions of
/// their states at the date; sums over paths are exact, so that the policy does not depend on the
/// number of ranks. The degree at a date is lowered until there are ten paths for each function.
/// Exercise today is decided with `value_today`, or not possible if that is NaN. `dates` are the
/// trade's exercise dates, for ExercisePolicy::failed_at. The ranks have paths by `shares`, which
/// are measured here. Collective.
ExercisePolicy find_policy(const Simulation& simulation, const ExerciseOptions& options,
                           const std::vector<double>& dates, double value_today,
                           const Context& context, WorkShares& shares);

/// Sets the gap, and its error, between the price under the policy of the trade and an upper bound
/// of its price, or ExercisePolicy::failed_at. `dates` as in find_policy(); the ranks have outer
/// paths by `shares`. Collective.
void find_upper_bound(const Simulation& simulation, const ExerciseOptions& options,
                      const std::vector<double>& dates, const Context& context,
                      const WorkShares& shares, ExercisePolicy& policy);

}  // namespace gsim::pricing
