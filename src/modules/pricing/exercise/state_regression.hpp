#pragma once
// Regressions of what paths pay later on their recorded states at a date.

#include <vector>

#include "gsim/engine/module.hpp"
#include "gsim/exec/array.hpp"
#include "kernels/pricing/exercise/regression_job.hpp"
#include "src/modules/pricing/exercise/exercise_policy.hpp"
#include "src/modules/pricing/exercise/recorded_states.hpp"

namespace gsim::pricing {

/// The paths that take part in a regression: all, those with a value of exercise at the date above
/// ExerciseSetup::threshold, or those with a positive number in RegressionTarget::mask.
enum class RegressionPaths { all, in_the_money, masked };

/// What a regression fits on the paths of RecordedStates, in the executor's memory.
struct RegressionTarget {
  const double* payment;        ///< [paths] discounted to today
  const double* later_control;  ///< [paths] the control variates at the payments; null: none
  RegressionPaths paths = RegressionPaths::all;
  const double* mask = nullptr;  ///< [paths], of RegressionPaths::masked
  /// Whether the change of a control that is not added is a function (NormalEquationsJob).
  bool has_change = true;
};

/// Fits, at one date after another, the conditional expectation of the payments of paths by the
/// functions of ExerciseSetup. Sums over paths are exact, and hence the same on any number of
/// ranks.
class StateRegression {
 public:
  /// `states` and `exercise` must outlive this object. Collective.
  StateRegression(const ExerciseSetup& exercise, const RecordedStates& states,
                  const Context& context);

  /// The fit at date d: centres, scales and coefficients, these of functions up to the largest
  /// degree, at most `most_degree`, for which there are ten paths for each function, and none if
  /// there are too few. Collective.
  DatePolicy fit(Index d, const RegressionTarget& target, Index most_degree = max_degree);

  /// Centres and scales of the variables of the paths that take part at date d, and the number of
  /// functions that there are enough paths for; 0: none. Collective.
  struct Normalised {
    DatePolicy policy;
    Index functions;
  };
  Normalised normalise(Index d, const RegressionTarget& target);
  /// Writes the sums of the normal equations of `functions` functions of this rank's blocks, which
  /// has paths, to sums(). Centres and inverse scales are in the executor's memory.
  void add_normal_equations(Index d, Index functions, const double* centre,
                            const double* inverse_scale, const RegressionTarget& target);
  /// The number n of functions of the normal equations for `functions` functions: with the change
  /// of the control variate, where that is one of them (NormalEquationsJob).
  Index equations(Index functions, bool has_change = true) const;
  const double* sums() const { return sums_.view().data; }

  /// Whether exercise pays less than nothing on a path, or the payoff at the maturity does.
  /// Collective.
  bool has_value_below_zero();

  /// The functions in the executor's memory.
  const BasisFunction* functions() const { return functions_.view().data; }

 private:
  Index variables() const { return exercise_.variables.count(); }
  /// The sums of MomentsJob over all paths at a date.
  std::vector<double> moments(Index d, const RegressionTarget& target);
  /// The same, [dates][1 + 2 variables], of `dates` dates from `first` on. Unless all paths take
  /// part, those with a number above `threshold` in `mask`, [dates][paths], do.
  std::vector<double> moments(Index first, Index dates, bool all_paths, const double* mask,
                              double threshold);
  /// The number of functions of the largest degree for which there are enough paths; 0: none.
  Index affordable_functions(double paths) const;
  /// The sums of `count` numbers per block over all blocks of all ranks, for each of `dates` dates.
  template <class Launch>
  std::vector<double> total(Index dates, Index count, const Launch& launch_sums);

  const ExerciseSetup& exercise_;
  const RecordedStates& states_;
  const Context& context_;
  Array<double> sums_, work_;
  /// moments() of all dates, of all paths and of those with a positive value of exercise; empty
  /// until they are needed.
  std::vector<double> moments_, moments_in_the_money_;
  Array<BasisFunction> functions_;
};

}  // namespace gsim::pricing
