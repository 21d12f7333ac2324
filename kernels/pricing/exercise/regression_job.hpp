#pragma once
// The regressions of early exercise and of exposures (kernels/pricing/exercise/regression.cu): sums
// over recorded paths, fitted values, and decisions by a policy. Paths are in blocks of fixed size,
// whose sums have a fixed order: path p of a block is added to lane p mod 16, and the lanes are
// added in a fixed tree.

#include "gsim/exec/launch.hpp"
#include "kernels/pricing/exercise/exercise_job.hpp"

namespace gsim::pricing {

/// Paths of a block, and lanes of its sums.
inline constexpr Index regression_block = 4096, regression_lanes = 16;

/// Sums from which the variables of exercise dates are normalised: for each date the number of
/// paths that take part in the regression, then the sum of each variable, then the sums of their
/// squares.
struct MomentsJob {
  const double* value;     ///< [date][paths]
  const double* variable;  ///< [date][variables][paths]
  Index dates;
  Index paths;  ///< a multiple of regression_block
  std::int32_t variables;
  bool above_threshold;  ///< only paths with a value of exercise above the threshold take part
  double threshold;      ///< as in ExerciseTable
  double* sums;          ///< [date][block][1 + 2 variables], to be filled

  /// The number of sums of a block at a date.
  GSIM_HD Index count() const { return 1 + 2 * variables; }
};

/// The normal equations of one date: the sums of phi_i phi_j for j <= i, row by row, then those of
/// phi_i y, with the functions phi and the payments y of the paths. A control variate takes noise
/// from the payments in one of two ways. With `adds_control` the regression is on what the payment
/// exceeds the control at exercise by, and the value of continuation is the control at the date
/// plus the fit: for controls that are themselves close to that value. Otherwise the change of the
/// control from the date to the exercise is the last function; its expectation at the date is 0, so
/// that it does not change the value of continuation.
struct NormalEquationsJob {
  const double* value;
  const double* variable;
  const double* payment;  ///< [paths] what the path pays after the date, discounted to today
  Index paths;
  std::int32_t variables, functions, degree;
  bool above_threshold;
  double threshold;
  const double *centre, *inverse_scale;  ///< [variables]
  const BasisFunction* function;
  const double *control, *later_control;  ///< [paths] at the date and at exercise, or null
  bool adds_control;
  double* work;  ///< CUDA: [n + 1][paths]
  double* sums;  ///< [block][n (n + 3) / 2], to be filled

  /// Whether the change of the control variate is a function.
  GSIM_HD bool has_change() const { return control != nullptr && !adds_control; }
  /// The number n of all functions.
  GSIM_HD std::int32_t count() const { return functions + (has_change() ? 1 : 0); }
};

/// Whether each path is exercised at a date.
struct DecisionJob {
  const double* value;
  const double* variable;
  Index paths;  ///< a multiple of regression_lanes
  std::int32_t variables, functions, degree;
  const double *centre, *inverse_scale, *coefficient;
  const BasisFunction* function;
  double threshold;  ///< as in ExerciseTable
  double boundary;   ///< as in ExerciseDate
  std::int32_t side;
  double* payment;        ///< [paths] replaced by the value of exercise where exercised; or null
  const double* control;  ///< [paths] the control variate at the date; or null
  bool adds_control;      ///< as in NormalEquationsJob
  double* later_control;  ///< [paths] replaced by it where exercised; or null
  double* exercised;      ///< [paths] 1 or 0, to be filled; or null
  const std::int32_t* stopped;  ///< SolveJob::stopped; or null
};

/// Pivots below this are those of nearly dependent functions.
inline constexpr double smallest_pivot = 1e-10;

/// Regressions at one date after another in the executor's memory: the coefficients that follow
/// from the sums of NormalEquationsJob. Where the sums need the exact arithmetic of
/// Superaccumulator, or a pivot is below smallest_pivot, `stopped` becomes `date`; from then on
/// neither this job nor DecisionJob does anything.
struct SolveJob {
  const double* sums;      ///< [block][n (n + 3) / 2]
  Index blocks;            ///< at most 2^16
  std::int32_t count;      ///< n
  std::int32_t functions;  ///< of which coefficients are wanted, at most n
  double* coefficient;     ///< [functions], to be filled
  std::int32_t date;       ///< at least 0
  std::int32_t* stopped;   ///< -1: not stopped
};

/// The conditional expectation that a regression gives for each path at a date.
struct FittedValuesJob {
  const double* variable;
  Index paths;  ///< a multiple of regression_lanes
  std::int32_t variables, functions, degree;
  const double *centre, *inverse_scale, *coefficient;
  const BasisFunction* function;
  const double* control;  ///< [paths] added to the values; or null
  double* fitted;         ///< [paths], to be filled
};

/// Finds the first recorded value of exercise that is neither a finite number nor minus infinity,
/// which stands for no right to exercise.
struct NotFiniteJob {
  const double* value;  ///< [date][paths]
  Index count;          ///< of all values
  Index* first;         ///< index of the value, or -1, in host memory
};

}  // namespace gsim::pricing

GSIM_DECLARE_LAUNCHER(regression_first_not_finite, pricing::NotFiniteJob)
GSIM_DECLARE_LAUNCHER(regression_moments, pricing::MomentsJob)
GSIM_DECLARE_LAUNCHER(regression_normal_equations, pricing::NormalEquationsJob)
GSIM_DECLARE_LAUNCHER(regression_solution, pricing::SolveJob)
GSIM_DECLARE_LAUNCHER(regression_decisions, pricing::DecisionJob)
GSIM_DECLARE_LAUNCHER(regression_fitted_values, pricing::FittedValuesJob)
