#include "src/modules/pricing/exercise/policy_constants.hpp"

namespace gsim::pricing {
namespace {

std::vector<double> numbers_of(const DatePolicy& policy) {
  std::vector<double> numbers = policy.centre;
  for (const double scale : policy.scale) numbers.push_back(1 / scale);
  numbers.insert(numbers.end(), policy.coefficient.begin(), policy.coefficient.end());
  return numbers;
}

}  // namespace

PolicyConstants::PolicyConstants(const Executor& executor, const ExerciseSetup& exercise,
                                 const DatePolicy& policy)
    : exercise_(&exercise),
      variables_(exercise.variables.count()),
      functions_(static_cast<Index>(policy.coefficient.size())),
      boundary_(policy.boundary),
      numbers_(executor, std::span<const double>(numbers_of(policy))) {}

DecisionJob PolicyConstants::decisions(const RecordedStates& states, Index d,
                                       const BasisFunction* function) const {
  DecisionJob job{};
  job.value = states.value(d);
  job.variable = states.variable(d);
  job.paths = states.paths();
  job.variables = static_cast<std::int32_t>(variables_);
  job.functions = static_cast<std::int32_t>(functions_);
  job.degree = static_cast<std::int32_t>(exercise_->degree);
  job.centre = centre();
  job.inverse_scale = inverse_scale();
  job.coefficient = inverse_scale() + variables_;
  job.function = function;
  job.threshold = exercise_->threshold;
  job.boundary = boundary_;
  job.side = exercise_->side;
  job.control = states.control(d);
  job.adds_control = exercise_->adds_control();
  return job;
}

}  // namespace gsim::pricing
