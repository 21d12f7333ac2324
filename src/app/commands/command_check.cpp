// gsim check: checks a configuration and plans its run.

#include <filesystem>

#include "gsim/comm/device_binding.hpp"
#include "gsim/core/text.hpp"
#include "src/app/input/configuration.hpp"
#include "src/app/run/stages.hpp"
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

/// Plans the run of a configuration, and prints the plan.
void check_one(const Session& session, Configuration c) {
  Context context = make_context(session, c, planned_executor(session, c.request.options));
  context.forecast_ranks = static_cast<int>(session.arguments.ranks);
  WorkPlan plan;
  session.communicator.agree([&] {
    plan = c.module->plan(context);
    check_targets(context.stop, plan);
    check_memory(context, plan);
  });
  if (!session.communicator.is_root()) return;
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
}

/// Checks each stage. Those that use results which are not there are checked when they start.
void check_stages(const Session& session, const ConfigSource& source, const StagedConfig& config) {
  std::vector<std::string> files;
  std::vector<bool> has_results;
  for (std::size_t i = 0; i < config.stages.size(); ++i) {
    const Stage& stage = config.stages[i];
    std::string missing;
    for (const std::string& name : references_of(stage))
      for (std::size_t k = 0; k < i; ++k)
        if (config.stages[k].name == name && !has_results[k]) missing = name;
    if (session.communicator.is_root())
      print_out("{}stage {} of {}: {}\n", i > 0 ? "\n" : "", i + 1, config.stages.size(),
                stage.name);
    if (missing.empty()) {
      check_one(session, load_stage(session, source, config, i, files));
    } else {
      files.emplace_back();
      if (session.communicator.is_root())
        print_out("is checked when it starts, since it uses results of {}, which are not there\n",
                  missing);
    }
    bool is_there = missing.empty() && std::filesystem::exists(files.back() + ".h5");
    has_results.push_back(session.communicator.broadcast(is_there));
  }
}

}  // namespace

int command_check(const Session& session) {
  ConfigSource source = load_source(session);
  StagedConfig config;
  session.communicator.agree([&] { config = separate_stages(source.text, source.path); });
  if (config.stages.empty())
    check_one(session, load_configuration(session, std::move(source)));
  else
    check_stages(session, source, config);
  return 0;
}

}  // namespace gsim::app
