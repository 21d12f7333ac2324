#pragma once
// The states of paths at the exercise dates of one trade, in an executor's memory.

#include "gsim/engine/module.hpp"
#include "gsim/exec/array.hpp"
#include "src/modules/pricing/exercise/exercise_policy.hpp"
#include "src/modules/pricing/paths/simulation.hpp"

namespace gsim::pricing {

/// The states of this rank's part of `blocks` blocks of block_samples paths, the first of which is
/// the one of sample `first_sample`.
class RecordedStates {
 public:
  /// Simulates the paths of the only trade of the simulation. `with_control`: the values of
  /// ExerciseSetup::control are recorded, too. Collective; an error on any rank is thrown on all.
  RecordedStates(const Simulation& simulation, Index first_sample, Index blocks,
                 Index block_samples, bool with_control, const Context& context);

  Index paths() const { return paths_; }       ///< of this rank
  Index first_path() const { return first_; }  ///< number of this rank's first path
  Index dates() const { return dates_; }
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
  /// Replaces the values at all dates, [date][path], and where they are a variable that, too.
  void replace_values(const std::vector<double>& values);

 private:
  Index paths_ = 0, first_ = 0, dates_ = 0, variables_ = 0;
  bool has_value_variable_ = false;  ///< RegressionVariables::has_exercise_value
  Array<double> values_, states_, controls_;
};

}  // namespace gsim::pricing
