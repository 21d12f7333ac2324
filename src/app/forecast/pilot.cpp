#include "pilot.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "gsim/comm/device_binding.hpp"
#include "gsim/core/error.hpp"
#include "gsim/core/timer.hpp"
#include "gsim/engine/run_forecast.hpp"
#include "gsim/engine/signals.hpp"
#include "gsim/exec/device_memory.hpp"
#include "gsim/io/checkpoint_file.hpp"
#include "gsim/io/result_file.hpp"
#include "process_copy.hpp"
#include "src/app/input/named_outputs.hpp"
#include "src/app/start/scratch_folder.hpp"

namespace gsim::app {
namespace {

/// Why the copy of this process measured nothing.
enum class PilotEnd { measured, too_large, failed };

struct PilotMessage {
  PilotEnd end = PilotEnd::failed;
  PilotMeasurement measurement;
};
static_assert(std::is_trivially_copyable_v<PilotMessage>);

/// Bytes of memory that programs could still get without swapping (MemAvailable of /proc/meminfo);
/// infinite where that is unknown.
double free_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("MemAvailable:")) return 1024 * std::stod(line.substr(13));
  return std::numeric_limits<double>::infinity();
}

struct Slice {
  Index units;
  double seconds;
};

/// The slices after the first quarter of the measured time; at least the last one.
void keep_warm_part(const std::vector<Slice>& slices, PilotMeasurement& pilot) {
  double all = 0, before = 0;
  for (const Slice& slice : slices) all += slice.seconds;
  std::size_t first = 0;
  while (first + 1 < slices.size() && before < 0.25 * all) before += slices[first++].seconds;
  for (std::size_t i = first; i < slices.size(); ++i) {
    pilot.warm_units += slices[i].units;
    pilot.warm_seconds += slices[i].seconds;
  }
  pilot.slices = static_cast<Index>(slices.size() - first);
  const double mean = pilot.warm_seconds / static_cast<double>(pilot.warm_units);
  double squares = 0;
  for (std::size_t i = first; i < slices.size(); ++i) {
    const double d = slices[i].seconds / static_cast<double>(slices[i].units) / mean - 1;
    squares += d * d;
  }
  pilot.spread = pilot.slices > 1 ? std::sqrt(squares / static_cast<double>(pilot.slices - 1)) : 0;
}

/// The number of evaluation points after `done` units. Where there are very many, those of the
/// first part are counted and extrapolated.
double count_evaluations(const Module& module, Index done, Index total) {
  constexpr Index most = 100'000;
  Index count = 0, at = done;
  for (; at < total && count < most; ++count) at = std::min(module.next_evaluation(at), total);
  return at < total ? static_cast<double>(count) * static_cast<double>(total - done) /
                          static_cast<double>(at - done)
                    : static_cast<double>(count);
}

/// The state of the error targets after the measured units, between evaluation points.
Evaluation evaluate_now(Module& module, const StopRule& stop) {
  module.update_estimates();
  Evaluation evaluation;
  for (Estimate estimate : module.estimates()) {
    if (!estimate.is_judged) continue;
    estimate.converged = stop.converged(estimate);
    evaluation.add(estimate, stop);
  }
  return evaluation;
}

/// Runs the first units of a prepared module for about `seconds`.
PilotMeasurement measure(Module& module, const Context& context, const WorkPlan& plan,
                         double seconds) {
  PilotMeasurement pilot;
  std::vector<Slice> slices;
  Evaluation evaluation;
  Index evaluated_at = 0, count = std::max<Index>(plan.units_at_once, 1), evaluations = 0;
  double evaluating = 0;
  bool is_converged = false;
  const Stopwatch whole;
  while (pilot.done < plan.total_units && !is_converged && whole.seconds() < seconds) {
    const Index target = std::min(module.next_evaluation(pilot.done), plan.total_units);
    const Index units = std::min(count, target - pilot.done);
    const Stopwatch watch;
    module.advance(pilot.done, units);
    context.executor.synchronize();
    slices.push_back({units, watch.seconds()});
    pilot.done += units;
    if (slices.back().seconds < seconds / 16) count *= 2;
    if (pilot.done != target) continue;
    const Stopwatch judging;
    evaluation = module.evaluate(pilot.done);
    evaluating += judging.seconds();
    evaluated_at = pilot.done;
    ++evaluations;
    is_converged = evaluation.all_converged;
  }
  pilot.seconds = whole.seconds();
  pilot.is_whole = is_converged || pilot.done >= plan.total_units;
  if (!slices.empty()) keep_warm_part(slices, pilot);
  if (evaluations > 0) pilot.evaluation_seconds = evaluating / static_cast<double>(evaluations);
  pilot.evaluations_left = count_evaluations(module, pilot.done, plan.total_units);
  if (evaluated_at == 0 && context.stop.has_error_target()) {
    evaluation = evaluate_now(module, context.stop);
    evaluated_at = pilot.done;
  }
  pilot.units_to_targets =
      units_to_targets(context.stop, evaluation, evaluated_at, pilot.done, plan.total_units);
  pilot.threads = context.executor.threads();
  pilot.is_on_gpu = context.executor.is_cuda();
  return pilot;
}

