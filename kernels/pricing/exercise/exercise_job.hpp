#pragma once
// Options that may be exercised before their maturity, in the form that kernels read: plain data in
// the executor's memory. A policy exercises a path at the first exercise date at which the value of
// exercise is above a threshold and at least the estimated value of continuation, which is a
// polynomial in a few variables of the path's state (Longstaff and Schwartz 2001, "Valuing American
// options by simulation: a simple least-squares approach", Review of Financial Studies 14, 113).

#include <cstdint>

#include "gsim/core/types.hpp"
#include "gsim/exec/launch.hpp"
#include "gsim/pricing/path_model.hpp"
#include "gsim/pricing/payoff_job.hpp"
#include "kernels/pricing/payoffs/payoff_view.hpp"

namespace gsim::pricing {

/// Largest numbers of variables and of functions of a regression, and its largest degree.
inline constexpr int max_variables = 8, max_functions = 64, max_degree = 8;

/// A number below all values of exercise, which are at most 1e30 in absolute value. Where the
/// holder has no right to exercise, the value of exercise is minus infinity.
inline constexpr double below_all_values = -1e37;

/// How the weighted spots w_i S_i of a trade's assets become variables.
enum class SpotVariables : std::int32_t {
  none,
  in_order,  ///< those of the first assets of the trade
  largest,   ///< the largest ones, in descending order
  smallest   ///< the smallest ones, in ascending order
};

/// The variables of a regression: weighted spots, then instantaneous variances, then the value of
/// exercise.
template <class T>
struct VariableView {
  SpotVariables kind;
  std::int32_t spots;            ///< number of weighted spots among the variables
  std::int32_t assets;           ///< number of the trade's assets
  const std::int32_t* asset;     ///< [assets]
  const T* weight;               ///< [assets]
  std::int32_t variances;        ///< number of instantaneous variances among the variables
  const std::int32_t* variance;  ///< [variances] their assets
  bool has_exercise_value;       ///< whether the discounted value of exercise is a variable
  std::int32_t count;            ///< number of all variables
};

/// Control variates that are observed at exercise.
enum class ExerciseControl : std::int32_t {
  none,
  spots,   ///< the forwards of the assets for the maturity
  vanilla  ///< European calls or puts on the assets, all lognormal
};

/// The sum over assets of weight_i times the forward for the maturity, or the undiscounted value of
/// the option on it, at the date of exercise. Weights contain the discount factor of the maturity.
template <class T>
struct ControlView {
  ExerciseControl kind;
  std::int32_t assets;
  const std::int32_t* asset;  ///< [assets]
  const T* weight;            ///< [assets]
  const T* growth;            ///< [date][assets] forward for the maturity divided by the spot
  const T* strike;            ///< [assets]
  const T* sd;                ///< [date][assets] of the logarithm, from the date to the maturity
  T sign;                     ///< 1 for calls, -1 for puts
};

/// The functions of a regression: products of Hermite polynomials He_n of the normalised variables,
/// in the order of their total degrees; function 0 is 1. Function f > 0 is function `factor`
/// multiplied by He_degree of variable `variable`.
struct BasisFunction {
  std::int32_t factor, variable, degree;
};

/// One exercise date.
template <class T>
struct ExerciseDate {
  PayoffView<T> payoff;  ///< the value of exercise
  /// The discount factor of the date with which the policy compares values.
  double decision_discount;
  std::int32_t record;     ///< index of the date in the tile
  std::int32_t functions;  ///< number of functions of the regression; 0: never exercised
  /// [variables] A variable x is normalised to (x - centre) inverse_scale.
  const T *centre, *inverse_scale;
  const T* coefficient;  ///< [functions] of the value of continuation, discounted to today
  /// Where the only variable is a spot: the trade is exercised at this value and above it (side 1)
  /// or below it (side -1), in place of a comparison with the value of continuation. Side 0: none.
  T boundary;
  std::int32_t side;
};

/// A trade with early exercise, in the executor's memory. Its last exercise date is the maturity.
template <class T>
struct ExerciseTable {
  std::int32_t dates, degree;
  /// A path is exercised before the last date only where the value of exercise is above this
  /// number: 0 or, if exercise may pay less than nothing, below_all_values.
  T threshold;
  bool exercised_today;  ///< every sample is value_today
  double value_today;
  const ExerciseDate<T>* date;  ///< [dates]
  VariableView<T> variables;
  ControlView<T> control;
  /// The control that is added to the regression for the value of continuation; its kind is none if
  /// none is. It is that of the market in which the policy was found, as decision_discount is: in a
  /// bumped market the same states are exercised.
  ControlView<T> decision_control;
  const BasisFunction* function;  ///< [largest number of functions of a date]
};

/// Where the states of paths at exercise dates are recorded for a regression. Path p is the one of
/// sample first_sample + p.
struct RecordedPaths {
  double* value;     ///< [date][path] discounted values of exercise; null: nothing is recorded
  double* variable;  ///< [date][variable][path]
  double* control;   ///< [date][path] the control variate; null: not recorded
  Index paths, first_sample;
};

/// The values of exercise at one date of a payoff that has launchers of its own, of which the job
/// lacks the tile and the samples.
template <class T>
struct LaunchedValue {
  /// Null: no path is exercised at the date, so that the values are not needed.
  void (*sample)(const Executor&, const PayoffJob<T>&);
  PayoffJob<T> job;
};

/// One of several trades, in one or several markets, that a CUDA device exercises in one launch on
/// the same tile.
template <class T>
struct ExerciseTarget {
  const ExerciseTable<T>* table;
  const AssetRows* asset;  ///< the rows of the trade's market
  Index at;                ///< of its samples in those of the job
  bool samples_control;
};

/// The samples of one trade with early exercise over a tile of paths, or on CUDA of several.
template <class T>
struct ExerciseJob {
  const ExerciseTable<T>* table;  ///< one trade
  std::int32_t dates;             ///< as in its table
  bool exercised_today;           ///< as in its table
  /// Whether all trades are vanilla: at every date the holder receives a call or a put on a
  /// combination, not geometric, of spots at that date, the policy compares it with a boundary or
  /// with a polynomial of at most the second degree in spots in the order of the assets and in
  /// variances, without a control, and the control variates of the samples are forwards. May be
  /// false where it is so.
  bool is_vanilla;
  /// [targets] several trades, whose payoffs have no launchers, or null. Nothing is recorded then.
  const ExerciseTarget<T>* target;
  Index targets;
  /// [dates] in host memory: the values of exercise of a payoff that has launchers. Null: those of
  /// ExerciseDate::payoff.
  const LaunchedValue<T>* launched;
  RecordedPaths recorded;  ///< if set, paths are recorded and samples are 0
  BranchTable branches;    ///< nested: paths are exercised after the date of their branch
  Tile<T> tile;
  Index first_sample;  ///< number in the run of the tile's first sample
  Index samples;
  Index antithetic_offset;  ///< as in PayoffJob
  T* values;                ///< [4 * paths of the tile] work space on a CPU, and with `launched`
  double* sample;           ///< [samples], to be filled; from ExerciseTarget::at on
  double* control_sample;   ///< [samples], to be filled; null: no control variate
};

}  // namespace gsim::pricing

GSIM_DECLARE_LAUNCHER(exercise_f64_strict, pricing::ExerciseJob<double>)
GSIM_DECLARE_LAUNCHER(exercise_f64_fast, pricing::ExerciseJob<double>)
GSIM_DECLARE_LAUNCHER(exercise_f32_strict, pricing::ExerciseJob<float>)
GSIM_DECLARE_LAUNCHER(exercise_f32_fast, pricing::ExerciseJob<float>)
