#include "scheduler.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <deque>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>
#include <sys/wait.h>

#include "batch_signals.hpp"
#include "gpu_pool.hpp"
#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "gsim/engine/driver.hpp"
#include "gsim/engine/signals.hpp"
#include "gsim/exec/processors.hpp"
#include "gsim/io/checkpoint_file.hpp"
#include "host_failures.hpp"
#include "launcher_retries.hpp"
#include "task_inputs.hpp"
#include "task_process.hpp"

namespace gsim::app {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Whether tasks may run on other machines than this one.
bool starts_elsewhere(const Batch& batch) {
  return !batch.launcher.empty() || !batch.hosts.empty();
}

struct RunningTask {
  std::size_t task = 0;
  Index cores = 0;
  std::vector<Index> gpus;
  Clock::time_point started;
  Placement hosts;
  Index threads = 1;
  std::uintmax_t log_begin = 0;  ///< bytes of its log before it was started
  /// Positions in `hosts` to which mpiexec had no connection when they were last checked.
  std::vector<std::size_t> unconnected{};
};

class Scheduler {
 public:
  Scheduler(const Batch& batch, const Registry& registry, Journal& journal,
            const BatchOptions& options)
      : batch_(batch),
        registry_(registry),
        journal_(journal),
        options_(options),
        inputs_(batch),
        cores_(cores_of(batch)),
        free_cores_(cores_),
        gpus_(batch.gpus < 0 ? static_cast<Index>(visible_gpus().size()) : batch.gpus,
              batch.tasks_per_gpu),
        hosts_(batch.hosts),
        records_(batch.tasks.size()),
        waits_for_(batch.tasks.size()),
        next_(batch.tasks.size()) {}

  std::vector<TaskRecord> run() {
    checkpoints_ = checkpoints_in(batch_.folder);
    restore();
    if (!starts_elsewhere(batch_)) prepare_processes(batch_.folder);
    Clock::time_point shown = Clock::now(), checked = shown;
    while (true) {
      for (const std::size_t task : retries_.take_due(Clock::now())) ready_.push_front(task);
      if (is_stopping())
        retries_.clear();
      else
        start_what_fits();
      if (engine::SignalGuard::received() != 0 && !has_signalled_) stop_running_tasks();
      if (second_interrupt_.has_arrived() && !is_killing_) kill_running_tasks();
      if (running_.empty() && retries_.is_empty()) break;
      child_signals_.wait(retries_.is_empty() ? 1.0 : 0.1);
      const bool ended = collect_ended();
      if (!hosts_.is_empty() && seconds_since(checked) >= 1) {
        end_failed_starts();
        checked = Clock::now();
      }
      if (options_.progress && (ended || seconds_since(shown) >= 1)) {
        options_.progress(records_);
        shown = Clock::now();
      }
    }
    return records_;
  }

 private:
  bool is_stopping() const {
    return engine::SignalGuard::received() != 0 || (batch_.stops_at_failure && has_failure_) ||
           hosts_.are_all_out();
  }

