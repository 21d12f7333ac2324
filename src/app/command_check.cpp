// gsim check: everything that can be known before a run.

#include <fmt/format.h>

#include "configuration.hpp"
#include "gsim/core/log.hpp"

namespace gsim::app {

int command_check(const Session& session) {
  Configuration c = load_configuration(session);
  const Context context =
      make_context(session, c, Executor::host(static_cast<int>(c.request.options.threads)));
  WorkPlan plan;
  session.communicator.agree([&] { plan = c.module->plan(context); });
  if (!session.communicator.is_root()) return 0;
  fmt::print("valid. module {}{}{}\n", c.request.options.module, plan.summary.empty() ? "" : ", ",
             plan.summary);
  fmt::print("work      {} {}{} at most", plan.total_units, plan.unit_name,
             plan.total_units == 1 ? "" : "s");
  if (plan.rate_per_unit > 0) {
    fmt::print(", {} {}", human_number(static_cast<double>(plan.total_units) * plan.rate_per_unit),
               plan.rate_name);
  }
  fmt::print("\nper rank  {}\n", human_bytes(plan.bytes_per_rank));
  fmt::print("results   {}   checkpoints {}.ckpt.*\n", c.request.options.output,
             c.request.options.checkpoint_base);
  for (const std::string& note : plan.notes) fmt::print("{}\n", note);
  return 0;
}

}  // namespace gsim::app
