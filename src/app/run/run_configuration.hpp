#pragma once
// A run of a configuration that was read, for the commands `run` and `replay`.

#include "src/app/input/configuration.hpp"

namespace gsim::app {

/// Chooses processor and buffer path of the messages, adds the provenance of this launch, and runs
/// the module of `configuration` to its end or to a signal. Collective; errors as run_module().
RunOutcome run_configuration(const Session& session, Configuration& configuration);

}  // namespace gsim::app
