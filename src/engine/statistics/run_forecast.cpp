#include "gsim/engine/run_forecast.hpp"

#include <algorithm>
#include <cmath>

namespace gsim {

double units_to_targets(const StopRule& stop, const Evaluation& evaluation, Index evaluated_at,
                        Index done, Index total) {
  const auto least = static_cast<double>(done), most = static_cast<double>(total);
  const bool is_relative = stop.relative_error > 0 || stop.absolute_error <= 0;
  const double worst =
      is_relative ? evaluation.worst_relative_error : evaluation.worst_absolute_error;
  const double goal = is_relative ? stop.relative_error : stop.absolute_error;
  if (!(goal > 0 && worst > 0 && std::isfinite(worst))) return most;
  const double ratio = worst / goal;
  return std::clamp(static_cast<double>(evaluated_at) * ratio * ratio, std::min(least, most), most);
}

}  // namespace gsim
