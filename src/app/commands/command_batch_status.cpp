// gsim batch status, logs, cancel: a batch that runs, or has run, elsewhere.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "batch_actions.hpp"
#include "gsim/core/error.hpp"
#include "gsim/core/host_name.hpp"
#include "gsim/core/json.hpp"
#include "gsim/core/text.hpp"
#include "gsim/core/text_columns.hpp"
#include "gsim/io/replace_file.hpp"
#include "src/app/batch/task_process.hpp"
#include "src/app/start/standard_streams.hpp"
#include "src/app/submission/batch_status.hpp"

namespace gsim::app {
namespace {

namespace fs = std::filesystem;

constexpr LiveState all_states[] = {LiveState::waiting,  LiveState::running, LiveState::done,
                                    LiveState::failed,   LiveState::stopped, LiveState::left_out,
                                    LiveState::cancelled};
constexpr std::size_t most_rows = 100;

/// The exit code: 0 if all tasks are done, running or waiting; 1 if a task failed; 75 if the batch
/// was stopped and can be continued with --resume.
int exit_code_of(const BatchStatus& s) {
  if (s.count(LiveState::failed) > 0) return static_cast<int>(ExitCode::failure);
  const bool is_done = s.count(LiveState::done) == static_cast<Index>(s.tasks.size());
  return static_cast<int>(is_done || s.is_active ? ExitCode::done
                                                 : ExitCode::stopped_with_checkpoint);
}

/// Seconds that a task took, or has taken until now.
double seconds_of(const TaskStatus& task) {
  if (task.state != LiveState::running) return task.record.seconds;
  const double now =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  return now - task.record.time;
}

void print_json(const BatchStatus& s) {
  Json counts = Json::object(), jobs = Json::array(), tasks = Json::array();
  for (const LiveState state : all_states) counts.set(to_string(state), s.count(state));
  for (const JobState& job : s.jobs)
    jobs.push(Json::object()
                  .set("id", job.id)
                  .set("state", job.state)
                  .set("reason", job.reason)
                  .set("nodes", job.nodes)
                  .set("active", job.is_active));
  for (std::size_t i = 0; i < s.tasks.size(); ++i)
    tasks.push(Json::object()
                   .set("name", s.batch.tasks[i].name)
                   .set("state", to_string(s.tasks[i].state))
                   .set("seconds", seconds_of(s.tasks[i]))
                   .set("exit_code", s.tasks[i].record.code)
                   .set("place", s.tasks[i].place)
                   .set("reason", s.tasks[i].reason));
  print_out("{}\n", Json::object()
                        .set("manifest", s.batch.manifest)
                        .set("folder", s.batch.folder)
                        .set("active", s.is_active)
                        .set("counts", counts)
                        .set("jobs", jobs)
                        .set("tasks", tasks)
                        .text(2));
}

void print_tasks(const BatchStatus& s) {
  TextColumn names{false, {"task"}}, states{false, {"state"}}, times{true, {"time"}},
      remarks{false, {""}};
  const bool shows_all = s.tasks.size() <= most_rows;
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < s.tasks.size(); ++i) {
    const TaskStatus& task = s.tasks[i];
    const bool is_plain = task.state == LiveState::done || task.state == LiveState::waiting;
    if (!shows_all && (is_plain || names.cells.size() > most_rows)) {
      ++left_out;
      continue;
    }
    names.cells.push_back(s.batch.tasks[i].name);
    states.cells.push_back(to_string(task.state));
    times.cells.push_back(seconds_of(task) > 0 ? human_clock(seconds_of(task)) : "");
    remarks.cells.push_back(escape_controls(task.reason.empty() ? task.place : task.reason));
  }
  if (names.cells.size() > 1)
    print_text(align_columns(std::vector<TextColumn>{names, states, times, remarks}));
  if (left_out > 0)
    print_out("{} more, done and waiting ones among them; --json lists all\n",
              count_of(static_cast<long long>(left_out), "task"));
}

void print_status(const BatchStatus& s) {
  std::string line = fmt::format("{}   {} of {} done", s.batch.folder, s.count(LiveState::done),
                                 count_of(static_cast<long long>(s.tasks.size()), "task"));
  for (const LiveState state : all_states)
    if (state != LiveState::done && s.count(state) > 0)
      line += fmt::format(", {} {}", s.count(state), to_string(state));
  print_out("{}\n", line);
  for (const JobState& job : s.jobs) {
    print_out("job {}   {}", job.id, job.state);
    if (!job.nodes.empty()) print_out(" on {}", job.nodes);
    if (!job.time.empty()) print_out(", {} of {}", job.time, job.limit);
    if (!job.reason.empty()) print_out(" ({})", job.reason);
    print_out("\n");
  }
  for (const BatchProcess& process : s.processes)
    if (process.job.empty())
      print_out("process {} on {}{}\n", process.pid, process.host,
                process.host == host_name() ? "" : " (whether it still runs is unknown here)");
  print_tasks(s);
  if (!s.is_active && exit_code_of(s) == static_cast<int>(ExitCode::stopped_with_checkpoint))
    print_out("nothing runs; go on with `gsim batch run --resume` or `gsim batch submit`\n");
}

/// Prints what a file holds from `offset` on; returns its new end.
std::streamoff print_from(const std::string& path, std::streamoff offset) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(0, std::ios::end);
  // A task that starts anew starts its log anew, too.
  if (const std::streamoff size = file ? std::streamoff(file.tellg()) : 0; size < offset)
    offset = 0;
  file.seekg(offset);
  std::string block(1 << 16, '\0');
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0) {
    print_text(block.substr(0, static_cast<std::size_t>(file.gcount())));
    offset += file.gcount();
  }
  std::fflush(stdout);
  return offset;
}

