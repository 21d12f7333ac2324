#pragma once
// A run of a configuration that was read, for the commands `run` and `replay`.

#include "src/app/input/configuration.hpp"

namespace gsim::app {

/// Chooses processor and buffer path of the messages, adds the provenance of this launch, and runs
/// the module of `configuration` to its end or to a signal. Collective; errors as run_module().
RunOutcome run_configuration(const Session& session, Configuration& configuration);

/// run_configuration() with `resume`, within the time limit of the configuration, of which `passed`
/// seconds are over, and that of the Slurm job (SLURM_JOB_END_TIME).
RunOutcome run_within_limits(const Session& session, Configuration& configuration, Resume resume,
                             double passed);

}  // namespace gsim::app
