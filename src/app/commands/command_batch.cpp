// gsim batch: many runs in one allocation.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "batch_actions.hpp"
#include "gsim/core/digest.hpp"
#include "gsim/core/json.hpp"
#include "gsim/core/terminal.hpp"
#include "gsim/core/text.hpp"
#include "gsim/core/text_columns.hpp"
#include "gsim/engine/signals.hpp"
#include "gsim/io/file_lock.hpp"
#include "src/app/app.hpp"
#include "src/app/batch/batch_results.hpp"
#include "src/app/batch/output_conflicts.hpp"
#include "src/app/batch/scheduler.hpp"
#include "src/app/start/standard_streams.hpp"
#include "src/app/submission/batch_status.hpp"

namespace gsim::app {
namespace {

using Clock = std::chrono::steady_clock;

Index count(const std::vector<TaskRecord>& records, TaskState state) {
  return std::count_if(records.begin(), records.end(),
                       [&](const TaskRecord& r) { return r.state == state; });
}

/// "12 of 100 tasks done, 2 running, 1 failed".
std::string counts_text(const std::vector<TaskRecord>& records) {
  std::string text = fmt::format("{} of {} done", count(records, TaskState::done),
                                 count_of(static_cast<long long>(records.size()), "task"));
  for (const TaskState state :
       {TaskState::running, TaskState::failed, TaskState::left_out, TaskState::stopped})
    if (const Index n = count(records, state); n > 0)
      text += fmt::format(", {} {}", n, to_string(state));
  return text;
}

/// Shows the state of a batch: on a terminal in one line, elsewhere in a line every ten seconds.
class BatchProgress {
 public:
  explicit BatchProgress(LogStyle log) : log_(log), is_terminal_(::isatty(STDOUT_FILENO) != 0) {}

  void show(const std::vector<TaskRecord>& records) {
    if (log_ == LogStyle::quiet || log_ == LogStyle::json) return;
    const bool in_place = is_terminal_ && log_ == LogStyle::automatic;
    const double interval = in_place ? 0.2 : 10;
    const Clock::time_point now = Clock::now();
    if (std::chrono::duration<double>(now - shown_).count() < interval) return;
    shown_ = now;
    const std::string line =
        fmt::format("  {}   {}", counts_text(records),
                    human_clock(std::chrono::duration<double>(now - start_).count()));
    print_out("{}{}{}", in_place ? "\r\x1b[K" : "", line, in_place ? "" : "\n");
    std::fflush(stdout);
    is_open_ = in_place;
  }
  /// Ends the line, so that other text can follow.
  void close() {
    if (is_open_) print_out("\r\x1b[K");
    is_open_ = false;
  }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  LogStyle log_;
  bool is_terminal_, is_open_ = false;
  Clock::time_point start_ = Clock::now(), shown_ = start_;
};

void print_json(const Json& event) { print_out("{}\n", event.text()); }

void print_failure(const std::string& task, const std::string& reason, LogStyle log) {
  if (log == LogStyle::json)
    print_json(Json::event("failed").set("task", task).set("reason", reason));
  else
    print_to_stderr(fmt::format("{} failed: {}\n", task, escape_controls(reason)));
}

std::vector<std::string> names_of(const Batch& batch, const std::vector<TaskRecord>& records,
                                  TaskState state) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < records.size(); ++i)
    if (records[i].state == state) names.push_back(batch.tasks[i].name);
  return names;
}

void print_end(const Batch& batch, const BatchResults& results,
               const std::vector<TaskRecord>& records, double seconds, LogStyle log) {
  if (log == LogStyle::json) {
    print_json(Json::event("done")
                   .set("done", count(records, TaskState::done))
                   .set("failed", count(records, TaskState::failed))
                   .set("stopped", count(records, TaskState::stopped))
                   .set("left_out", count(records, TaskState::left_out))
                   .set("estimates", results.estimates)
                   .set("digest", hex(results.digest, 12))
                   .set("results", results.hdf5)
                   .set("seconds", seconds));
  } else if (log != LogStyle::quiet && batch.parts > 1) {
    print_out("part {} of {}: {} in {}; `gsim batch collect` writes the results of all parts\n",
              batch.part, batch.parts, counts_text(records), human_duration(seconds));
  } else if (log != LogStyle::quiet) {
    print_out("{} in {} · {} · digest {}\n", counts_text(records), human_duration(seconds),
              count_of(results.estimates, "estimate"), hex(results.digest, 12));
    print_out("results {} and {}\n", results.hdf5, results.csv);
  }
}

