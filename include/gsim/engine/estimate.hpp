#pragma once
// The estimates of a run (a mean, its standard error and the number of samples), error targets, and
// the evaluation of the targets.

#include <limits>
#include <string>

#include "gsim/core/types.hpp"

namespace gsim {

struct Estimate {
  std::string name;
  double mean = 0;
  double standard_error = std::numeric_limits<double>::infinity();
  Index count = 0;  ///< number of samples
  std::string unit = {};
  bool converged = false;  ///< by the stop rule's error targets, at the last evaluation
  /// Degrees of freedom of the standard error (replicates less one); 0: practically infinitely
  /// many.
  Index degrees_of_freedom = 0;
  std::string remark = {};  ///< a warning that belongs to the number, or empty
  bool is_judged = true;    ///< whether the stop rule's targets apply to this estimate
  /// Effective number of samples that contribute (engine/contributing_samples.hpp); infinite where
  /// it is unknown or large.
  double contributing_samples = std::numeric_limits<double>::infinity();
};

/// Smallest number of degrees of freedom of a standard error that can meet an error target: with 9
/// of them the relative uncertainty of the error is 24 %.
inline constexpr Index min_degrees = 9;

/// When a run ends: by the first of these conditions that is met. Errors are evaluated at fixed
/// points that the module declares, so a stop by samples or error does not depend on the number of
/// ranks or the speed. A stop by wall time depends on both, and is reported as a stop by wall time.
struct StopRule {
  /// Largest number of samples, 0: no limit. The module converts it to WorkPlan::total_units, since
  /// the number of samples in a unit depends on the module.
  Index max_samples = 0;
  double wall_time = 0;       ///< seconds, 0: none
  double absolute_error = 0;  ///< target standard error in the estimate's unit, 0: none
  double relative_error = 0;  ///< target of standard error / |mean|, 0: none
  /// Whether a run that ends with an estimate that misses its target, or with skipped input,
  /// returns exit code 3.
  bool require_converged = false;

  bool has_error_target() const { return absolute_error > 0 || relative_error > 0; }
  /// Whether an estimate meets every error target that is set (false when none is). Uncertain
  /// errors meet no target: those of 1 to 8 degrees of freedom, and those with fewer than ten
  /// contributing samples.
  bool converged(const Estimate& e) const;
};

/// Why a run ended. `signal` and `time_limit` leave a checkpoint and no results; `wall_time` leaves
/// results, which another run would not reproduce bit for bit, or a checkpoint alone where not
/// every estimate had samples and an error yet.
enum class StopReason { finished, converged, wall_time, signal, time_limit };
const char* to_string(StopReason reason);

/// The error of one estimate, compared with its target.
struct JudgedError {
  std::string name;  ///< name of the estimate
  double error = 0;  ///< standard error, infinite where it is unknown
  bool is_relative =
      true;           ///< whether `error` is a fraction of |mean|, else in the estimate's unit
  double excess = 0;  ///< error divided by target; without a target the relative error
  bool is_converged = false;  ///< whether every target is met
};

/// The state of all error targets. A module adds every estimate that has a target, or sets the
/// first three members itself.
struct Evaluation {
  bool all_converged = false;
  /// Largest errors of the estimates that have not converged; infinite where one is unknown.
  double worst_relative_error = 0;
  double worst_absolute_error = 0;
  Index judged = 0;     ///< number of estimates with a target
  Index converged = 0;  ///< number of estimates that meet their targets
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
