#pragma once
// What a run needs, before it starts.

#include <optional>

#include "gsim/engine/module.hpp"
#include "src/app/app.hpp"
#include "src/app/forecast/pilot.hpp"
#include "src/app/forecast/time_forecast.hpp"
#include "src/app/input/configuration.hpp"

namespace gsim::app {

struct RunForecast {
  RunOptions options;
  Context context;  ///< of the processor that a run on this machine would use
  WorkPlan plan;
  PilotOutcome pilot;
  std::optional<TimeForecast> time;  ///< where the pilot has a measurement
  /// Bytes that a rank allocates on its GPU, where the pilot has measured them.
  std::optional<double> device_bytes;
};

/// Plans the run of a configuration on Arguments::ranks ranks (0: those of this launch), and
/// forecasts its time and the memory of GPUs from a measurement of Arguments::measure seconds (0:
/// none). Collective; errors are agreed. Both are those of rank 0.
RunForecast forecast_run(const Session& session, Configuration configuration);

}  // namespace gsim::app