/// Prints the end of a batch; returns its exit code. A part writes no table of results, since other
/// parts run at the same time.
int finish(const Batch& batch, std::vector<TaskRecord> records, Journal& journal, double seconds,
           LogStyle log) {
  const BatchResults results =
      batch.parts == 1 ? write_batch_results(batch, records) : BatchResults{};
  for (const DamagedResult& damaged : results.damaged) {
    journal.write(batch.tasks[damaged.task].name, records[damaged.task]);
    print_failure(batch.tasks[damaged.task].name, damaged.reason + "; --resume repeats the task",
                  log);
  }
  const bool all_done = count(records, TaskState::done) == static_cast<Index>(records.size());
  for (const std::string& begin : all_done ? results.unknown : std::vector<std::string>())
    print_to_stderr(
        fmt::format("warning: no estimate of a task begins with `{}` (`estimates` of {})\n",
                    excerpt(begin), batch.manifest));
  print_end(batch, results, records, seconds, log);
  const std::vector<std::string> failed = names_of(batch, records, TaskState::failed);
  const std::vector<std::string> stopped = names_of(batch, records, TaskState::stopped);
  const int stop = engine::SignalGuard::received();
  if (all_done) return static_cast<int>(ExitCode::done);
  if (stop == 0 && !failed.empty())
    print_to_stderr(fmt::format("error: {} failed: {}; their messages are in {}/NAME.log\n",
                                count_of(static_cast<long long>(failed.size()), "task"),
                                excerpt(failed), batch.folder));
  if (stop != 0)
    print_to_stderr(fmt::format("stopped by {}; go on with --resume\n", engine::signal_name(stop)));
  else if (!stopped.empty())
    print_to_stderr(fmt::format("{} stopped with a checkpoint: {}; go on with --resume\n",
                                count_of(static_cast<long long>(stopped.size()), "task"),
                                excerpt(stopped)));
  const bool can_go_on = stop != 0 || failed.empty();
  return static_cast<int>(can_go_on ? ExitCode::stopped_with_checkpoint : ExitCode::failure);
}

/// Locks the journal of the batch, and those of its parts if it runs as a whole.
std::vector<FileLock> lock_journals(const Batch& batch) {
  std::vector<std::string> paths{Journal::path_of(batch)};
  if (batch.parts == 1)
    for (const std::string& path : journal_paths(batch.folder))
      if (path != paths.front()) paths.push_back(path);
  std::vector<FileLock> locks;
  locks.reserve(paths.size());
  for (const std::string& path : paths)
    locks.emplace_back(path, "wait for its end, or choose another folder with --folder");
  return locks;
}

int run(const Session& session, const Batch& batch) {
  const Arguments& a = session.arguments;
  require_gpus(batch);
  const bool has_journal = !journal_paths(batch.folder).empty();
  if (a.resume == Resume::required && !has_journal)
    throw InputError(
        fmt::format("there is no batch to resume in {}; start without --resume, or with "
                    "--resume=auto",
                    batch.folder));
  const std::vector<FileLock> locks = lock_journals(batch);
  std::filesystem::remove(cancel_mark(batch.folder));
  const bool resume = a.resume != Resume::no && has_journal;
  Journal journal(batch, resume);
  const LogStyle log = a.log;
  if (log != LogStyle::quiet && log != LogStyle::json)
    print_out("batch   {}   {} in {}   on {}\n", batch.manifest,
              count_of(static_cast<long long>(batch.tasks.size()), "task"), batch.folder,
              count_of(cores_of(batch), "core"));
  BatchProgress progress(log);
  BatchOptions options;
  options.resume = resume;
  options.progress = [&](const std::vector<TaskRecord>& records) { progress.show(records); };
  options.failed = [&](const BatchTask& task, const std::string& reason) {
    progress.close();
    print_failure(task.name, reason, log);
  };
  options.retried = [&](const BatchTask& task, const std::string& reason) {
    progress.close();
    print_to_stderr(fmt::format(
        "warning: {}: its launcher failed before gsim started, and is called again: {}\n",
        task.name, escape_controls(reason)));
  };
  options.lost = [&](const std::string& host) {
    progress.close();
    print_to_stderr(fmt::format(
        "warning: host {} starts no tasks, and gets no further ones; their messages are "
        "in {}/NAME.log\n",
        escape_controls(host), batch.folder));
  };
  std::vector<TaskRecord> records = run_batch(batch, session.registry, journal, options);
  progress.close();
  return finish(batch, std::move(records), journal, progress.seconds(), log);
}

