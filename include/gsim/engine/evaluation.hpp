#pragma once
// The result of an evaluation of error targets: which estimates meet their targets, and which one
// misses its target by the largest factor.

#include <string>

#include "gsim/core/types.hpp"
#include "gsim/engine/estimate.hpp"

namespace gsim {

/// The error of one estimate, compared with its target.
struct JudgedError {
  std::string name;  ///< the estimate's
  double error = 0;  ///< standard error, infinite where it is unknown
  bool is_relative =
      true;           ///< whether `error` is a fraction of |mean|, else in the estimate's unit
  double excess = 0;  ///< error over target; without a target the relative error
  bool is_converged = false;  ///< whether every target is met
};

/// The state of all error targets. A module adds every estimate that has a target, or sets the
/// first three members itself.
struct Evaluation {
  bool all_converged = false;
  /// Largest errors of the estimates that have not converged; infinite where one is unknown.
  double worst_relative_error = 0;
  double worst_absolute_error = 0;
  Index judged = 0;     ///< estimates with a target
  Index converged = 0;  ///< estimates that meet their target
  /// The unconverged estimate with the largest excess (the first of several), or, where all have
  /// converged, the converged one with the largest excess. Its name is empty where nothing was
  /// added.
  JudgedError worst = {};

  /// Adds `e`, whose member `converged` has been set.
  void add(const Estimate& e, const StopRule& stop);
  /// Adds a value with its own targets, `targets.relative_error` and `targets.absolute_error`.
  /// `relative` and `absolute` are its errors, NaN or infinite where they are unknown.
  void add(const std::string& name, double relative, double absolute, const StopRule& targets,
           bool is_converged);
};

}  // namespace gsim
