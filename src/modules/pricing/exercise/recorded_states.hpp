#pragma once
// The states of paths at the exercise dates of one trade, in an executor's memory.

#include <memory>
#include <vector>

#include "gsim/engine/module.hpp"
#include "gsim/exec/array.hpp"
#include "src/modules/pricing/exercise/exercise_policy.hpp"
#include "src/modules/pricing/paths/simulation.hpp"

namespace gsim::pricing {

/// The states of the blocks `mine` of block_samples paths, of which this rank has its own; block 0
/// begins at the sample `first_sample`.
class RecordedStates {
 public:
  /// Simulates the paths of the only trade of the simulation. `with_control`: the values of
  /// ExerciseSetup::control are recorded, too. Collective; an error on any rank is thrown on all.
  RecordedStates(const Simulation& simulation, Index first_sample, IndexRange mine,
                 Index block_samples, bool with_control, const Context& context);
  /// The same of every trade of the simulation, [trade], all on the same paths, which are simulated
  /// once. Each trade has the bits that it has alone. `with_control` is for each trade.
  static std::vector<RecordedStates> of_trades(const Simulation& simulation, Index first_sample,
                                               IndexRange mine, Index block_samples,
                                               const std::vector<bool>& with_control,
                                               const Context& context);

  Index paths() const { return paths_; }       ///< of this rank
  Index first_path() const { return first_; }  ///< number of this rank's first path
  Index dates() const { return dates_; }
  /// The time in seconds in which this rank simulated the paths.
  double seconds() const { return seconds_; }
  /// [paths] discounted values of exercise at a date.
  const double* value(Index date) const { return values_.view().data + date * paths_; }
  /// [variables][paths] at a date.
  const double* variable(Index date) const {
    return states_.view().data + date * variables_ * paths_;
  }
  /// [paths] control variates at a date; null without them.
  const double* control(Index date) const {
    return controls_.size() > 0 ? controls_.view().data + date * paths_ : nullptr;
  }
  /// [date][path] all control variates; empty without `with_control`.
  std::vector<double> controls_to_host() const { return controls_.to_host(); }
  /// [path] the control variates at a date; empty without `with_control`.
  std::vector<double> controls_to_host(Index date) const;
  /// [date][variable][path] all variables.
  std::vector<double> variables_to_host() const { return states_.to_host(); }
  /// [variable][path] the variables at a date.
  std::vector<double> variables_to_host(Index date) const;
  /// [date][path] all values.
  std::vector<double> values_to_host() const { return values_.to_host(); }
  /// [path] the values at a date.
  std::vector<double> values_to_host(Index date) const;
  /// The first date at which a value on a path of any rank is neither a finite number nor minus
  /// infinity, which stands for no right to exercise; -1: none. Collective.
  Index first_not_finite(const Communicator& communicator) const;
  /// Replaces the values at a date by `values`, [path] in the executor's memory, and where they are
  /// a variable that, too.
  void replace_values(Index date, const double* values);
  /// Replaces the first variable by the values of other states at the same dates.
  void replace_first_variable(const RecordedStates& from);

 private:
  RecordedStates(const ExerciseSetup& exercise, IndexRange blocks, Index block_samples,
                 const Executor& executor);
  /// The set-up whose states are recorded here, in memory that is allocated.
  std::shared_ptr<const ExerciseSetup> recording(const ExerciseSetup& exercise, Index first_sample,
                                                 bool with_control);

  Index paths_ = 0, first_ = 0, dates_ = 0, variables_ = 0;
  double seconds_ = 0;
  bool has_value_variable_ = false;  ///< RegressionVariables::has_exercise_value
  Array<double> values_, states_, controls_;
};

}  // namespace gsim::pricing
