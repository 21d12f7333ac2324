#pragma once
// What a run finds out: a number, its standard error, and how many samples stand behind it.

#include <limits>
#include <string>

#include "gsim/core/types.hpp"

namespace gsim {

struct Estimate {
  std::string name;
  double mean = 0;
  double standard_error = std::numeric_limits<double>::infinity();
  Index count = 0;  ///< samples behind the mean
  std::string unit = {};
  bool converged = false;  ///< by the stop rule's error targets, at the last evaluation
  /// Degrees of freedom of the standard error (replicates less one); 0: as good as infinitely many.
  Index degrees = 0;
  std::string remark = {};  ///< what the number must not be read without, or empty
  bool is_judged = true;    ///< whether targets of the stop rule are for this estimate
  /// Effective number of samples that contribute (engine/contributing_samples.hpp); infinite where
  /// it is not known, or large.
  double contributing_samples = std::numeric_limits<double>::infinity();
};

/// Least degrees of freedom of a standard error that can meet an error target: with 9 of them it is
/// itself known to 24 %.
inline constexpr Index fewest_degrees = 9;

/// When a run has done enough: whichever comes first. Errors are judged at the fixed points that
/// the module declares, so a stop by samples or error never depends on ranks or speed; a stop by
/// wall time does, and is reported as such.
struct StopRule {
  /// 0: no limit of the user's. Only the module knows how many samples a unit holds, so it is the
  /// module that ends its WorkPlan::total_units here.
  Index max_samples = 0;
  double wall_time = 0;       ///< seconds, 0: none
  double absolute_error = 0;  ///< target standard error in the estimate's unit, 0: none
  double relative_error = 0;  ///< target of standard error / |mean|, 0: none
  /// A run that ends with an estimate that misses its target, or with skipped input, gets an exit
  /// code of its own.
  bool require_converged = false;

  bool has_error_target() const { return absolute_error > 0 || relative_error > 0; }
  /// Whether an estimate meets every error target that is set (false when none is). Errors that
  /// are hardly known meet none: those of 1 to 8 degrees of freedom, and those that rest on fewer
  /// than ten contributing samples.
  bool converged(const Estimate& e) const;
};

/// Why a run ended. `signal` and `time_limit` leave a checkpoint and no results; after `wall_time`
/// there are results, which another run would not repeat to the bit, unless it came before every
/// estimate had samples and an error: then a checkpoint alone.
enum class StopReason { finished, converged, wall_time, signal, time_limit };
const char* to_string(StopReason reason);

}  // namespace gsim
