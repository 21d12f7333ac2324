#include "allocation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"

namespace gsim::app {
namespace {

constexpr double bytes_of_scheduler = 200e6;  // of `gsim batch run` itself
constexpr double seconds_of_start = 60;       // of the job and its programs on the cluster

Index divide_up(Index a, Index b) { return (a + b - 1) / b; }

/// The task with the most processors.
const BatchTask& largest_task(const Batch& batch) {
  return *std::max_element(
      batch.tasks.begin(), batch.tasks.end(),
      [](const BatchTask& a, const BatchTask& b) { return cores_of(a) < cores_of(b); });
}

void set_cores(const Batch& batch, Index node_cores, Allocation& a) {
  const SubmitOptions& o = batch.submit;
  const BatchTask& largest = largest_task(batch);
  const Index least = divide_up(cores_of(largest), a.nodes);
  const char* source = "[submit]";
  if (o.cores > 0) {
    a.cores = o.cores;
  } else if (a.elements == 0 && batch.cores > 0) {
    a.cores = divide_up(batch.cores, a.nodes);
    source = "the manifest";
  } else {
    Index all = 0;
    for (const BatchTask& task : batch.tasks) all += cores_of(task);
    const bool is_largest = a.elements > 0 || node_cores == 0;
    a.cores = is_largest ? least
                         : std::clamp(divide_up(all, a.nodes), least, std::max(node_cores, least));
    source = is_largest ? "the largest task" : "the tasks and the nodes of the partition";
  }
  if (a.cores < least)
    throw InputError(
        fmt::format("{}: `{}` uses {}, but the job has {} on {}; give more `cores` or "
                    "`nodes` in [submit]",
                    batch.manifest, largest.name, count_of(cores_of(largest), "core"),
                    a.cores * a.nodes, count_of(a.nodes, "node")));
  a.notes.push_back(fmt::format("cores    {} on {}: from {}", a.cores * a.nodes,
                                count_of(a.nodes, "node"), source));
}

void set_gpus(const Batch& batch, const std::vector<TaskForecast>& forecasts, Allocation& a) {
  const SubmitOptions& o = batch.submit;
  const char* source = "[submit]";
  if (o.gpus >= 0) {
    a.gpus = o.gpus;
  } else if (batch.gpus >= 0) {
    a.gpus = divide_up(batch.gpus, a.nodes);
    source = "the manifest";
  } else {
    Index ranks = 0;
    for (std::size_t i = 0; i < batch.tasks.size(); ++i)
      if (forecasts[i].uses_gpu) ranks = std::max(ranks, batch.tasks[i].ranks);
    a.gpus = divide_up(ranks, a.nodes);
    source = "the tasks with device = \"cuda\"";
  }
  if (a.gpus > 0 || o.gpus >= 0 || batch.gpus >= 0)
    a.notes.push_back(fmt::format("GPUs     {}: from {}", a.gpus * a.nodes, source));
}

/// Memory of the tasks that can run at the same time: as many as have processors, each of the kind
/// that needs the most memory for each processor.
void set_memory(const Batch& batch, const std::vector<TaskForecast>& forecasts, Allocation& a) {
  if (batch.submit.memory > 0) {
    a.memory = 1e9 * batch.submit.memory;
    a.notes.push_back(
        fmt::format("memory   {} of each node: from [submit]", human_bytes(a.memory)));
    return;
  }
  double all = 0, for_core = 0, largest = 0;
  for (std::size_t i = 0; i < batch.tasks.size(); ++i) {
    const TaskForecast& f = forecasts[i];
    if (std::isnan(f.bytes)) {
      const std::string reason = f.problem.substr(0, f.problem.find('\n'));
      a.notes.push_back(fmt::format("memory   the cluster's default: unknown for `{}` ({})",
                                    batch.tasks[i].name, escape_controls(reason)));
      return;
    }
    all += f.bytes;
    largest = std::max(largest, f.bytes);
    for_core = std::max(for_core, f.bytes / static_cast<double>(cores_of(batch.tasks[i])));
  }
  const double cores = static_cast<double>(a.cores * a.nodes);
  const double at_once = a.elements > 0 ? std::max(largest, for_core * cores)
                                        : std::max(largest, std::min(all, for_core * cores));
  a.memory = at_once / static_cast<double>(a.nodes) + bytes_of_scheduler;
  a.notes.push_back(fmt::format("memory   {} of each node: from the forecast of the tasks",
                                human_bytes(a.memory)));
}

/// What running tasks take of a job, processors or GPUs, and the work that is done on it.
struct Places {
  Index all = 0;
  Index common = 0;   ///< greatest common divisor of what the tasks take
  Index largest = 1;  ///< of a task
  double work = 0;    ///< seconds times places

