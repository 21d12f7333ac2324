#pragma once
// Measures the first part of a run, in a process of its own that leaves nothing behind.

#include <optional>
#include <string>

#include "src/app/forecast/time_forecast.hpp"
#include "src/app/input/configuration.hpp"

namespace gsim::app {

/// A measurement, or why there is none.
struct PilotOutcome {
  std::optional<PilotMeasurement> measurement;
  std::string reason;  ///< a clause: "its memory is more than half of this machine's"
};

/// Runs the configuration from its beginning for about `seconds` on one rank with its threads, or
/// its GPU, in a copy of this process, which must have no threads, no MPI and no CUDA context in
/// use. Its files go to a temporary folder, which is removed, also when a signal
/// ends this process. The measurement is given up after ten
/// times `seconds`, and not begun where the memory forecast is more than half of the memory that is
/// free. Errors of the configuration are not reported: the caller plans the run, too.
PilotOutcome measure_pilot(const Session& session, const Configuration& configuration,
                           double seconds);

/// The processor that a run on this machine would use; without a GPU a host, so that
/// configurations for other machines can be checked.
Executor planned_executor(const Session& session, const RunOptions& options);

}  // namespace gsim::app
