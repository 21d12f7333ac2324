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

DecisionJob decision_job(const ExerciseSetup& exercise, const RecordedStates& states, Index d,
                         const BasisFunction* function, const double* numbers, Index functions) {
  const Index variables = exercise.variables.count();
  DecisionJob job{};
  job.value = states.value(d);
  job.variable = states.variable(d);
  job.paths = states.paths();
  job.variables = static_cast<std::int32_t>(variables);
  job.functions = static_cast<std::int32_t>(functions);
  job.degree = static_cast<std::int32_t>(exercise.degree);
  job.centre = numbers;
  job.inverse_scale = numbers + variables;
  job.coefficient = numbers + 2 * variables;
  job.function = function;
  job.threshold = exercise.threshold;
  job.side = exercise.side;
  job.control = states.control(d);
  job.adds_control = exercise.adds_control();
  return job;
}

PolicyConstants::PolicyConstants(const Executor& executor, const ExerciseSetup& exercise,
                                 const DatePolicy& policy)
    : exercise_(&exercise),
      variables_(exercise.variables.count()),
      functions_(static_cast<Index>(policy.coefficient.size())),
      boundary_(policy.boundary),
      numbers_(executor, std::span<const double>(numbers_of(policy))) {}

DecisionJob PolicyConstants::decisions(const RecordedStates& states, Index d,
                                       const BasisFunction* function) const {
  DecisionJob job = decision_job(*exercise_, states, d, function, centre(), functions_);
  job.boundary = boundary_;
  return job;
}

}  // namespace gsim::pricing