/// The position of a task. InputError, with the tasks of similar names.
std::size_t find_task(const Batch& batch, const std::string& name) {
  std::vector<std::string> names;
  for (const BatchTask& task : batch.tasks) names.push_back(task.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw InputError(fmt::format("{} has no task `{}`; {}", batch.manifest, excerpt(name),
                                 suggest_known(name, names, "the tasks")));
  return static_cast<std::size_t>(found - names.begin());
}

bool can_still_run(const Batch& batch, std::size_t task) {
  const BatchStatus s = read_status(batch);
  const LiveState state = s.tasks[task].state;
  return state == LiveState::running || (state == LiveState::waiting && s.is_active);
}

}  // namespace

int batch_status(const Session& session) {
  const Arguments& a = session.arguments;
  const BatchStatus s = read_status(find_batch(a.config, a.folder));
  if (a.json)
    print_json(s);
  else
    print_status(s);
  return exit_code_of(s);
}

int batch_logs(const Session& session) {
  const Arguments& a = session.arguments;
  const Batch batch = find_batch(a.config, a.folder);
  const std::size_t task = find_task(batch, a.name);
  const std::string path = task_path(batch.folder, batch.tasks[task]) + ".log";
  if (!fs::exists(path) && !(a.follow && can_still_run(batch, task)))
    throw InputError(fmt::format("`{}` has no log yet, since it has not started", a.name));
  std::streamoff offset = print_from(path, 0);
  // The queue is asked rarely: every question costs the controller of a cluster.
  constexpr auto interval = std::chrono::milliseconds(250);
  constexpr int polls_between_questions = 8;
  for (int poll = 0; a.follow && output_problem().empty(); ++poll) {
    if (poll % polls_between_questions == 0 && !can_still_run(batch, task)) break;
    std::this_thread::sleep_for(interval);
    offset = print_from(path, offset);
  }
  if (a.follow) print_from(path, offset);
  return 0;
}

int batch_cancel(const Session& session) {
  const Arguments& a = session.arguments;
  const BatchStatus s = read_status(find_batch(a.config, a.folder));
  if (!s.is_active) throw InputError(fmt::format("nothing runs or waits in {}", s.batch.folder));
  replace_file(cancel_mark(s.batch.folder),
               "Cancelled by `gsim batch cancel`: job scripts do not queue again.\n");
  const int jobs = cancel_jobs(s.submissions, a.now);
  int processes = 0;
  for (const BatchProcess& process : s.processes) {
    const bool has_job = std::any_of(s.jobs.begin(), s.jobs.end(),
                                     [&](const JobState& job) { return job.id == process.job; });
    if (has_job) continue;
    if (process.host != host_name())
      throw InputError(
          fmt::format("process {} on {}{} cannot be reached from here; call `gsim batch "
                      "cancel` there",
                      process.pid, process.host,
                      process.job.empty() ? "" : fmt::format(" (job {})", process.job)));
    if (::kill(static_cast<pid_t>(process.pid), SIGTERM) == 0) ++processes;
  }
  std::string what = jobs > 0 ? count_of(jobs, "job") : "";
  if (processes > 0) what += (what.empty() ? "" : " and ") + count_of(processes, "process");
  print_out("cancelled {}; running tasks {}\n", what.empty() ? "nothing" : what,
            a.now && processes == 0 ? "have seconds to write checkpoints"
                                    : "end at checkpoints; `gsim batch status` shows when");
  return 0;
}

}  // namespace gsim::app
