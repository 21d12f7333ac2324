#pragma once
// The constants of a policy at one date in an executor's memory, for decisions on recorded states.

#include "gsim/exec/array.hpp"
#include "kernels/pricing/exercise/regression_job.hpp"
#include "src/modules/pricing/exercise/exercise_policy.hpp"
#include "src/modules/pricing/exercise/recorded_states.hpp"

namespace gsim::pricing {

/// The job that decides on the states at date d by a regression of `functions` functions of
/// `variables` variables, whose centres, inverse scales and coefficients are at `numbers` in the
/// executor's memory. What is to be filled is null. `function` are the functions of ExerciseSetup
/// in the executor's memory.
DecisionJob decision_job(const ExerciseSetup& exercise, const RecordedStates& states, Index d,
                         const BasisFunction* function, const double* numbers, Index functions);

class PolicyConstants {
 public:
  PolicyConstants(const Executor& executor, const ExerciseSetup& exercise,
                  const DatePolicy& policy);

  const double* centre() const { return numbers_.view().data; }          ///< [variables]
  const double* inverse_scale() const { return centre() + variables_; }  ///< [variables]

  /// decision_job() by the policy, which has coefficients.
  DecisionJob decisions(const RecordedStates& states, Index d, const BasisFunction* function) const;

 private:
  const ExerciseSetup* exercise_;
  Index variables_, functions_;
  double boundary_;
  Array<double> numbers_;  ///< centres, inverse scales, coefficients
};

}  // namespace gsim::pricing
