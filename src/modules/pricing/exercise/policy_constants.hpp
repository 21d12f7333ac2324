#pragma once
// The constants of a policy at one date in an executor's memory, for decisions on recorded states.

#include "gsim/exec/array.hpp"
#include "kernels/pricing/exercise/regression_job.hpp"
#include "src/modules/pricing/exercise/exercise_policy.hpp"
#include "src/modules/pricing/exercise/recorded_states.hpp"

namespace gsim::pricing {

class PolicyConstants {
 public:
  PolicyConstants(const Executor& executor, const ExerciseSetup& exercise,
                  const DatePolicy& policy);

  const double* centre() const { return numbers_.view().data; }          ///< [variables]
  const double* inverse_scale() const { return centre() + variables_; }  ///< [variables]

  /// The job that decides on the states at date d by the policy, which has coefficients. What is
  /// to be filled is null. `function` are the functions of ExerciseSetup in the executor's memory.
  DecisionJob decisions(const RecordedStates& states, Index d, const BasisFunction* function) const;

 private:
  const ExerciseSetup* exercise_;
  Index variables_, functions_;
  double boundary_;
  Array<double> numbers_;  ///< centres, inverse scales, coefficients
};

}  // namespace gsim::pricing
