#pragma once
// What the tasks of a batch need, before any of them runs.

#include <string>
#include <vector>

#include "gsim/engine/registry.hpp"
#include "src/app/batch/manifest.hpp"

namespace gsim::app {

struct TaskForecast {
  double bytes = 0;       ///< of all ranks together; NaN: unknown
  double seconds = 0;     ///< at most, with its ranks and threads; NaN: unknown
  bool uses_gpu = false;  ///< its configuration says device = "cuda"
  std::string problem;    ///< why the memory is unknown; empty: it is known
  std::string no_time;    ///< why the time is unknown
};

/// Plans the run of each task in a process of its own, as `gsim check` does, on the ranks and
/// threads of the manifest (one thread where it says none), and measures its beginning if
/// `measures_time`. Of a study of more than 16 points, 16
/// at equal distances are planned, and the others get the largest of their forecasts. The time of a
/// configuration with stages is the sum of theirs, its memory the largest of theirs. Unknown is
/// what depends on the results of other tasks, and what does not pass the check.
std::vector<TaskForecast> forecast_tasks(const Batch& batch, const Registry& registry,
                                         bool measures_time);

}  // namespace gsim::app
