#pragma once
// Regressions of what paths pay later on their recorded states at a date.

#include <vector>

#include "gsim/engine/module.hpp"
#include "gsim/exec/array.hpp"
#include "kernels/pricing/exercise/regression_job.hpp"
#include "src/modules/pricing/exercise/exercise_policy.hpp"
#include "src/modules/pricing/exercise/policy_constants.hpp"
#include "src/modules/pricing/exercise/recorded_states.hpp"

namespace gsim::pricing {

/// What a regression fits on the paths of RecordedStates, in the executor's memory.
struct RegressionTarget {
  const double* payment;        ///< [paths] discounted to today
  const double* later_control;  ///< [paths] the control variates at the payments; null: none
  const double* mask;           ///< [paths] paths with a positive number take part; null: all do
};

/// Fits, at one date after another, the conditional expectation of the payments of paths by the
/// functions of ExerciseSetup. Sums over paths are exact, and hence the same on any number of
/// ranks.
class StateRegression {
 public:
  /// `states` and `exercise` must outlive this object. Collective.
  StateRegression(const ExerciseSetup& exercise, const RecordedStates& states,
                  const Context& context);

  /// The fit at date d: centres, scales and coefficients, these of functions up to the largest
  /// degree for which there are ten paths for each function, and none if there are too few.
  /// Collective.
  DatePolicy fit(Index d, const RegressionTarget& target);

  /// The functions in the executor's memory.
  const BasisFunction* functions() const { return functions_.view().data; }

 private:
  Index variables() const { return exercise_.variables.count(); }
  /// Centre and scale of the variables at a date; returns the number of paths of the regression.
  double normalise(Index d, const double* mask, DatePolicy& policy);
  /// The number of functions of the largest degree for which there are enough paths; 0: none.
  Index affordable_functions(double paths) const;
  NormalEquationsJob normal_equations(Index d, Index n, const PolicyConstants& constants,
                                      const RegressionTarget& target);
  /// The sums of `count` numbers per block over all blocks of all ranks.
  template <class Launch>
  std::vector<double> total(Index count, const Launch& launch_sums);

  const ExerciseSetup& exercise_;
  const RecordedStates& states_;
  const Context& context_;
  Array<double> sums_, work_;
  Array<BasisFunction> functions_;
};

}  // namespace gsim::pricing
