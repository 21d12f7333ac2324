#include "batch_status.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/host_name.hpp"
#include "src/app/batch/task_process.hpp"

namespace gsim::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* state_words[] = {"waiting", "running",  "done",     "failed",
                                       "stopped", "left out", "cancelled"};

/// Whether the process of a journal runs.
bool is_running(const BatchProcess& process, const std::vector<JobState>& jobs) {
  if (process.host == host_name()) return runs_here(process);
  const auto job = std::find_if(jobs.begin(), jobs.end(),
                                [&](const JobState& j) { return j.id == process.job; });
  if (job != jobs.end()) return job->is_running;
  if (!process.job.empty()) return false;
  // Of a pod, or of another machine, of which nothing here knows: the record is believed.
  const auto is_pod = [](const JobState& j) { return j.id.find('/') != j.id.npos; };
  return std::none_of(jobs.begin(), jobs.end(), is_pod) ||
         std::any_of(jobs.begin(), jobs.end(),
                     [&](const JobState& j) { return is_pod(j) && j.is_active; });
}

std::string place_of(const BatchProcess& process) {
  return process.job.empty() ? fmt::format("process {} on {}", process.pid, process.host)
                             : fmt::format("job {} on {}", process.job, process.host);
}

/// The jobs of processes that were not started by `gsim batch submit`.
std::vector<Submission> other_jobs(const std::vector<BatchProcess>& processes,
                                   const std::vector<JobState>& known) {
  std::vector<Submission> list;
  for (const BatchProcess& process : processes) {
    const bool is_known = std::any_of(known.begin(), known.end(),
                                      [&](const JobState& job) { return job.id == process.job; });
    if (!process.job.empty() && !is_known && process.host != host_name())
      list.push_back({BatchSystem::slurm, process.job, {}, {}});
  }
  return list;
}

TaskStatus status_of(const BatchTask& task, const BatchStatus& s, const JournalContents& journals,
                     const std::vector<bool>& is_process_running, bool is_cancelled) {
  TaskStatus status;
  if (const auto found = journals.records.find(task.name); found != journals.records.end())
    status.record = found->second;
  const int process = status.record.process;
  switch (status.record.state) {
    case TaskState::done:
      status.state = LiveState::done;
      return status;
    case TaskState::left_out:
      status.state = LiveState::left_out;
      return status;
    case TaskState::failed:
      status.state = LiveState::failed;
      status.reason = failure_in(task_path(s.batch.folder, task) + ".log");
      return status;
    case TaskState::running:
      if (process >= 0 && is_process_running[static_cast<std::size_t>(process)]) {
        status.state = LiveState::running;
        status.place = place_of(journals.processes[static_cast<std::size_t>(process)]);
        return status;
      }
      [[fallthrough]];
    case TaskState::stopped:
      status.state = LiveState::stopped;
      break;
    case TaskState::waiting:
      break;
  }
  if (s.is_active)
    status.state = LiveState::waiting;
  else if (is_cancelled)
    status.state = LiveState::cancelled;
  return status;
}

}  // namespace

const char* to_string(LiveState state) { return state_words[static_cast<int>(state)]; }

Index BatchStatus::count(LiveState state) const {
  return std::count_if(tasks.begin(), tasks.end(),
                       [&](const TaskStatus& task) { return task.state == state; });
}

Batch find_batch(const std::string& path, const std::string& folder) {
  if (!fs::is_directory(path)) {
    Batch batch = read_batch(path);
    if (!folder.empty()) batch.folder = folder;
    return batch;
  }
  std::string manifest;
  for (const BatchProcess& process : read_journals(path).processes) manifest = process.manifest;
  for (const Submission& s : read_submissions(path)) manifest = s.manifest;
  if (manifest.empty())
    throw InputError(fmt::format(
        "no batch has run in {}; give the manifest, or the folder of results of a batch", path));
  Batch batch = read_batch(manifest);
  batch.folder = path;
  return batch;
}

BatchStatus read_status(Batch batch) {
  BatchStatus s;
  s.batch = std::move(batch);
  const JournalContents journals = read_journals(s.batch.folder);
  s.submissions = read_submissions(s.batch.folder);
  s.jobs = job_states(s.submissions);
  std::vector<JobState> jobs = job_states(other_jobs(journals.processes, s.jobs));
  jobs.insert(jobs.end(), s.jobs.begin(), s.jobs.end());
  std::vector<bool> is_process_running;
  for (const BatchProcess& process : journals.processes) {
    is_process_running.push_back(is_running(process, jobs));
    if (is_process_running.back()) s.processes.push_back(process);
  }
  s.is_active = !s.processes.empty() || std::any_of(s.jobs.begin(), s.jobs.end(),
                                                    [](const JobState& j) { return j.is_active; });
  const bool is_cancelled = fs::exists(cancel_mark(s.batch.folder));
  for (const BatchTask& task : s.batch.tasks)
    s.tasks.push_back(status_of(task, s, journals, is_process_running, is_cancelled));
  return s;
}

}  // namespace gsim::app
