#pragma once
// Forecasts the time of a run from a short measured part of it.

#include <limits>
#include <string>

#include "gsim/core/json.hpp"
#include "gsim/engine/module.hpp"

namespace gsim::app {

/// A measured part of a run on one rank: its first units of work. All times are wall-clock seconds.
/// Plain data, which a process sends to another one as bytes.
struct PilotMeasurement {
  double start_seconds = 0;  ///< from the start of the program to the first unit
  double end_seconds = 0;    ///< of writing results and a checkpoint
  Index done = 0;            ///< units
  double seconds = 0;        ///< of the units, and of the evaluations of targets among them
  bool is_whole = false;     ///< whether the run ended within the measurement
  /// The part after the first quarter of the time, in which caches fill and lists are built; of a
  /// single slice of work the whole.
  Index warm_units = 0;
  double warm_seconds = 0;
  Index slices = 0;   ///< in the warm part
  double spread = 0;  ///< standard deviation of the seconds per unit of its slices over their mean
  /// Evaluations of targets after the measured part, and the mean time of one.
  double evaluations_left = 0, evaluation_seconds = 0;
  /// Units after which the error targets are met, by the errors so far; the plan's total without.
  double units_to_targets = 0;
  int threads = 1;
  bool is_on_gpu = false;
  double device_bytes = 0;   ///< the most memory of the GPU that was allocated at a time
  double planned_bytes = 0;  ///< WorkPlan::bytes_per_rank of the measured rank
};

/// The time of a run, in seconds.
struct TimeForecast {
  double seconds = 0;             ///< of a run to its last unit, or to stop.wall_time
  double factor = 2;              ///< by which the forecast may be wrong in both directions
  double seconds_to_targets = 0;  ///< until the error targets are met; `seconds` without targets
  double core_hours = 0, gpu_hours = 0;  ///< for `seconds`, on all ranks
};

/// The forecast for `ranks` ranks that are like the measured one and share the work evenly, without
/// the time for messages.
TimeForecast forecast_time(const PilotMeasurement& pilot, const WorkPlan& plan,
                           const StopRule& stop, int ranks);

/// "12 s (within a factor of 1.3) on 2 threads, 0.0067 core-h; measured 1024 of 100000 blocks in
/// 0.31 s".
std::string forecast_text(const TimeForecast& forecast, const PilotMeasurement& pilot,
                          const WorkPlan& plan, int ranks);

Json forecast_json(const TimeForecast& forecast, const PilotMeasurement& pilot);

}  // namespace gsim::app
