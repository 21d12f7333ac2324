#include "src/modules/pricing/exercise/regression_sequence.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "gsim/exec/array.hpp"
#include "src/modules/pricing/exercise/policy_constants.hpp"

namespace gsim::pricing {
namespace {

/// The numbers of all dates: [date] centres, inverse scales, coefficients.
class NumbersOfDates {
 public:
  NumbersOfDates(const Executor& executor, const ExerciseSetup& exercise, Index dates)
      : variables_(exercise.variables.count()),
        stride_(2 * variables_ + static_cast<Index>(exercise.functions.size())),
        host_(static_cast<std::size_t>(dates * stride_)),
        numbers_(executor, 0) {}

  void set(Index date, const DatePolicy& policy) {
    double* const at = &host_[static_cast<std::size_t>(date * stride_)];
    std::copy(policy.centre.begin(), policy.centre.end(), at);
    std::transform(policy.scale.begin(), policy.scale.end(), at + variables_,
                   [](double scale) { return 1 / scale; });
  }
  void copy_to(const Executor& executor) {
    numbers_ = Array<double>(executor, std::span<const double>(host_));
  }
  void copy_back() { host_ = numbers_.to_host(); }

  double* of(Index date) { return numbers_.view().data + date * stride_; }
  double* coefficients(Index date) { return of(date) + 2 * variables_; }
  /// The coefficients after copy_back().
  std::span<const double> fitted(Index date, Index functions) const {
    return std::span(host_).subspan(static_cast<std::size_t>(date * stride_ + 2 * variables_),
                                    static_cast<std::size_t>(functions));
  }
  Index variables() const { return variables_; }

 private:
  Index variables_, stride_;
  std::vector<double> host_;
  Array<double> numbers_;
};

}  // namespace

Index fit_dates_in_sequence(const ExerciseSetup& exercise, const RecordedStates& states,
                            StateRegression& regression, RegressionPaths paths,
                            const PaymentsOfPaths& payments, Index last, const Context& context,
                            std::vector<DatePolicy>& dates) {
  const Executor& executor = context.executor;
  const RegressionTarget target{payments.payment, payments.later_control, paths};
  NumbersOfDates numbers(executor, exercise, last + 1);
  std::vector<Index> functions(static_cast<std::size_t>(last + 1));
  for (Index d = 0; d <= last; ++d) {
    const auto i = static_cast<std::size_t>(d);
    StateRegression::Normalised normalised = regression.normalise(d, target);
    numbers.set(d, normalised.policy);
    dates[i] = std::move(normalised.policy);
    functions[i] = normalised.functions;
  }
  numbers.copy_to(executor);
  constexpr std::int32_t not_stopped = -1;
  Array<std::int32_t> stopped(executor, std::span<const std::int32_t>(&not_stopped, 1));
  for (Index d = last; d >= 0; --d) {
    const Index n = functions[static_cast<std::size_t>(d)];
    if (n == 0) continue;
    const double* const centre = numbers.of(d);
    regression.add_normal_equations(d, n, centre, centre + numbers.variables(), target);
    regression_solution(
        executor, {regression.sums(), states.paths() / regression_block,
                   static_cast<std::int32_t>(regression.equations(n)), static_cast<std::int32_t>(n),
                   numbers.coefficients(d), static_cast<std::int32_t>(d), stopped.view().data});
    DecisionJob job = decision_job(exercise, states, d, regression.functions(), centre, n);
    job.payment = payments.payment;
    job.later_control = payments.later_control;
    job.stopped = stopped.view().data;
    regression_decisions(executor, job);
  }
  numbers.copy_back();
  const Index next = stopped.to_host().front();
  for (Index d = last; d > next; --d) {
    const auto i = static_cast<std::size_t>(d);
    const std::span<const double> fitted = numbers.fitted(d, functions[i]);
    dates[i].coefficient.assign(fitted.begin(), fitted.end());
  }
  return next;
}

}  // namespace gsim::pricing
