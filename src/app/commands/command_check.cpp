// gsim check: checks a configuration and plans its run.

#include "gsim/comm/device_binding.hpp"
#include "gsim/core/text.hpp"
#include "src/app/input/configuration.hpp"
#include "src/app/start/standard_streams.hpp"

namespace gsim::app {

namespace {

/// The processor that a run on this machine would use; without a GPU a host, so that
/// configurations for other machines can be checked.
Executor planned_executor(const Session& session, const RunOptions& options) {
  const bool has_gpu =
      options.device != static_cast<int>(DeviceChoice::cpu) && why_no_device().empty();
  return has_gpu ? make_executor(session, options)
                 : Executor::host(static_cast<int>(options.threads));
}

}  // namespace

int command_check(const Session& session) {
  Configuration c = load_configuration(session);
  Context context = make_context(session, c, planned_executor(session, c.request.options));
  context.forecast_ranks = static_cast<int>(session.arguments.ranks);
  WorkPlan plan;
  session.communicator.agree([&] {
    plan = c.module->plan(context);
    check_targets(context.stop, plan);
    check_memory(context, plan);
  });
  if (!session.communicator.is_root()) return 0;
  print_out("valid. module {}{}{}\n", c.request.options.module, plan.summary.empty() ? "" : ", ",
            plan.summary);
  print_out("work      {} {} at most", plan.total_units,
            plan.total_units == 1 ? plan.unit_name : plural(plan.unit_name));
  if (plan.items_per_unit > 0) {
    print_out(", {} {}", human_number(static_cast<double>(plan.total_units) * plan.items_per_unit),
              plan.item_name);
  }
  print_out("\nmemory    {} per rank\n", human_bytes(plan.bytes_per_rank));
  print_out("results   {}   checkpoints {}.ckpt.*\n", c.request.options.output,
            c.request.options.checkpoint_base);
  for (const std::string& note : plan.notes) print_out("{}\n", note);
  return 0;
}

}  // namespace gsim::app
