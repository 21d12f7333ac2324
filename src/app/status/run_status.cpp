#include "run_status.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gsim/core/error.hpp"
#include "gsim/core/host_name.hpp"
#include "gsim/core/process.hpp"
#include "gsim/core/prometheus_text.hpp"
#include "gsim/core/text.hpp"
#include "src/app/batch/journal.hpp"

namespace gsim::app {
namespace {

namespace fs = std::filesystem;

/// The gauges that are one number, and where they go.
const std::map<std::string, double RunStatus::*>& numbers() {
  using S = RunStatus;
  static const std::map<std::string, double RunStatus::*> table{
      {"start_time_seconds", &S::started},
      {"update_time_seconds", &S::updated},
      {"update_interval_seconds", &S::interval},
      {"duration_seconds", &S::duration},
      {"earlier_duration_seconds", &S::earlier_duration},
      {"progress_ratio", &S::progress},
      {"work_done", &S::work_done},
      {"work_planned", &S::work_planned},
      {"items_per_second", &S::rate},
      {"remaining_seconds", &S::remaining},
      {"estimates_judged", &S::judged},
      {"estimates_converged", &S::converged},
      {"largest_error_ratio", &S::relative_error},
      {"largest_error", &S::absolute_error},
      {"ranks", &S::ranks},
      {"threads", &S::threads},
      {"hosts", &S::hosts},
      {"gpus", &S::gpus},
      {"imbalance_ratio", &S::imbalance},
      {"peak_memory_bytes", &S::memory},
      {"largest_peak_memory_bytes", &S::largest_rank_memory},
      {"gpu_utilization_ratio", &S::gpu_utilization},
      {"gpu_memory_used_bytes", &S::gpu_memory},
      {"core_seconds_total", &S::core_seconds},
      {"gpu_seconds_total", &S::gpu_seconds},
      {"cost_total", &S::cost},
  };
  return table;
}

/// The labels that are texts of the run, by metric and label.
const std::map<std::pair<std::string, std::string>, std::string RunStatus::*>& texts() {
  using S = RunStatus;
  static const std::map<std::pair<std::string, std::string>, std::string RunStatus::*> table{
      {{"info", "module"}, &S::module},
      {{"info", "config"}, &S::config},
      {{"info", "version"}, &S::version},
      {{"info", "host"}, &S::host},
      {{"info", "platform"}, &S::platform},
      {{"info", "result"}, &S::result},
      {{"end_info", "reason"}, &S::remark},
      {{"failure_info", "message"}, &S::remark},
      {{"work_done", "unit"}, &S::unit},
      {{"items_per_second", "item"}, &S::item},
      {{"largest_error_ratio", "estimate"}, &S::worst_estimate},
      {{"largest_error", "estimate"}, &S::worst_estimate},
      {{"cost_total", "currency"}, &S::currency},
  };
  return table;
}

constexpr std::string_view prefix = "gsim_run_";

/// Why a run whose last status is `running` is stale; empty if its process exists.
std::string why_stale(const RunStatus& run, const std::string& start, double now) {
  if (run.host == host_name()) {
    if (process_start(run.pid) == start) return {};
    return fmt::format("process {} was killed or has crashed; its last status is {} old", run.pid,
                       human_duration(now - run.updated));
  }
  // A slice of work may take minutes, and clocks of machines differ.
  constexpr double patience = 300;
  if (!(now - run.updated > std::max(patience, 20 * run.interval))) return {};
  return fmt::format("process {} on {} has written no status for {}", run.pid, run.host,
                     human_duration(now - run.updated));
}

/// The status of a task by its record alone. `is_gone`: the batch that wrote the record is.
RunStatus task_status(const std::string& name, const TaskRecord& record, bool is_gone) {
  RunStatus run;
  run.name = name;
  run.duration = record.seconds;
  switch (record.state) {
    case TaskState::done:
      run.state = "finished";
      break;
    case TaskState::running:
      run.state = is_gone ? "stale" : "starting";
      if (is_gone) run.remark = "the batch that started it is gone; go on with --resume";
      break;
    case TaskState::stopped:
      run.state = "interrupted";
      break;
    default:
      run.state = to_string(record.state);
  }
  if (record.state == TaskState::failed) run.remark = fmt::format("exit code {}", record.code);
  return run;
}

/// Adds the tasks of a batch. The journals know how they ended, and their files all the rest.
void add_journals(const std::string& folder, std::vector<RunStatus>& runs) {
  const JournalContents journals = read_journals(folder);
  for (const auto& [name, record] : journals.records) {
    const auto found = std::find_if(runs.begin(), runs.end(),
                                    [&, n = name](const RunStatus& run) { return run.name == n; });
    const bool has_process = record.process >= 0;
    const BatchProcess process =
        has_process ? journals.processes[static_cast<std::size_t>(record.process)] : BatchProcess();
    const bool is_gone = has_process && process.host == host_name() && !runs_here(process);
    RunStatus task = task_status(name, record, is_gone);
    if (found == runs.end()) {
      runs.push_back(std::move(task));
      continue;
    }
    // The file of a task that was started again is that of its earlier part until it works.
    const bool is_file_newer = record.state == TaskState::running && found->updated >= record.time;
    if (is_file_newer || found->state == task.state) continue;
    found->state = task.state;
    if (found->remark.empty() || record.state != TaskState::failed) found->remark = task.remark;
  }
}

std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError(fmt::format("cannot read {}: there is no such file", file));
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<RunStatus> read_folder(const std::string& folder) {
  std::vector<RunStatus> runs;
  std::error_code none;
  for (fs::directory_iterator at(folder, none), end; !none && at != end; at.increment(none)) {
    if (at->path().extension() != ".prom") continue;
    const std::string file = at->path().string();
    RunStatus run = parse_status(file, text_of(file), unix_time());
    if (!run.state.empty()) runs.push_back(std::move(run));
  }
  add_journals(folder, runs);
  std::sort(runs.begin(), runs.end(),
            [](const RunStatus& a, const RunStatus& b) { return a.name < b.name; });
  return runs;
}

}  // namespace

RunStatus parse_status(const std::string& file, const std::string& text, double now) {
  RunStatus run;
  run.file = file;
  run.name = fs::path(file).stem().string();
  std::string start_of_process;
  std::vector<MetricSample> samples;
  try {
    samples = parse_prometheus(text);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", file, error.what()));
  }
  for (const MetricSample& sample : samples) {
    if (!sample.name.starts_with(prefix)) continue;
    const std::string name = sample.name.substr(prefix.size());
    if (const auto number = numbers().find(name); number != numbers().end())
      run.*number->second = sample.value;
    for (const auto& [label, value] : sample.labels)
      if (const auto found = texts().find({name, label}); found != texts().end())
        run.*found->second = value;
    if (name == "state" && sample.value == 1) run.state = sample.label("state");
    if (name == "energy_joules_total")
      (sample.label("source") == "gpu" ? run.gpu_joules : run.cpu_joules) = sample.value;
    if (name == "info") {
      run.pid = std::atoi(sample.label("pid").c_str());
      start_of_process = sample.label("process_start");
    }
  }
  if (run.state != "running") return run;
  run.remark = why_stale(run, start_of_process, now);
  if (!run.remark.empty()) run.state = "stale";
  return run;
}

std::vector<RunStatus> read_runs(const std::vector<std::string>& files_and_folders) {
  std::vector<RunStatus> runs;
  for (const std::string& path : files_and_folders) {
    std::error_code none;
    if (fs::is_directory(path, none)) {
      for (RunStatus& run : read_folder(path)) runs.push_back(std::move(run));
      continue;
    }
    RunStatus run = parse_status(path, text_of(path), unix_time());
    if (run.state.empty())
      throw InputError(
          fmt::format("{} is no status file of gsim: it holds no gsim_run_state", path));
    runs.push_back(std::move(run));
  }
  if (runs.empty())
    throw InputError(
        fmt::format("no status files (*.prom) in {}", fmt::join(files_and_folders, ", ")));
  return runs;
}

int status_exit_code(const std::vector<RunStatus>& runs) {
  const auto any = [&](std::initializer_list<std::string_view> states) {
    return std::any_of(runs.begin(), runs.end(), [&](const RunStatus& run) {
      return std::find(states.begin(), states.end(), run.state) != states.end();
    });
  };
  if (any({"failed", "stale", "left out"})) return static_cast<int>(ExitCode::failure);
  if (any({"interrupted"})) return static_cast<int>(ExitCode::stopped_with_checkpoint);
  return static_cast<int>(ExitCode::done);
}

}  // namespace gsim::app