/// Writes results and a checkpoint of the state as a run does at its end, and returns the seconds
/// that it takes. Nothing is written where they could be large: then their time is a small part.
double measure_end(Module& module, const RunRequest& request, const WorkPlan& plan,
                   const std::string& folder, Index done) {
  constexpr double large = 2.5e8;  // bytes
  if (plan.bytes_per_rank > large) return 0;
  const Stopwatch watch;
  const Communicator alone = Communicator::self();
  if (request.options.checkpoint_at_end)
    write_checkpoint(alone, folder + "/pilot", request.identity, done,
                     [&](DatasetWriter& writer) { module.save(writer); });
  module.update_estimates();
  ResultFile results(alone, folder + "/pilot.h5");
  module.write_results(results);
  results.commit();
  return watch.seconds();
}

/// Reads the configuration again where it names further output files, which then get names in
/// `folder`; else returns null.
std::unique_ptr<Configuration> with_outputs_in(const std::string& folder, const Session& session,
                                               const Configuration& c) {
  if (c.outputs.empty()) return nullptr;
  Arguments arguments = session.arguments;
  arguments.set.clear();  // the resolved configuration contains them
  arguments.log = LogStyle::quiet;
  const Session alone{arguments, session.registry, session.plugins, Communicator::self(),
                      session.launch};
  return std::make_unique<Configuration>(load_configuration(
      alone, {c.request.config_name, c.request.config_resolved, reader_of(c.request.input_files),
              outputs_beside(folder + "/pilot", c.outputs)}));
}

/// In the copy of the process.
PilotMessage run_pilot(const Session& session, const Configuration& configuration, double seconds,
                       const std::string& folder) {
  const double before = processor_seconds();  // of the start and of reading the configuration
  const auto changed = with_outputs_in(folder, session, configuration);
  const Configuration& c = changed ? *changed : configuration;
  const Session alone{session.arguments, session.registry, session.plugins, Communicator::self(),
                      session.launch};
  const Stopwatch preparing;
  Context context = make_context(alone, c, planned_executor(alone, c.request.options));
  context.output = folder + "/pilot";
  context.warn = {};
  const WorkPlan plan = c.module->plan(context);
  if (!context.executor.is_cuda() && plan.bytes_per_rank > 0.5 * free_memory())
    return {PilotEnd::too_large, {}};
  c.module->prepare();
  context.executor.synchronize();
  const double start = before + preparing.seconds();
  PilotMessage message{PilotEnd::measured, measure(*c.module, context, plan, seconds)};
  message.measurement.start_seconds = start;
  message.measurement.end_seconds =
      measure_end(*c.module, c.request, plan, folder, message.measurement.done);
  message.measurement.device_bytes = static_cast<double>(peak_device_memory(context.executor));
  message.measurement.planned_bytes = plan.bytes_per_rank;
  return message;
}

/// The outcome of a measurement in a copy of this process, which had `seconds` for it.
PilotOutcome outcome_of(const CopyOutput& output, double seconds) {
  if (output.is_late)
    return {{},
            fmt::format("the run had not come far enough after {:.2g} s (--measure SECONDS "
                        "gives more time)",
                        seconds)};
  PilotMessage message;
  if (output.bytes.size() == sizeof message)
    std::memcpy(&message, output.bytes.data(), sizeof message);
  if (message.end == PilotEnd::failed) return {{}, "its beginning could not be run"};
  if (message.end == PilotEnd::too_large)
    return {{}, "it needs more than half of the memory that is free"};
  return {message.measurement, {}};
}

}  // namespace

Executor planned_executor(const Session& session, const RunOptions& options) {
  const bool has_gpu =
      options.device != static_cast<int>(DeviceChoice::cpu) && why_no_device().empty();
  return has_gpu
             ? make_executor(session, options)
             : bind_executor(DeviceChoice::cpu, session.launch, static_cast<int>(options.threads));
}

namespace {

/// measure_pilot(), but a signal ends only the measurement.
PilotOutcome measure_until_signal(const Session& session, const Configuration& configuration,
                                  double seconds) {
  try {
    const ScratchFolder folder("gsim-check");
    // Errors are not sent: the caller reports those of the configuration, and that nothing was
    // measured.
    const auto send = [&] {
      const PilotMessage message =
          run_pilot(session, configuration, seconds, folder.path().string());
      return std::string(reinterpret_cast<const char*>(&message), sizeof message);
    };
    constexpr double patience = 10;
    return outcome_of(run_in_copy(send, patience * seconds), patience * seconds);
  } catch (const IoError& error) {
    return {{}, error.what()};
  }
}

}  // namespace

PilotOutcome measure_pilot(const Session& session, const Configuration& configuration,
                           double seconds) {
  int signal = 0;
  PilotOutcome outcome;
  {
    const engine::SignalGuard guard(true);
    outcome = measure_until_signal(session, configuration, seconds);
    signal = engine::SignalGuard::received();
  }
  if (signal != 0) ::raise(signal);  // now that the files are removed
  return outcome;
}

}  // namespace gsim::app