/// Writes the table of results of tasks that ran as parts.
int collect(const Session& session, const Batch& batch) {
  if (journal_paths(batch.folder).empty())
    throw InputError(fmt::format("no task has run in {}", batch.folder));
  const std::vector<FileLock> locks = lock_journals(batch);
  Journal journal(batch, true);
  std::vector<TaskRecord> records(batch.tasks.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto found = journal.records().find(batch.tasks[i].name);
    if (found == journal.records().end()) continue;
    records[i] = found->second;
    if (records[i].state == TaskState::running) records[i].state = TaskState::stopped;
  }
  return finish(batch, std::move(records), journal, 0, session.arguments.log);
}

/// The tasks with their parameters and states, as `gsim batch status` finds them.
int list(Batch all, bool json) {
  const BatchStatus status = read_status(std::move(all));
  const Batch& batch = status.batch;
  if (json) {
    Json tasks = Json::array();
    for (std::size_t i = 0; i < batch.tasks.size(); ++i) {
      const BatchTask& task = batch.tasks[i];
      Json parameters = Json::object(), after = Json::array();
      for (const auto& [key, value] : task.parameters) parameters.set(key, value);
      for (const std::size_t before : task.after) after.push(batch.tasks[before].name);
      tasks.push(Json::object()
                     .set("name", task.name)
                     .set("config", task.config)
                     .set("state", to_string(status.tasks[i].state))
                     .set("ranks", task.ranks)
                     .set("parameters", parameters)
                     .set("after", after));
    }
    print_out("{}\n", tasks.text(2));
    return 0;
  }
  TextColumn names{false, {"task"}}, states{false, {"state"}}, configs{false, {"configuration"}},
      parameters{false, {"parameters"}};
  for (std::size_t i = 0; i < batch.tasks.size(); ++i) {
    const BatchTask& task = batch.tasks[i];
    names.cells.push_back(task.name);
    states.cells.push_back(to_string(status.tasks[i].state));
    configs.cells.push_back(escape_controls(task.config));
    std::string text;
    for (const auto& [key, value] : task.parameters)
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", key, value);
    parameters.cells.push_back(escape_controls(text));
  }
  print_out("{}", align_columns(std::vector<TextColumn>{names, states, configs, parameters}));
  return 0;
}

}  // namespace

int command_batch(const Session& session) {
  const Arguments& a = session.arguments;
  if (!session.launch.launcher.empty() && session.launch.is_connected)
    throw InputError(
        fmt::format("`gsim batch` starts the ranks of its tasks itself: start it once, "
                    "without {}",
                    session.launch.launcher));
  if (a.action == "submit") return batch_submit(session);
  if (a.action == "status") return batch_status(session);
  if (a.action == "logs") return batch_logs(session);
  if (a.action == "cancel") return batch_cancel(session);
  Batch batch = read_batch(a.config, a.set);
  if (!a.folder.empty()) batch.folder = a.folder;
  if (a.action == "list") return list(std::move(batch), a.json);
  if (a.action == "collect") return collect(session, batch);
  refuse_shared_outputs(batch, session.registry);
  if (!a.part.empty()) keep_part(batch, a.part);
  return run(session, batch);
}

}  // namespace gsim::app
