#include "scheduler.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <deque>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>
#include <sys/wait.h>

#include "gsim/core/digest.hpp"
#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "gsim/engine/driver.hpp"
#include "gsim/engine/signals.hpp"
#include "gsim/exec/processors.hpp"
#include "gsim/io/result_values.hpp"
#include "references.hpp"
#include "task_process.hpp"

namespace gsim::app {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Free GPUs: each may be used by several tasks.
class GpuPool {
 public:
  GpuPool(Index gpus, Index tasks_per_gpu)
      : users_(static_cast<std::size_t>(gpus)), most_(tasks_per_gpu) {}

  bool has_gpus() const { return !users_.empty(); }
  Index free() const {
    Index free = 0;
    for (const Index users : users_) free += users < most_ ? 1 : 0;
    return free;
  }
  /// Takes the `count` GPUs with the fewest users.
  std::vector<Index> take(Index count) {
    std::vector<Index> taken;
    for (; count > 0; --count) {
      const auto least = std::min_element(users_.begin(), users_.end());
      ++*least;
      taken.push_back(static_cast<Index>(least - users_.begin()));
    }
    return taken;
  }
  void give_back(const std::vector<Index>& gpus) {
    for (const Index gpu : gpus) --users_[static_cast<std::size_t>(gpu)];
  }
  Index size() const { return static_cast<Index>(users_.size()); }

 private:
  std::vector<Index> users_;
  Index most_;
};

/// SIGCHLD is blocked while the object exists, so that it can be waited for.
class ChildSignals {
 public:
  ChildSignals() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set_, &previous_);
  }
  ~ChildSignals() { sigprocmask(SIG_SETMASK, &previous_, nullptr); }
  ChildSignals(const ChildSignals&) = delete;
  ChildSignals& operator=(const ChildSignals&) = delete;
  /// Returns when a child has ended, another signal has arrived, or `seconds` have passed.
  void wait(double seconds) const {
    timespec timeout{
        static_cast<time_t>(seconds),
        static_cast<long>(1e9 * (seconds - static_cast<double>(static_cast<time_t>(seconds))))};
    sigtimedwait(&set_, nullptr, &timeout);
  }

 private:
  sigset_t set_{}, previous_{};
};

struct RunningTask {
  std::size_t task = 0;
  Index cores = 0;
  std::vector<Index> gpus;
  Clock::time_point started;
};

class Scheduler {
 public:
  Scheduler(const Batch& batch, const Registry& registry, Journal& journal,
            const BatchOptions& options)
      : batch_(batch),
        registry_(registry),
        journal_(journal),
        options_(options),
        cores_(cores_of(batch)),
        free_cores_(cores_),
        gpus_(batch.gpus < 0 ? static_cast<Index>(visible_gpus().size()) : batch.gpus,
              batch.tasks_per_gpu),
        records_(batch.tasks.size()),
        waits_for_(batch.tasks.size()),
        next_(batch.tasks.size()) {}

  std::vector<TaskRecord> run() {
    restore();
    Clock::time_point shown = Clock::now();
    while (true) {
      if (!is_stopping()) start_what_fits();
      if (is_stopping() && !has_signalled_) stop_running_tasks();
      if (running_.empty()) break;
      child_signals_.wait(1.0);
      const bool ended = collect_ended();
      if (options_.progress && (ended || seconds_since(shown) >= 1)) {
        options_.progress(records_);
        shown = Clock::now();
      }
    }
    return records_;
  }

 private:
  bool is_stopping() const {
    return engine::SignalGuard::received() != 0 || (batch_.stops_at_failure && has_failure_);
  }

