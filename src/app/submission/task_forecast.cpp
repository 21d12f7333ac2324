#include "task_forecast.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "gsim/comm/device_binding.hpp"
#include "gsim/core/error.hpp"
#include "src/app/batch/references.hpp"
#include "src/app/forecast/process_copy.hpp"
#include "src/app/input/plugins.hpp"
#include "src/app/run/run_forecast.hpp"
#include "src/app/run/stages.hpp"

namespace gsim::app {
namespace {

constexpr std::size_t most_points = 16;  // of a study that are planned
/// What a process of gsim takes besides the arrays of its module: program, MPI, buffers of files.
constexpr double bytes_of_process = 100e6;
/// Forecasts are of arrays; allocators and temporary arrays of results take more.
constexpr double margin = 1.25;

/// The part of a forecast that passes through a pipe, before the text of the problem.
struct Message {
  double bytes = std::numeric_limits<double>::quiet_NaN();
  double seconds = std::numeric_limits<double>::quiet_NaN();
  bool uses_gpu = false;
  bool has_problem = false;  ///< the text says why the memory is unknown, or else the time
};

/// What runs that follow one another need.
struct Needs {
  double bytes = 0;  ///< of a rank, the most of all runs
  double seconds = 0;
  bool uses_gpu = false;
  std::string no_time;  ///< why the time is unknown; empty: it is known

  void add(const RunForecast& forecast) {
    bytes = std::max(bytes, forecast.plan.bytes_per_rank * margin + bytes_of_process);
    const bool is_on_gpu = forecast.options.device == static_cast<int>(DeviceChoice::cuda);
    uses_gpu = uses_gpu || is_on_gpu;
    const bool is_elsewhere =
        is_on_gpu && forecast.pilot.measurement && !forecast.pilot.measurement->is_on_gpu;
    if (forecast.time && !is_elsewhere)
      seconds += forecast.time->seconds * forecast.time->factor;
    else
      no_time = is_elsewhere ? "this machine has no GPU to measure it" : forecast.pilot.reason;
  }
};

/// The needs of a configuration. Of its stages, which run one after the other, each is planned
/// without the overrides that use files or results of earlier ones, which are not there yet.
Needs needs_of(const Session& session) {
  Needs needs;
  const ConfigSource source = load_source(session);
  StagedConfig config = separate_stages(source.text, source.path);
  if (config.stages.empty()) needs.add(forecast_run(session, load_configuration(session, source)));
  std::vector<std::string> files;
  for (std::size_t i = 0; i < config.stages.size(); ++i) {
    std::erase_if(config.stages[i].set,
                  [](const std::string& assignment) { return !references_in(assignment).empty(); });
    needs.add(forecast_run(session, load_stage(session, source, config, i, files)));
  }
  return needs;
}

/// In a copy of this process: plans the run, measures its beginning for `measure` seconds, and
/// returns the message.
std::string plan_task(const BatchTask& task, const std::vector<std::string>& set,
                      const Registry& registry, double measure) {
  Message message;
  std::string problem;
  try {
    Arguments arguments;
    arguments.command = "check";
    arguments.config = task.config;
    arguments.set = set;
    arguments.ranks = static_cast<int>(task.ranks);
    arguments.log = LogStyle::quiet;
    arguments.measure = measure;
    Registry modules = registry;
    PluginLoader plugins(modules);
    const Session session{arguments, modules, plugins, Communicator::self(), {}};
    load_named_plugins(session);
    const Needs needs = needs_of(session);
    message.bytes = needs.bytes * static_cast<double>(task.ranks);
    message.uses_gpu = needs.uses_gpu;
    if (needs.no_time.empty()) message.seconds = needs.seconds;
    problem = needs.no_time;
  } catch (const std::exception& error) {
    message.has_problem = true;
    problem = error.what();
  }
  return std::string(reinterpret_cast<const char*>(&message), sizeof message) + problem;
}

TaskForecast forecast_task(const BatchTask& task, const Registry& registry, double measure) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::string> set;
  for (const std::string& assignment : task.set) {
    for (const Reference& r : references_in(assignment))
      if (!r.dataset.empty() || !task.after.empty())
        return {unknown, unknown, false, "it depends on the results of other tasks",
                "it depends on the results of other tasks"};
    set.push_back(assignment);
  }
  set.push_back(fmt::format("threads={}", std::max<Index>(task.threads, 1)));
  const auto plan = [&] { return plan_task(task, set, registry, measure); };
  const auto [text, is_late, status] = run_in_copy(plan);
  Message message;
  if (text.size() < sizeof message) {
    const std::string reason = fmt::format("its check ended with status {}", status);
    return {unknown, unknown, false, reason, reason};
  }
  std::memcpy(&message, text.data(), sizeof message);
  const std::string reason = text.substr(sizeof message);
  return {message.bytes, message.seconds, message.uses_gpu, message.has_problem ? reason : "",
          reason};
}

}  // namespace

std::vector<TaskForecast> forecast_tasks(const Batch& batch, const Registry& registry,
                                         bool measures_time) {
  constexpr double seconds_to_measure = 0.3;
  const double measure = measures_time ? seconds_to_measure : 0;
  std::vector<TaskForecast> forecasts(batch.tasks.size());
  for (std::size_t first = 0, end = 0; first < batch.tasks.size(); first = end) {
    while (end < batch.tasks.size() && batch.tasks[end].group == batch.tasks[first].group) ++end;
    const std::size_t count = end - first, planned = std::min(count, most_points);
    TaskForecast largest;
    for (std::size_t i = 0; i < planned; ++i) {
      // The first and the last point, and others between them.
      const std::size_t at = first + (planned > 1 ? i * (count - 1) / (planned - 1) : 0);
      const TaskForecast& f = forecasts[at] = forecast_task(batch.tasks[at], registry, measure);
      largest.uses_gpu = largest.uses_gpu || f.uses_gpu;
      if (!(f.seconds <= largest.seconds) && !std::isnan(largest.seconds)) {
        largest.seconds = f.seconds;
        largest.no_time = f.no_time;
      }
      if (std::isnan(largest.bytes)) continue;
      if (std::isnan(f.bytes) || f.bytes > largest.bytes) {
        largest.bytes = f.bytes;
        largest.problem = f.problem;
      }
    }
    if (planned < count)
      std::fill(forecasts.begin() + static_cast<std::ptrdiff_t>(first),
                forecasts.begin() + static_cast<std::ptrdiff_t>(end), largest);
  }
  return forecasts;
}

}  // namespace gsim::app
