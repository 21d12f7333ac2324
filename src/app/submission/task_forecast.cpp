#include "task_forecast.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gsim/comm/device_binding.hpp"
#include "gsim/core/error.hpp"
#include "src/app/batch/references.hpp"
#include "src/app/input/plugins.hpp"
#include "src/app/run/run_forecast.hpp"

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

/// In the new process: plans the run, measures its beginning for `measure` seconds, and writes the
/// message to `output`.
void plan_and_write(const BatchTask& task, const std::vector<std::string>& set,
                    const Registry& registry, double measure, int output) {
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
    const RunForecast forecast = forecast_run(session, load_configuration(session));
    message.bytes = (forecast.plan.bytes_per_rank * margin + bytes_of_process) *
                    static_cast<double>(task.ranks);
    message.uses_gpu = forecast.options.device == static_cast<int>(DeviceChoice::cuda);
    const bool is_elsewhere =
        message.uses_gpu && forecast.pilot.measurement && !forecast.pilot.measurement->is_on_gpu;
    if (forecast.time && !is_elsewhere)
      message.seconds = forecast.time->seconds * forecast.time->factor;
    else
      problem = is_elsewhere ? "this machine has no GPU to measure it" : forecast.pilot.reason;
  } catch (const std::exception& error) {
    message.has_problem = true;
    problem = error.what();
  }
  std::string text(sizeof message, '\0');
  std::memcpy(text.data(), &message, sizeof message);
  text += problem;
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t n = ::write(output, text.data() + sent, text.size() - sent);
    if (n <= 0) return;
    sent += static_cast<std::size_t>(n);
  }
}

std::string read_all(int input) {
  std::string text;
  char block[4096];
  for (ssize_t n = 0; (n = ::read(input, block, sizeof block)) > 0 || (n < 0 && errno == EINTR);)
    if (n > 0) text.append(block, static_cast<std::size_t>(n));
  return text;
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
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw IoError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  std::fflush(nullptr);
  const pid_t pid = ::fork();
  if (pid < 0) throw IoError(fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (pid == 0) {
    const int nothing = ::open("/dev/null", O_RDWR);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, stream);
    plan_and_write(task, set, registry, measure, ends[1]);
    ::_exit(0);
  }
  ::close(ends[1]);
  const std::string text = read_all(ends[0]);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
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
