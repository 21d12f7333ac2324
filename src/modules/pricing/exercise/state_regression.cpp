#include "src/modules/pricing/exercise/state_regression.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "gsim/core/superaccumulator.hpp"
#include "src/modules/pricing/exercise/least_squares.hpp"
#include "src/modules/pricing/exercise/policy_constants.hpp"

namespace gsim::pricing {
namespace {

/// Fewest paths for each function of a regression.
constexpr double paths_per_function = 10;

}  // namespace

StateRegression::StateRegression(const ExerciseSetup& exercise, const RecordedStates& states,
                                 const Context& context)
    : exercise_(exercise),
      states_(states),
      context_(context),
      sums_(context.executor, 0),
      work_(context.executor, 0),
      functions_(context.executor, 0) {
  context.communicator.agree([&] {
    functions_ =
        Array<BasisFunction>(context.executor, std::span<const BasisFunction>(exercise.functions));
  });
}

template <class Launch>
std::vector<double> StateRegression::total(Index dates, Index count, const Launch& launch_sums) {
  std::vector<Superaccumulator> exact(static_cast<std::size_t>(dates * count));
  context_.communicator.agree([&] {
    if (states_.paths() == 0) return;
    const Index of_date = states_.paths() / regression_block * count;
    sums_.resize_uninitialised(dates * of_date);
    launch_sums();
    const std::vector<double> sums = sums_.to_host();
    for (Index i = 0; i < dates * of_date; ++i)
      exact[static_cast<std::size_t>(i / of_date * count + i % count)].add(
          sums[static_cast<std::size_t>(i)]);
  });
  context_.communicator.sum(exact);
  std::vector<double> values;
  values.reserve(exact.size());
  for (const Superaccumulator& sum : exact) values.push_back(sum.value());
  return values;
}

std::vector<double> StateRegression::moments(Index first, Index dates, bool all_paths,
                                             const double* mask, double threshold) {
  const Index n = variables();
  return total(dates, 1 + 2 * n, [&] {
    regression_moments(context_.executor,
                       {mask, states_.variable(first), dates, states_.paths(),
                        static_cast<std::int32_t>(n), !all_paths, threshold, sums_.view().data});
  });
}

std::vector<double> StateRegression::moments(Index d, const RegressionTarget& target) {
  if (target.paths == RegressionPaths::masked) return moments(d, 1, false, target.mask, 0);
  const bool all_paths = target.paths == RegressionPaths::all;
  std::vector<double>& of_dates = all_paths ? moments_ : moments_in_the_money_;
  if (of_dates.empty())
    of_dates = moments(0, states_.dates(), all_paths, states_.value(0), exercise_.threshold);
  const Index count = 1 + 2 * variables();
  const auto at = of_dates.begin() + d * count;
  return {at, at + count};
}

bool StateRegression::has_value_below_zero() {
  constexpr double just_below_zero = -1e-300;
  const auto paths_above = [&](double threshold) {
    return moments(0, states_.dates(), false, states_.value(0), threshold);
  };
  const std::vector<double> exercisable = paths_above(below_all_values);
  const std::vector<double> not_negative = paths_above(just_below_zero);
  const auto count = static_cast<std::size_t>(1 + 2 * variables());
  for (std::size_t at = 0; at < exercisable.size(); at += count)
    if (exercisable[at] != not_negative[at]) return true;
  return false;
}

StateRegression::Normalised StateRegression::normalise(Index d, const RegressionTarget& target) {
  const Index n = variables();
  const std::vector<double> sums = moments(d, target);
  const double paths = sums[0];
  DatePolicy policy;
  for (std::size_t i = 1; i <= static_cast<std::size_t>(n); ++i) {
    const double mean = paths > 0 ? sums[i] / paths : 0;
    const double variance =
        paths > 0 ? sums[i + static_cast<std::size_t>(n)] / paths - mean * mean : 0;
    // A variable that does not vary has no scale. Rounding errors of a constant value of exercise
    // would be a second constant, whose coefficient is arbitrary.
    const bool is_value =
        i == static_cast<std::size_t>(n) && exercise_.variables.has_exercise_value;
    const double none = is_value ? std::numeric_limits<double>::infinity() : 1;
    const bool varies = variance > 1e-14 * mean * mean;
    policy.centre.push_back(mean);
    policy.scale.push_back(varies ? std::sqrt(variance) : none);
  }
  return {std::move(policy), affordable_functions(paths)};
}

Index StateRegression::affordable_functions(double paths) const {
  for (Index degree = exercise_.degree; degree >= 0; --degree) {
    const Index count = function_count(variables(), degree);
    if (paths >= paths_per_function * static_cast<double>(count)) return count;
  }
  return 0;
}

Index StateRegression::equations(Index functions, bool has_change) const {
  // Not from control(d), which is null on a rank without paths: sums have one size on all ranks.
  const bool has_control = exercise_.control.kind != ExerciseControl::none;
  return functions + (has_change && has_control && !exercise_.adds_control() ? 1 : 0);
}

void StateRegression::add_normal_equations(Index d, Index functions, const double* centre,
                                           const double* inverse_scale,
                                           const RegressionTarget& target) {
  const Index n = equations(functions, target.has_change);
  const bool has_control = target.has_change || exercise_.adds_control();
  const bool is_masked = target.paths == RegressionPaths::masked;
  sums_.resize_uninitialised(states_.paths() / regression_block * (n * (n + 3) / 2));
  if (context_.executor.is_cuda()) work_.resize_uninitialised((n + 1) * states_.paths());
  regression_normal_equations(
      context_.executor,
      {is_masked ? target.mask : states_.value(d), states_.variable(d), target.payment,
       states_.paths(), static_cast<std::int32_t>(variables()),
       static_cast<std::int32_t>(functions), static_cast<std::int32_t>(exercise_.degree),
       target.paths != RegressionPaths::all, is_masked ? 0 : exercise_.threshold, centre,
       inverse_scale, functions_.view().data, has_control ? states_.control(d) : nullptr,
       target.later_control, exercise_.adds_control(), work_.view().data, sums_.view().data});
}

DatePolicy StateRegression::fit(Index d, const RegressionTarget& target, Index most_degree) {
  Normalised normalised = normalise(d, target);
  DatePolicy& policy = normalised.policy;
  const Index n = std::min(normalised.functions, function_count(variables(), most_degree));
  if (n == 0) return policy;
  const Index count = equations(n, target.has_change);
  const std::vector<double> sums = total(1, count * (count + 3) / 2, [&] {
    const PolicyConstants constants(context_.executor, exercise_, policy);
    add_normal_equations(d, n, constants.centre(), constants.inverse_scale(), target);
  });
  const auto split = static_cast<std::ptrdiff_t>(count * (count + 1) / 2);
  policy.coefficient =
      solve_normal_equations(std::span(sums).first(static_cast<std::size_t>(split)),
                             std::span(sums).subspan(static_cast<std::size_t>(split)));
  policy.coefficient.resize(static_cast<std::size_t>(n));  // without that of the control
  return policy;
}

}  // namespace gsim::pricing
