#include "gsim/engine/driver.hpp"

#include "run.hpp"

namespace gsim {

ExitCode RunOutcome::exit_code() const {
  if (result_path.empty()) return ExitCode::stopped_with_checkpoint;
  return misses_targets ? exit_unconverged : ExitCode::done;
}

void check_targets(const StopRule& stop, const WorkPlan& plan) {
  GSIM_VALIDATE(!stop.require_converged || stop.has_error_target() || plan.has_own_targets,
                "stop.require_converged is set, but no error target that estimates could meet",
                "set stop.relative_error or stop.absolute_error too");
}

RunOutcome run_module(Module& module, const Context& context, const RunRequest& request) {
  return engine::Run(module, context, request).execute();
}

}  // namespace gsim
