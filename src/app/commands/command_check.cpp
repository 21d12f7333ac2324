// gsim check: checks a configuration, plans its run and forecasts its time.

#include <filesystem>
#include <utility>

#include "gsim/core/json.hpp"
#include "gsim/core/text.hpp"
#include "src/app/run/run_forecast.hpp"
#include "src/app/run/stages.hpp"
#include "src/app/start/standard_streams.hpp"

namespace gsim::app {

namespace {

void print_forecast(const Session& session, const RunForecast& f) {
  const WorkPlan& plan = f.plan;
  print_out("valid. module {}{}{}\n", f.options.module, plan.summary.empty() ? "" : ", ",
            plan.summary);
  print_out("work      {} {} at most", plan.total_units,
            plan.total_units == 1 ? plan.unit_name : plural(plan.unit_name));
  if (plan.items_per_unit > 0) {
    print_out(", {} {}", human_number(static_cast<double>(plan.total_units) * plan.items_per_unit),
              plan.item_name);
  }
  print_out("\nmemory    {} per rank\n", human_bytes(plan.bytes_per_rank));
  if (f.device_bytes)
    print_out("device    {} of GPU memory per rank, measured\n", human_bytes(*f.device_bytes));
  if (f.time)
    print_out("time      {}\n",
              forecast_text(*f.time, *f.pilot.measurement, plan, f.context.planned_ranks()));
  else if (session.arguments.measure > 0)
    print_out("time      not measured: {}\n", f.pilot.reason);
  print_out("results   {}   checkpoints {}.ckpt.*\n", f.options.output, f.options.checkpoint_base);
  for (const std::string& note : plan.notes) print_out("{}\n", note);
}

Json forecast_as_json(const std::string& config, const RunForecast& f) {
  const WorkPlan& plan = f.plan;
  Json notes = Json::array();
  for (const std::string& note : plan.notes) notes.push(note);
  Json json = Json::object()
                  .set("config", config)
                  .set("module", f.options.module)
                  .set("work", plan.summary)
                  .set("unit", plan.unit_name)
                  .set("total_units", plan.total_units)
                  .set("item", plan.item_name)
                  .set("items", static_cast<double>(plan.total_units) * plan.items_per_unit)
                  .set("ranks", f.context.planned_ranks())
                  .set("bytes_per_rank", plan.bytes_per_rank)
                  .set("device_bytes_per_rank", f.device_bytes ? Json(*f.device_bytes) : Json())
                  .set("results", f.options.output)
                  .set("checkpoints", f.options.checkpoint_base + ".ckpt.*")
                  .set("notes", notes);
  if (f.time)
    json.set("time", forecast_json(*f.time, *f.pilot.measurement));
  else
    json.set("time", Json()).set("why_no_time", f.pilot.reason);
  return json;
}

/// Plans the run of a configuration and forecasts its time. Prints both, or returns them as JSON
/// where --json is given. Collective; what is returned is that of rank 0.
Json check_one(const Session& session, Configuration c) {
  const std::string config = c.request.config_name;
  const RunForecast forecast = forecast_run(session, std::move(c));
  session.communicator.agree([&] { check_memory(forecast.context, forecast.plan); });
  if (!session.communicator.is_root()) return {};
  if (session.arguments.json) return forecast_as_json(config, forecast);
  print_forecast(session, forecast);
  return {};
}

/// Checks each stage. Those that use results which are not there are checked when they start.
Json check_stages(const Session& session, const ConfigSource& source, const StagedConfig& config) {
  const bool is_printing = session.communicator.is_root() && !session.arguments.json;
  Json all = Json::array();
  std::vector<std::string> files;
  std::vector<bool> has_results;
  for (std::size_t i = 0; i < config.stages.size(); ++i) {
    const Stage& stage = config.stages[i];
    std::string missing;
    for (const std::string& name : references_of(stage))
      for (std::size_t k = 0; k < i; ++k)
        if (config.stages[k].name == name && !has_results[k]) missing = name;
    if (is_printing)
      print_out("{}stage {} of {}: {}\n", i > 0 ? "\n" : "", i + 1, config.stages.size(),
                stage.name);
    Json of_stage = Json::object();
    if (missing.empty()) {
      of_stage = check_one(session, load_stage(session, source, config, i, files));
    } else {
      files.emplace_back();
      of_stage.set("waits_for", missing);
      if (is_printing)
        print_out("is checked when it starts, since it uses results of {}, which are not there\n",
                  missing);
    }
    if (session.communicator.is_root() && session.arguments.json)
      all.push(of_stage.set("stage", stage.name));
    const bool is_there = missing.empty() && std::filesystem::exists(files.back() + ".h5");
    has_results.push_back(session.communicator.broadcast(is_there));
  }
  return all;
}

}  // namespace

int command_check(const Session& session) {
  ConfigSource source = load_source(session);
  StagedConfig config;
  session.communicator.agree([&] { config = separate_stages(source.text, source.path); });
  const Json json = config.stages.empty()
                        ? check_one(session, load_configuration(session, std::move(source)))
                        : check_stages(session, source, config);
  if (session.communicator.is_root() && session.arguments.json) print_out("{}\n", json.text(2));
  return 0;
}

}  // namespace gsim::app