  void add(Index taken, double seconds) {
    common = std::gcd(common, taken);
    largest = std::max(largest, taken);
    work += seconds * static_cast<double>(taken);
  }
  /// The longest time in which a task waits: on each of `nodes`, fewer are free than it takes.
  double longest_wait(Index nodes) const {
    if (work <= 0) return 0;
    const Index least_taken = std::max<Index>(all - nodes * (largest - 1), 1);
    return work / static_cast<double>(std::min(divide_up(least_taken, common) * common, all));
  }
};

/// An upper bound of the time of the tasks first, first + step, … in a job.
double time_of_tasks(const Batch& batch, const std::vector<TaskForecast>& forecasts,
                     std::size_t first, std::size_t step, const Allocation& a) {
  std::vector<double> ends(batch.tasks.size(), -1.0);  // with processors for all tasks; -1: unknown
  const std::function<double(std::size_t)> end_of = [&](std::size_t i) {
    if (ends[i] >= 0) return ends[i];
    double start = 0;
    for (const std::size_t before : batch.tasks[i].after) start = std::max(start, end_of(before));
    return ends[i] = start + forecasts[i].seconds;
  };
  Places cores{a.cores * a.nodes}, gpus{a.gpus * a.nodes};
  if (batch.tasks_per_gpu > 1) gpus.common = 1;  // tasks share GPUs in any combination
  double in_turn = 0, longest = 0;
  for (std::size_t i = first; i < batch.tasks.size(); i += step) {
    const BatchTask& task = batch.tasks[i];
    const double seconds = forecasts[i].seconds;
    cores.add(std::min(cores_of(task), cores.all), seconds);
    if (gpus.all > 0) gpus.add(std::min(task.ranks, gpus.all), seconds);
    in_turn += seconds;
    longest = std::max(longest, end_of(i));
  }
  const double wait_for_gpus = gpus.longest_wait(1) / static_cast<double>(batch.tasks_per_gpu);
  return std::min(in_turn, longest + cores.longest_wait(a.nodes) + wait_for_gpus);
}

void set_time(const Batch& batch, const std::vector<TaskForecast>& forecasts,
              const ClusterLimits& limits, Allocation& a) {
  a.time = batch.submit.time;
  if (a.time > 0) {
    a.notes.push_back(fmt::format("time     {}: from [submit]", human_duration(a.time)));
    return;
  }
  if (!limits.has_default_time) return;
  for (std::size_t i = 0; i < batch.tasks.size(); ++i) {
    if (!std::isnan(forecasts[i].seconds)) continue;
    const std::string reason = forecasts[i].no_time.substr(0, forecasts[i].no_time.find('\n'));
    a.notes.push_back(fmt::format("time     the cluster's default: unknown for `{}` ({})",
                                  batch.tasks[i].name, escape_controls(reason)));
    return;
  }
  const auto jobs = static_cast<std::size_t>(std::max<Index>(a.elements, 1));
  for (std::size_t k = 0; k < jobs; ++k)
    a.time = std::max(a.time, time_of_tasks(batch, forecasts, k, jobs, a));
  a.time += batch.submit.grace + seconds_of_start;
  if (limits.time > 0 && a.time > limits.time) {
    if (limits.time <= batch.submit.grace)
      throw InputError(fmt::format(
          "{}: jobs of the partition last at most {}, and would be stopped {} before "
          "their end; give less `grace` in [submit]",
          batch.manifest, human_duration(limits.time), human_duration(batch.submit.grace)));
    a.notes.push_back(
        fmt::format("time     {}: the limit of the partition; the forecast of the tasks is {}",
                    human_duration(limits.time), human_duration(a.time)));
    a.time = limits.time;
    return;
  }
  a.notes.push_back(
      fmt::format("time     {}: from the forecast of the tasks on processors like those of this "
                  "machine",
                  human_duration(a.time)));
}

void set_array(const Batch& batch, Allocation& a) {
  const Index size = batch.submit.array;
  if (size == 0) return;
  for (const BatchTask& task : batch.tasks)
    if (!task.after.empty())
      throw InputError(
          fmt::format("{}: `{}` comes after other tasks, and elements of an array do "
                      "not wait for one another; submit one job, without `array`",
                      batch.manifest, task.name));
  a.elements = divide_up(static_cast<Index>(batch.tasks.size()), size);
  a.notes.push_back(fmt::format("array    {} of {} each", count_of(a.elements, "element"),
                                count_of(size, "task")));
}

}  // namespace

Index cores_of(const BatchTask& task) { return task.ranks * std::max<Index>(task.threads, 1); }

Allocation allocation_for(const Batch& batch, const std::vector<TaskForecast>& forecasts,
                          const ClusterLimits& limits) {
  Allocation a;
  a.nodes = batch.submit.nodes;
  set_array(batch, a);
  set_cores(batch, limits.node_cores, a);
  set_gpus(batch, forecasts, a);
  set_memory(batch, forecasts, a);
  set_time(batch, forecasts, limits, a);
  return a;
}

}  // namespace gsim::app
