#include "src/modules/pricing/exercise/longstaff_schwartz.hpp"

#include <algorithm>
#include <cmath>

#include "gsim/core/superaccumulator.hpp"
#include "gsim/exec/array.hpp"
#include "gsim/exec/launch_graph.hpp"
#include "src/modules/pricing/exercise/exercise_boundary.hpp"
#include "src/modules/pricing/exercise/least_squares.hpp"
#include "src/modules/pricing/exercise/policy_constants.hpp"

namespace gsim::pricing {
namespace {

/// Fewest paths for each function of a regression.
constexpr double paths_per_function = 10;

/// The regressions of one trade.
class Regressions {
 public:
  Regressions(const Simulation& simulation, const ExerciseOptions& options, const Context& context)
      : exercise_(*simulation.trades.front().exercise),
        options_(options),
        context_(context),
        blocks_((options.paths + regression_block - 1) / regression_block),
        states_(simulation, first_regression_sample, blocks_, regression_block, has_control(),
                context),
        payment_(context.executor, 0),
        later_control_(context.executor, 0),
        sums_(context.executor, 0),
        work_(context.executor, 0),
        functions_(context.executor, 0) {
    context.communicator.agree([&] {
      functions_ = Array<BasisFunction>(context.executor,
                                        std::span<const BasisFunction>(exercise_.functions));
    });
  }

  ExercisePolicy find(double value_today) {
    ExercisePolicy policy;
    const Index last = states_.dates() - 1;
    policy.dates.resize(static_cast<std::size_t>(last));
    context_.communicator.agree([&] {
      start_at(payment_, states_.value(last));
      if (has_control()) start_at(later_control_, states_.control(last));
    });
    for (Index d = last - 1; d >= 0; --d) policy.dates[static_cast<std::size_t>(d)] = fit(d);
    if (std::isnan(value_today)) return policy;
    policy.value_today = value_today;
    policy.exercised_today = value_today > 0 && value_today >= mean_payment();
    return policy;
  }

 private:
  bool has_control() const { return exercise_.control.kind != ExerciseControl::none; }

  /// Copies the values of all paths at the last date.
  void start_at(Array<double>& to, const double* from) const {
    to.resize_uninitialised(states_.paths());
    if (states_.paths() > 0)
      copy_on_executor(context_.executor, to.view().data, from,
                       static_cast<std::size_t>(states_.paths()) * sizeof(double));
  }

  Index variables() const { return exercise_.variables.count(); }

  /// The sums of `count` numbers per block over all blocks of all ranks.
  template <class Launch>
  std::vector<double> total(Index count, const Launch& launch_sums) {
    std::vector<Superaccumulator> exact(static_cast<std::size_t>(count));
    context_.communicator.agree([&] {
      if (states_.paths() == 0) return;
      sums_.resize_uninitialised(states_.paths() / regression_block * count);
      launch_sums();
      const std::vector<double> blocks = sums_.to_host();
      for (std::size_t i = 0; i < blocks.size(); ++i) exact[i % exact.size()].add(blocks[i]);
    });
    context_.communicator.sum(exact);
    std::vector<double> values;
    values.reserve(exact.size());
    for (const Superaccumulator& sum : exact) values.push_back(sum.value());
    return values;
  }

  /// Centre and scale of the variables at a date; returns the number of paths of the regression.
  double normalise(Index d, DatePolicy& policy) {
    const Index n = variables();
    const std::vector<double> sums = total(1 + 2 * n, [&] {
      regression_moments(context_.executor,
                         {states_.value(d), states_.variable(d), states_.paths(),
                          static_cast<std::int32_t>(n), options_.in_the_money, sums_.view().data});
    });
    const double paths = sums[0];
    for (std::size_t i = 1; i <= static_cast<std::size_t>(n); ++i) {
      const double mean = paths > 0 ? sums[i] / paths : 0;
      const double variance =
          paths > 0 ? sums[i + static_cast<std::size_t>(n)] / paths - mean * mean : 0;
      // A variable that does not vary has no scale.
      const bool varies = variance > 1e-14 * mean * mean;
      policy.centre.push_back(mean);
      policy.scale.push_back(varies ? std::sqrt(variance) : 1);
    }
    return paths;
  }

  /// The number of functions of the largest degree for which there are enough paths; 0: none.
  Index affordable_functions(double paths) const {
    for (Index degree = exercise_.degree; degree >= 0; --degree) {
      const Index count = function_count(variables(), degree);
      if (paths >= paths_per_function * static_cast<double>(count)) return count;
    }
    return 0;
  }

  DatePolicy fit(Index d) {
    DatePolicy policy;
    const Index n = affordable_functions(normalise(d, policy));
    if (n == 0) return policy;
    // Not from control(d), which is null on a rank without paths: sums have one size on all ranks.
    const Index count = n + (has_control() && !exercise_.adds_control() ? 1 : 0);
    const std::vector<double> sums = total(count * (count + 3) / 2, [&] {
      const PolicyConstants constants(context_.executor, exercise_, policy);
      regression_normal_equations(context_.executor, normal_equations(d, n, constants));
    });
    const auto split = static_cast<std::ptrdiff_t>(count * (count + 1) / 2);
    policy.coefficient =
        solve_normal_equations(std::span(sums).first(static_cast<std::size_t>(split)),
                               std::span(sums).subspan(static_cast<std::size_t>(split)));
    policy.coefficient.resize(static_cast<std::size_t>(n));  // without that of the control
    if (exercise_.side != 0 && !find_boundary(exercise_, d, policy)) {
      policy.coefficient.clear();
      return policy;
    }
    context_.communicator.agree([&] {
      if (states_.paths() == 0) return;
      const PolicyConstants constants(context_.executor, exercise_, policy);
      DecisionJob job = constants.decisions(states_, d, functions_.view().data);
      job.payment = payment_.view().data;
      if (has_control()) job.later_control = later_control_.view().data;
      regression_decisions(context_.executor, job);
    });
    return policy;
  }

  NormalEquationsJob normal_equations(Index d, Index n, const PolicyConstants& constants) {
    if (context_.executor.is_cuda()) work_.resize_uninitialised((n + 2) * states_.paths());
    return {states_.value(d),
            states_.variable(d),
            payment_.view().data,
            states_.paths(),
            static_cast<std::int32_t>(variables()),
            static_cast<std::int32_t>(n),
            static_cast<std::int32_t>(exercise_.degree),
            options_.in_the_money,
            constants.centre(),
            constants.inverse_scale(),
            functions_.view().data,
            states_.control(d),
            later_control_.view().data,
            exercise_.adds_control(),
            work_.view().data,
            sums_.view().data};
  }

  /// The mean over all paths of what they receive, discounted to today.
  double mean_payment() {
    Superaccumulator sum;
    context_.communicator.agree([&] {
      for (const double payment : payment_.to_host()) sum.add(payment);
    });
    context_.communicator.sum(sum);
    return sum.value() / static_cast<double>(blocks_ * regression_block);
  }

  const ExerciseSetup& exercise_;
  const ExerciseOptions& options_;
  const Context& context_;
  Index blocks_;
  RecordedStates states_;
  Array<double> payment_;        ///< [paths] what each path receives after the date
  Array<double> later_control_;  ///< [paths] its control variate at exercise
  Array<double> sums_, work_;
  Array<BasisFunction> functions_;
};

}  // namespace

ExercisePolicy find_policy(const Simulation& simulation, const ExerciseOptions& options,
                           double value_today, const Context& context) {
  return Regressions(simulation, options, context).find(value_today);
}

}  // namespace gsim::pricing