  /// Sets the states of an earlier part of the batch, and finds what can start.
  void restore() {
    for (std::size_t i = 0; i < batch_.tasks.size(); ++i) {
      const BatchTask& task = batch_.tasks[i];
      TaskRecord& record = records_[i];
      const auto found = journal_.records().find(task.name);
      if (found != journal_.records().end()) {
        earlier_.insert(i);
        // Values of references are not part of it: the tasks before may not be done yet.
        if (found->second.state == TaskState::done && found->second.identity == identity(task) &&
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

  /// Digest of the text of the configuration and the overrides as given.
  std::uint64_t identity(const BatchTask& task) {
    auto text = texts_.find(task.config);
    if (text == texts_.end())
      text = texts_.emplace(task.config, read_input_file(task.config).text).first;
    Digest digest;
    digest.add(text->second);
    for (const std::string& assignment : task.set) digest.add(assignment);
    return digest.value();
  }

  Index threads_for(const BatchTask& task) const {
    if (task.threads > 0) return task.threads;
    const auto waiting = static_cast<Index>(ready_.size());
    return std::max<Index>(free_cores_ / (task.ranks * std::max<Index>(waiting, 1)), 1);
  }

  bool fits(const BatchTask& task) const {
    const Index cores = task.ranks * std::max<Index>(task.threads, 1);
    const bool has_cores = cores <= free_cores_ || running_.empty();
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

  /// The overrides of a task with the values of its references. InputError where there is no such
  /// value.
  std::vector<std::string> overrides_of(const BatchTask& task) const {
    std::vector<std::string> set;
    for (const std::string& assignment : task.set)
      set.push_back(replace_references(assignment, [&](const Reference& r) -> std::string {
        for (const std::size_t before : task.after) {
          if (batch_.tasks[before].group != r.task) continue;
          const std::string path = task_path(batch_.folder, batch_.tasks[before]);
          return r.dataset.empty() ? path : read_value(path + ".h5", r.dataset, r.row);
        }
        return {};
      }));
    return set;
  }

  void start(std::size_t i, Index threads) {
    const BatchTask& task = batch_.tasks[i];
    TaskRecord& record = records_[i];
    record = {TaskState::running, 0, 0, identity(task)};
    RunningTask running{i, std::min(task.ranks * threads, cores_), {}, Clock::now()};
    try {
      TaskLaunch launch{overrides_of(task),
                        batch_.folder,
                        batch_.launcher,
                        threads,
                        {},
                        false,
                        options_.resume && earlier_.contains(i)};
      if (gpus_.has_gpus()) running.gpus = gpus_.take(std::min(task.ranks, gpus_.size()));
      launch.gpus = running.gpus;
      launch.sees_no_gpu = batch_.gpus == 0;
      journal_.write(task.name, record);
      running_[start_task(task, launch, registry_)] = running;
      free_cores_ -= running.cores;
    } catch (const InputError& error) {
      gpus_.give_back(running.gpus);
      record.code = static_cast<int>(ExitCode::bad_input);
      end(i, TaskState::failed, error.what());
    }
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
      TaskRecord& record = records_[running.task];
      record.seconds = seconds_since(running.started);
      record.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      any = true;
      const BatchTask& task = batch_.tasks[running.task];
      if (record.code == static_cast<int>(ExitCode::done)) {
        end(running.task, TaskState::done, {});
      } else if (record.code == static_cast<int>(ExitCode::stopped_with_checkpoint)) {
        end(running.task, TaskState::stopped, {});
      } else {
        std::string reason = last_error(task_path(batch_.folder, task) + ".log");
        if (record.code == static_cast<int>(exit_unconverged))
          reason = "its results miss their error targets (stop.require_converged)";
        else if (record.code > 128)
          reason = fmt::format("ended by signal {}", record.code - 128);
        end(running.task, TaskState::failed, reason);
      }
    }
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
    if (engine::SignalGuard::received() == 0) return;  // after a failure they may finish
    for (const auto& [pid, running] : running_) kill(pid, SIGUSR1);
  }

  const Batch& batch_;
  const Registry& registry_;
  Journal& journal_;
  const BatchOptions& options_;
  Index cores_, free_cores_;
  GpuPool gpus_;
  std::vector<TaskRecord> records_;
  std::vector<Index> waits_for_;                ///< number of tasks before that are not done
  std::vector<std::vector<std::size_t>> next_;  ///< tasks that come after each
  std::deque<std::size_t> ready_;
  std::set<std::size_t> earlier_;  ///< tasks that an earlier part of the batch has started
  std::map<std::string, std::string> texts_;  ///< of configurations
  std::map<pid_t, RunningTask> running_;
  Index passed_ = 0;
  bool has_failure_ = false, has_signalled_ = false;
  ChildSignals child_signals_;
};

}  // namespace

Index cores_of(const Batch& batch) {
  if (batch.cores > 0) return batch.cores;
  const auto allowed = static_cast<Index>(allowed_processors().count());
  const Index granted = granted_processors();
  return std::max<Index>(granted > 0 ? std::min(allowed, granted) : allowed, 1);
}

std::vector<TaskRecord> run_batch(const Batch& batch, const Registry& registry, Journal& journal,
                                  const BatchOptions& options) {
  return Scheduler(batch, registry, journal, options).run();
}

}  // namespace gsim::app
