#include "src/modules/pricing/exercise/policy_fit.hpp"

#include "gsim/exec/launch_graph.hpp"
#include "src/modules/pricing/exercise/exercise_boundary.hpp"
#include "src/modules/pricing/exercise/policy_constants.hpp"

namespace gsim::pricing {
namespace {

/// A copy of the numbers of all paths, [paths] in the executor's memory.
Array<double> copy_of(const double* from, const RecordedStates& states, const Executor& executor) {
  Array<double> copy(executor, 0);
  if (from == nullptr) return copy;
  copy.resize_uninitialised(states.paths());
  if (states.paths() > 0)
    copy_on_executor(executor, copy.view().data, from,
                     static_cast<std::size_t>(states.paths()) * sizeof(double));
  return copy;
}

}  // namespace

DatePolicy fit_exercise_date(const ExerciseSetup& exercise, const RecordedStates& states,
                             StateRegression& regression, Index d, RegressionPaths paths,
                             const PaymentsOfPaths& payments, const Context& context) {
  DatePolicy policy = regression.fit(d, {payments.payment, payments.later_control, paths});
  if (policy.coefficient.empty()) return policy;
  if (exercise.side != 0 && !find_boundary(exercise, d, policy)) {
    policy.coefficient.clear();
    return policy;
  }
  context.communicator.agree([&] {
    if (states.paths() == 0) return;
    const PolicyConstants constants(context.executor, exercise, policy);
    DecisionJob job = constants.decisions(states, d, regression.functions());
    job.payment = payments.payment;
    job.later_control = payments.later_control;
    regression_decisions(context.executor, job);
  });
  return policy;
}

RegressionPaths paths_of_policy(const ExerciseOptions& options, const ExerciseSetup& exercise,
                                bool has_rights) {
  return !options.in_the_money && !has_rights && !exercise.may_pay_less_than_nothing
             ? RegressionPaths::all
             : RegressionPaths::in_the_money;
}

std::vector<DatePolicy> fit_policy(const ExerciseSetup& exercise, const RecordedStates& states,
                                   const std::vector<Index>& dates, RegressionPaths paths,
                                   const Context& context) {
  const Index last = states.dates() - 1;
  Array<double> payment(context.executor, 0), later_control(context.executor, 0);
  context.communicator.agree([&] {
    payment = copy_of(states.value(last), states, context.executor);
    if (exercise.control.kind != ExerciseControl::none)
      later_control = copy_of(states.control(last), states, context.executor);
  });
  StateRegression regression(exercise, states, context);
  std::vector<DatePolicy> policy(dates.size());
  const PaymentsOfPaths payments{payment.view().data,
                                 later_control.size() > 0 ? later_control.view().data : nullptr};
  for (std::size_t d = dates.size(); d-- > 0;)
    policy[d] = fit_exercise_date(exercise, states, regression, dates[d], paths, payments, context);
  return policy;
}

}  // namespace gsim::pricing
