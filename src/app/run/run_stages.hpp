#pragma once
// Runs the stages of a configuration one after the other.

#include <functional>

#include "src/app/input/configuration.hpp"
#include "src/app/run/stages.hpp"

namespace gsim::app {

/// Runs the stages in their order and returns the exit code. With --resume those whose results are
/// complete are left out, and the others go on from their checkpoints, until the results of one
/// have changed: all stages after it are run anew. `check_first` is called with the options of the
/// first stage before it runs. Collective; errors as load_stage() and run_module().
int run_stages(const Session& session, const ConfigSource& source, const StagedConfig& config,
               const std::function<void(const RunOptions&)>& check_first);

}  // namespace gsim::app
