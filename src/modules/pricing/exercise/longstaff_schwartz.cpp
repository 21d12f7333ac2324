#include "src/modules/pricing/exercise/longstaff_schwartz.hpp"

#include <cmath>
#include <vector>

#include "gsim/core/superaccumulator.hpp"
#include "gsim/exec/array.hpp"
#include "gsim/exec/launch_graph.hpp"
#include "src/modules/pricing/exercise/policy_fit.hpp"
#include "src/modules/pricing/exercise/regression_sequence.hpp"
#include "src/modules/pricing/exercise/state_regression.hpp"

namespace gsim::pricing {
namespace {

/// The regressions of one trade.
class Regressions {
 public:
  Regressions(const Simulation& simulation, const ExerciseOptions& options, const Context& context,
              WorkShares& shares)
      : exercise_(*simulation.trades.front().exercise),
        context_(context),
        blocks_((options.paths + regression_block - 1) / regression_block),
        states_(
            simulation, first_regression_sample,
            shares.divide(context.communicator, {0, blocks_}).range(context.communicator.rank()),
            regression_block, has_control(), context),
        regression_(exercise_, states_, context),
        payment_(context.executor, 0),
        later_control_(context.executor, 0) {
    const auto steps = static_cast<Index>(simulation.grid.record_of_step.size());
    shares.measure(context.communicator, states_.paths() * steps, states_.seconds());
    // Where there is no right to exercise, a path takes no part in a regression.
    const bool has_rights = simulation.trades.front().payoff == PayoffFormula::launched;
    paths_ = paths_of_policy(options, exercise_, has_rights);
    if (exercise_.may_pay_less_than_nothing && !regression_.has_value_below_zero())
      exercise_.threshold = 0;
  }

  ExercisePolicy find(double value_today, const std::vector<double>& dates) {
    ExercisePolicy policy;
    policy.threshold = exercise_.threshold;
    const Index last = states_.dates() - 1;
    policy.dates.resize(static_cast<std::size_t>(last));
    const Index failed = states_.first_not_finite(context_.communicator);
    if (failed >= 0) {
      policy.failed_at = dates[static_cast<std::size_t>(failed)];
      return policy;
    }
    context_.communicator.agree([&] {
      start_at(payment_, states_.value(last));
      if (has_control()) start_at(later_control_, states_.control(last));
    });
    Index d = last - 1;
    if (runs_in_sequence() && d >= 0)
      d = fit_dates_in_sequence(exercise_, states_, regression_, paths_,
                                {payment_.view().data, later_control_.view().data}, d, context_,
                                policy.dates);
    for (; d >= 0; --d) policy.dates[static_cast<std::size_t>(d)] = fit(d);
    if (std::isnan(value_today)) return policy;
    policy.value_today = value_today;
    policy.exercised_today = value_today > exercise_.threshold && value_today >= mean_payment();
    return policy;
  }

 private:
  /// Whether the device that has all paths can go from date to date by itself.
  bool runs_in_sequence() const {
    return context_.executor.is_cuda() && context_.communicator.size() == 1 && exercise_.side == 0;
  }
  bool has_control() const { return exercise_.control.kind != ExerciseControl::none; }

  /// Copies the values of all paths at the last date.
  void start_at(Array<double>& to, const double* from) const {
    to.resize_uninitialised(states_.paths());
    if (states_.paths() > 0)
      copy_on_executor(context_.executor, to.view().data, from,
                       static_cast<std::size_t>(states_.paths()) * sizeof(double));
  }

  DatePolicy fit(Index d) {
    return fit_exercise_date(
        exercise_, states_, regression_, d, paths_,
        {payment_.view().data, has_control() ? later_control_.view().data : nullptr}, context_);
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

  ExerciseSetup exercise_;  ///< with the threshold of the policy
  const Context& context_;
  Index blocks_;
  RecordedStates states_;
  RegressionPaths paths_ = RegressionPaths::in_the_money;
  StateRegression regression_;
  Array<double> payment_;        ///< [paths] what each path receives after the date
  Array<double> later_control_;  ///< [paths] its control variate at exercise
};

}  // namespace

ExercisePolicy find_policy(const Simulation& simulation, const ExerciseOptions& options,
                           const std::vector<double>& dates, double value_today,
                           const Context& context, WorkShares& shares) {
  return Regressions(simulation, options, context, shares).find(value_today, dates);
}

}  // namespace gsim::pricing
