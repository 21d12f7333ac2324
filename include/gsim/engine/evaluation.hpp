#pragma once
// What a module finds at an evaluation point: which estimates meet their error targets, and which
// is the farthest from its own.

#include <string>

#include "gsim/core/types.hpp"
#include "gsim/engine/estimate.hpp"

namespace gsim {

/// An estimate's error, the one that misses its target by the largest factor.
struct JudgedError {
  std::string name;  ///< the estimate's
  double error = 0;  ///< standard error, infinite where it is unknown
  bool is_relative =
      true;           ///< whether `error` is a fraction of |mean|, else in the estimate's unit
  double excess = 0;  ///< error over target; without a target the relative error
  bool is_converged = false;  ///< whether every target is met
};

/// The state of all error targets. A module adds every estimate that they are set for; a module
/// that adds none can fill the first three members itself.
struct Evaluation {
  bool all_converged = false;
  /// Of the estimates that have not converged; infinite where one is unknown.
  double worst_relative_error = 0;
  double worst_absolute_error = 0;
  Index judged = 0;     ///< estimates with a target
  Index converged = 0;  ///< those of them that meet it
  /// Of the unconverged estimates the one with the largest excess, the first one of several; of the
  /// converged ones where all have converged. Without a name where nothing was added.
  JudgedError worst = {};

  /// Counts `e`, whose member `converged` has been set.
  void add(const Estimate& e, const StopRule& stop);
  /// Counts what has targets of its own, `targets.relative_error` and `targets.absolute_error`.
  /// `relative` and `absolute` are its errors, NaN or infinite where they are unknown.
  void add(const std::string& name, double relative, double absolute, const StopRule& targets,
           bool is_converged);
};

}  // namespace gsim
