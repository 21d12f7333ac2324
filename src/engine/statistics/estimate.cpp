#include "gsim/engine/estimate.hpp"

#include <cmath>

#include "gsim/engine/contributing_samples.hpp"

namespace gsim {

bool StopRule::converged(const Estimate& e) const {
  if (!has_error_target() || !std::isfinite(e.mean)) return false;
  if (e.degrees_of_freedom > 0 && e.degrees_of_freedom < min_degrees) return false;
  if (e.contributing_samples < min_contributing_samples) return false;
  const bool absolute = absolute_error <= 0 || e.standard_error <= absolute_error;
  const bool relative =
      relative_error <= 0 || e.standard_error <= relative_error * std::fabs(e.mean);
  return absolute && relative;
}

const char* to_string(StopReason reason) {
  switch (reason) {
    case StopReason::finished:
      return "finished";
    case StopReason::converged:
      return "converged";
    case StopReason::wall_time:
      return "wall_time";
    case StopReason::signal:
      return "signal";
    case StopReason::time_limit:
      return "time_limit";
  }
  return "unknown";
}

}  // namespace gsim
