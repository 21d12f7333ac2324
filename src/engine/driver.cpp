#include "gsim/engine/driver.hpp"

#include "run.hpp"

namespace gsim {

ExitCode RunOutcome::exit_code() const {
  return result_path.empty() ? ExitCode::stopped_with_checkpoint : ExitCode::done;
}

RunOutcome run_module(Module& module, const Context& context, const RunRequest& request) {
  return engine::Run(module, context, request).execute();
}

}  // namespace gsim