  /// Sets the states of an earlier part of the batch, and finds what can start.
  void restore() {
    for (std::size_t i = 0; i < batch_.tasks.size(); ++i) {
      const BatchTask& task = batch_.tasks[i];
      TaskRecord& record = records_[i];
      const auto found = journal_.records().find(task.name);
      if (found != journal_.records().end()) {
        earlier_.insert(i);
        record.launch = found->second.launch;
        // Values of references are not part of it: the tasks before may not be done yet.
        if (found->second.state == TaskState::done &&
            found->second.identity == inputs_.identity(task, task.set) &&
            std::filesystem::exists(task_path(batch_.folder, task) + ".h5"))
          record = found->second;
      }
    }
    // What comes after a task that is repeated is repeated, too.
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < batch_.tasks.size(); ++i)
        if (records_[i].state == TaskState::done && count_undone(i) > 0) {
          records_[i] = {};
          changed = true;
        }
    }
    for (std::size_t i = 0; i < batch_.tasks.size(); ++i) {
      if (records_[i].state == TaskState::done) continue;
      waits_for_[i] = count_undone(i);
      if (waits_for_[i] > 0) records_[i].launch = 0;  // what it uses changes: it starts anew
      for (const std::size_t before : batch_.tasks[i].after) next_[before].push_back(i);
      if (waits_for_[i] == 0) ready_.push_back(i);
    }
  }

  Index count_undone(std::size_t task) const {
    const auto& after = batch_.tasks[task].after;
    return std::count_if(after.begin(), after.end(), [&](std::size_t before) {
      return records_[before].state != TaskState::done;
    });
  }

  Index threads_for(const BatchTask& task) const {
    if (task.threads > 0) return task.threads;
    const auto waiting = static_cast<Index>(ready_.size());
    Index threads = std::max<Index>(free_cores_ / (task.ranks * std::max<Index>(waiting, 1)), 1);
    while (threads > 1 && !hosts_.is_empty() && !hosts_.fits(task.ranks, threads)) --threads;
    return threads;
  }

  bool fits(const BatchTask& task) const {
    const Index cores = task.ranks * std::max<Index>(task.threads, 1);
    const bool has_cores =
        running_.empty() ||
        (hosts_.is_empty() ? cores <= free_cores_
                           : hosts_.fits(task.ranks, std::max<Index>(task.threads, 1)));
    const bool has_gpus = !gpus_.has_gpus() || std::min(task.ranks, gpus_.size()) <= gpus_.free();
    return has_cores && has_gpus;
  }

  void start_what_fits() {
    while (!ready_.empty() && (free_cores_ > 0 || running_.empty()) && !is_stopping()) {
      auto at = ready_.begin();
      // A task that waits for processors is passed by as many others as there are processors.
      if (!fits(batch_.tasks[*at])) {
        if (passed_ >= cores_) return;
        at = std::find_if(ready_.begin(), ready_.end(),
                          [&](std::size_t i) { return fits(batch_.tasks[i]); });
        if (at == ready_.end()) return;
        ++passed_;
      } else {
        passed_ = 0;
      }
      const std::size_t task = *at;
      const Index threads = threads_for(batch_.tasks[task]);
      ready_.erase(at);
      start(task, threads);
    }
  }

  void start(std::size_t i, Index threads) {
    const BatchTask& task = batch_.tasks[i];
    TaskRecord& record = records_[i];
    const std::uint64_t earlier = record.launch;
    record = {TaskState::running, 0, 0, inputs_.identity(task, task.set), earlier};
    RunningTask running{i, std::min(task.ranks * threads, cores_), {}, Clock::now(), {}, threads};
    try {
      TaskLaunch launch;
      launch.set = inputs_.overrides_of(task);
      launch.folder = batch_.folder;
      launch.launcher = batch_.launcher;
      launch.threads = threads;
      record.launch = inputs_.identity(task, launch.set);
      const bool has_begun = options_.resume && earlier_.contains(i);
      launch.resume = has_begun && record.launch == earlier;
      if (launch.resume) running.log_begin = log_size(task);
      if (has_begun && !launch.resume) remove_checkpoints(task);
      // A task of a batch that was killed may have written one since the folder was listed.
      launch.has_checkpoints = has_begun || checkpoints_.contains(task.name);
      launch.leaves_checkpoint = inputs_.names_last_checkpoint(task);
      if (gpus_.has_gpus()) running.gpus = gpus_.take(std::min(task.ranks, gpus_.size()));
      launch.gpus = running.gpus;
      if (!hosts_.is_empty()) running.hosts = hosts_.take(task.ranks, threads);
      launch.hosts = hosts_.text(running.hosts);
      // A launcher may start tasks on other machines, with other GPUs.
      if (starts_elsewhere(batch_) && gpus_.size() > static_cast<Index>(visible_gpus().size()))
        launch.gpus.clear();
      launch.sees_no_gpu = batch_.gpus == 0;
      journal_.write(task.name, record);
      running_[start_task(task, launch, registry_)] = running;
      free_cores_ -= running.cores;
    } catch (const InputError& error) {
      gpus_.give_back(running.gpus);
      hosts_.give_back(running.hosts, threads);
      record.code = static_cast<int>(ExitCode::bad_input);
      end(i, TaskState::failed, error.what());
    }
  }

  /// Removes the checkpoints of a task whose configuration has changed since, also one that a task
  /// of a batch that was killed has written after this batch listed the folder.
  void remove_checkpoints(const BatchTask& task) {
    std::error_code none;
    for (const std::string& path : list_checkpoints(task_path(batch_.folder, task)))
      std::filesystem::remove(path, none);
  }

  std::uintmax_t log_size(const BatchTask& task) const {
    std::error_code none;
    const std::uintmax_t size =
        std::filesystem::file_size(task_path(batch_.folder, task) + ".log", none);
    return none ? 0 : size;
  }

  /// Takes notice of all tasks that have ended; returns whether there were any.
  bool collect_ended() {
    bool any = false;
    for (int status = 0;;) {
      const pid_t pid = waitpid(-1, &status, WNOHANG);
      if (pid <= 0) return any;
      const auto found = running_.find(pid);
      if (found == running_.end()) continue;
      const RunningTask running = found->second;
      running_.erase(found);
      free_cores_ += running.cores;
      gpus_.give_back(running.gpus);
      hosts_.give_back(running.hosts, running.threads);
      TaskRecord& record = records_[running.task];
      record.seconds = seconds_since(running.started);
      record.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      any = true;
      const BatchTask& task = batch_.tasks[running.task];
      const bool is_stopped = record.code == static_cast<int>(ExitCode::stopped_with_checkpoint) ||
                              (is_killing_ && record.code == 128 + SIGKILL);
      if (record.code == static_cast<int>(ExitCode::done)) {
        note_start(running);
        end(running.task, TaskState::done, {});
      } else if (is_stopped) {
        end(running.task, TaskState::stopped, {});
      } else if (!starts_again(running)) {
        std::string reason = failure_in(task_path(batch_.folder, task) + ".log");
        if (record.code == static_cast<int>(exit_unconverged))
          reason = "its results miss their error targets (stop.require_converged)";
        else if (record.code > 128 && record.code < 160)  // 128 + signal, also of shells
          reason = fmt::format("ended by signal {}", record.code - 128);
        end(running.task, TaskState::failed, reason);
      }
    }
  }

  /// Ends mpiexec where it waits for a host to which it has no connection, seen twice in a row: the
  /// last messages of a task that has ended may still be on their way.
  void end_failed_starts() {
    if (!batch_.launcher.empty()) return;  // that ends by itself
    for (auto& [pid, running] : running_) {
      const std::string log = task_path(batch_.folder, batch_.tasks[running.task]) + ".log";
      const auto before = std::move(running.unconnected);
      running.unconnected = hosts_without_connection(pid, running.hosts.size());
      if (before.empty() || running.unconnected.empty() || has_started(log, running.log_begin))
        continue;
      kill(-pid, SIGKILL);
    }
  }

  /// The hosts that did not start a task, as far as can be told; else all of its hosts.
  std::vector<std::size_t> suspects(const RunningTask& running, const std::string& log) const {
    std::vector<std::string> names;
    for (const auto& [host, ranks] : running.hosts) names.push_back(hosts_.name(host));
    std::vector<std::size_t> positions = running.unconnected;
    if (positions.empty()) positions = hosts_in_messages(log, running.log_begin, names);
    std::vector<std::size_t> found;
    found.reserve(running.hosts.size());
    for (const std::size_t position : positions) found.push_back(running.hosts[position].first);
    if (found.empty())
      for (const auto& [host, ranks] : running.hosts) found.push_back(host);
    return found;
  }

  void note_start(const RunningTask& running) {
    for (const auto& [host, ranks] : running.hosts) failed_starts_.note_start(host);
  }

  /// Whether a task that failed before gsim started is put back: its launcher may start it later,
  /// or on another host. A host on which this happens twice, one time after the other, gets no
  /// further tasks: it may be gone, and would let all tasks fail that wait.
  bool starts_again(const RunningTask& running) {
    const BatchTask& task = batch_.tasks[running.task];
    const std::string log = task_path(batch_.folder, task) + ".log";
    if (!starts_elsewhere(batch_) || has_started(log, running.log_begin)) {
      note_start(running);
      return false;
    }
    if (hosts_.is_empty()) {
      if (engine::SignalGuard::received() == 0) {  // else a signal has ended the launcher
        if (!retries_.add(running.task, Clock::now())) return false;
        if (options_.retried) options_.retried(task, failure_in(log));
      }
      put_back(running.task);
      return true;
    }
    if (engine::SignalGuard::received() == 0)  // else a signal has ended the launcher
      if (const auto lost = failed_starts_.add(suspects(running, log))) {
        hosts_.leave_out(*lost);
        if (options_.lost) options_.lost(hosts_.name(*lost));
      }
    // Without any host one task fails, and the others wait for --resume.
    if (hosts_.are_all_out() && !has_failure_) return false;
    put_back(running.task);
    ready_.push_front(running.task);
    return true;
  }

  /// A task that was started waits again.
  void put_back(std::size_t i) {
    TaskRecord& record = records_[i];
    record = {TaskState::waiting, 0, 0, record.identity, record.launch};
    journal_.write(batch_.tasks[i].name, record);
  }

  /// Records the end of a task and its consequences for those that come after it.
  void end(std::size_t i, TaskState state, const std::string& reason) {
    TaskRecord& record = records_[i];
    record.state = state;
    journal_.write(batch_.tasks[i].name, record);
    if (state == TaskState::done) {
      for (const std::size_t later : next_[i])
        if (--waits_for_[later] == 0) ready_.push_back(later);
      return;
    }
    if (state != TaskState::failed) return;
    has_failure_ = true;
    if (options_.failed) options_.failed(batch_.tasks[i], reason);
    leave_out_after(i);
  }

  void leave_out_after(std::size_t failed) {
    std::vector<std::size_t> left{failed};
    while (!left.empty()) {
      const std::size_t i = left.back();
      left.pop_back();
      for (const std::size_t later : next_[i]) {
        if (records_[later].state == TaskState::left_out) continue;
        records_[later].state = TaskState::left_out;
        journal_.write(batch_.tasks[later].name, records_[later]);
        left.push_back(later);
      }
    }
  }

  /// Each running task writes a checkpoint and ends. Launchers of MPI forward SIGUSR1 to the ranks.
  void stop_running_tasks() {
    has_signalled_ = true;
    second_interrupt_.watch();
    for (const auto& [pid, running] : running_) kill(pid, SIGUSR1);
  }

  /// Ends the running tasks at once, with their launchers and ranks. They go on from their last
  /// checkpoints.
  void kill_running_tasks() {
    is_killing_ = true;
    for (const auto& [pid, running] : running_) kill(-pid, SIGKILL);
  }

  const Batch& batch_;
  const Registry& registry_;
  Journal& journal_;
  const BatchOptions& options_;
  TaskInputs inputs_;
  Index cores_, free_cores_;
  GpuPool gpus_;
  HostPool hosts_;
  FailedStarts failed_starts_;
  LauncherRetries retries_;
  std::vector<TaskRecord> records_;
  std::vector<Index> waits_for_;                ///< number of tasks before that are not done
  std::vector<std::vector<std::size_t>> next_;  ///< tasks that come after each
  std::deque<std::size_t> ready_;
  std::set<std::size_t> earlier_;  ///< tasks that an earlier part of the batch has started
  std::map<std::string, std::vector<std::string>> checkpoints_;  ///< at the start, by task
  std::map<pid_t, RunningTask> running_;
  Index passed_ = 0;
  bool has_failure_ = false, has_signalled_ = false, is_killing_ = false;
  ChildSignals child_signals_;
  SecondInterrupt second_interrupt_;
};

}  // namespace

Index cores_of(const Batch& batch) {
  if (batch.cores > 0) return batch.cores;
  if (!batch.hosts.empty()) {
    Index cores = 0;
    for (const Host& host : batch.hosts) cores += host.cores;
    return cores;
  }
  const auto allowed = static_cast<Index>(allowed_processors().count());
  const Index granted = granted_processors();
  return std::max<Index>(granted > 0 ? std::min(allowed, granted) : allowed, 1);
}

void require_gpus(const Batch& batch) {
  const auto visible = static_cast<Index>(visible_gpus().size());
  if (!starts_elsewhere(batch) && batch.gpus > visible)
    throw InputError(
        fmt::format("{}: `gpus = {}`, but this process sees {}; reduce `gpus`, or give a "
                    "`launcher` that starts tasks on other machines",
                    batch.manifest, batch.gpus, count_of(visible, "GPU")));
}

std::vector<TaskRecord> run_batch(const Batch& batch, const Registry& registry, Journal& journal,
                                  const BatchOptions& options) {
  return Scheduler(batch, registry, journal, options).run();
}

}  // namespace gsim::app
