#include "status_reporter.hpp"

#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "gsim/core/build_info.hpp"
#include "gsim/core/error.hpp"
#include "gsim/core/host_name.hpp"
#include "gsim/core/process.hpp"
#include "gsim/core/prometheus_text.hpp"
#include "gsim/io/replace_file.hpp"
#include "run_usage.hpp"

namespace gsim::engine {
namespace {

class StatusReporter : public Reporter {
 public:
  StatusReporter(StatusOptions options, std::function<void(const std::string&)> warn)
      : options_(std::move(options)), warn_(std::move(warn)) {}

  void start(const RunRequest& request, const WorkPlan& plan) override {
    plan_ = plan;
    started_ = unix_time();
    std::error_code none;
    std::string result = std::filesystem::absolute(request.options.output, none).string();
    run_ = result.ends_with(".h5") ? result.substr(0, result.size() - 3) : result;
    info_ = {{"module", request.options.module},     {"config", request.config_name},
             {"version", build_info().version},      {"host", host_name()},
             {"pid", fmt::format("{}", ::getpid())}, {"process_start", process_start(::getpid())},
             {"platform", request.platform},         {"result", std::move(result)}};
    progress_.seconds_left = std::numeric_limits<double>::infinity();
    const std::filesystem::path folder = std::filesystem::path(options_.file).parent_path();
    std::filesystem::create_directories(folder, none);  // an error is one of replace_file(), too
    write("running", "");
  }
  void resumed(const OpenCheckpoint& from) override { progress_.done = from.units_done; }
  void progress(const Progress& p) override {
    if (p.usage == nullptr) return;
    keep(p);
    write("running", "");
  }
  void end(const Ending& e, const RegionTimer& /*timer*/) override {
    const bool is_finished = !e.outcome->result_path.empty();
    progress_.done = e.outcome->units_done;
    if (is_finished) progress_.fraction = 1;
    progress_.seconds_left = is_finished ? 0 : std::numeric_limits<double>::infinity();
    progress_.rate = e.rate;
    progress_.has_targets = e.has_targets;
    progress_.evaluation = e.evaluation;
    progress_.seconds = e.seconds;
    progress_.earlier_seconds = e.earlier_seconds;
    if (e.usage != nullptr) usage_ = *e.usage;
    if (options_.price_per_kwh > 0 && std::isnan(usage_.cpu_joules) &&
        std::isnan(usage_.gpu_joules) && warn_)
      warn_(
          "no energy counter of these machines can be read, so that the cost of the run is "
          "without status.price_per_kwh");
    write(is_finished ? "finished" : "interrupted", to_string(e.outcome->reason));
  }

 private:
  void keep(const Progress& p) {
    progress_ = p;
    usage_ = *p.usage;
  }

  void write(const std::string& state, const std::string& reason) {
    if (has_failed_) return;
    PrometheusText text({{"run", run_}});
    add_state(text, state, reason);
    add_progress(text);
    add_usage(text);
    add_cost(text);
    try {
      replace_file(options_.file, text.text());
    } catch (const IoError& error) {
      has_failed_ = true;
      if (warn_)
        warn_(
            fmt::format("{}; the run goes on, and its status is no longer written", error.what()));
    }
  }

  void add_state(PrometheusText& text, const std::string& state, const std::string& reason) {
    text.gauge("gsim_run_info", "What the run is and where rank 0 runs; always 1.", 1, info_);
    const char* const name = "gsim_run_state";
    text.gauge(name, "1 for the state of the run, 0 for the others.", state == "running" ? 1 : 0,
               {{"state", "running"}});
    for (const char* other : {"finished", "interrupted", "failed"})
      text.sample(name, state == other ? 1 : 0, {{"state", other}});
    if (!reason.empty())
      text.gauge("gsim_run_end_info", "Why the run ended; always 1.", 1, {{"reason", reason}});
    text.gauge("gsim_run_start_time_seconds",
               "Start of this part of the run, in seconds since 1970.", started_);
    text.gauge("gsim_run_update_time_seconds", "Time of this status, in seconds since 1970.",
               unix_time());
    text.gauge("gsim_run_update_interval_seconds", "Shortest time between two states of this file.",
               options_.interval);
    text.gauge("gsim_run_duration_seconds", "Wall time of this part of the run.",
               progress_.seconds);
    text.gauge("gsim_run_earlier_duration_seconds",
               "Wall time of the parts from which this one was resumed.",
               progress_.earlier_seconds);
  }

  void add_progress(PrometheusText& text) {
    const auto finite = [](double x) { return std::isfinite(x) ? x : not_measured; };
    const Evaluation& e = progress_.evaluation;
    const MetricLabels unit{{"unit", plan_.unit_name}};
    text.gauge("gsim_run_progress_ratio",
               "Finished part of the run until its first stop condition is met, 0 to 1.",
               progress_.fraction);
    text.gauge("gsim_run_work_done", "Finished units of work.", static_cast<double>(progress_.done),
               unit);
    text.gauge("gsim_run_work_planned", "Units of work after which the run ends at the latest.",
               static_cast<double>(plan_.total_units), unit);
    if (plan_.items_per_unit > 0 && progress_.rate > 0)
      text.gauge("gsim_run_items_per_second", "Rate of the work.", progress_.rate,
                 {{"item", plan_.item_name}});
    text.gauge("gsim_run_remaining_seconds", "Time that is left by the rate and the errors so far.",
               finite(progress_.seconds_left));
    if (progress_.has_targets) {
      text.gauge("gsim_run_estimates_judged", "Estimates with an error target.",
                 static_cast<double>(e.judged));
      text.gauge("gsim_run_estimates_converged", "Estimates that meet their error targets.",
                 static_cast<double>(e.converged));
    }
    if (e.judged == 0 || !std::isfinite(e.worst.error)) return;
    const MetricLabels name{{"estimate", e.worst.name}};
    if (e.worst.is_relative)
      text.gauge("gsim_run_largest_error_ratio",
                 "Standard error over mean of the estimate that is farthest from its target.",
                 e.worst.error, name);
    else
      text.gauge("gsim_run_largest_error",
                 "Standard error of the estimate that is farthest from its target, in its unit.",
                 e.worst.error, name);
  }

  void add_usage(PrometheusText& text) {
    if (usage_.ranks == 0) return;
    text.gauge("gsim_run_ranks", "MPI ranks.", static_cast<double>(usage_.ranks));
    text.gauge("gsim_run_threads", "Host threads of all ranks.",
               static_cast<double>(usage_.threads));
    text.gauge("gsim_run_hosts", "Machines.", static_cast<double>(usage_.hosts));
    text.gauge("gsim_run_gpus", "GPUs.", static_cast<double>(usage_.gpus));
    text.gauge("gsim_run_imbalance_ratio",
               "Largest busy time of a rank over the mean, less 1; 0 is perfect balance.",
               usage_.imbalance);
    text.gauge("gsim_run_peak_memory_bytes",
               "The most physical memory that each rank has used so far, sum over ranks.",
               usage_.peak_memory_bytes);
    text.gauge("gsim_run_largest_peak_memory_bytes",
               "The most physical memory that a rank has used so far.",
               usage_.largest_peak_memory_bytes);
    text.gauge("gsim_run_gpu_utilization_ratio",
               "Share of the last sample period with a kernel on the GPU, mean over GPUs.",
               usage_.gpu_utilization);
    text.gauge("gsim_run_gpu_memory_used_bytes",
               "Used memory of the GPUs, that of other programs included.",
               usage_.gpu_memory_bytes);
  }

  // Energy is that of whole machines and GPUs, which other programs may share.
  void add_cost(PrometheusText& text) {
    if (usage_.ranks == 0) return;
    const double core_seconds = progress_.seconds * static_cast<double>(usage_.threads);
    const double gpu_seconds = progress_.seconds * static_cast<double>(usage_.gpus);
    text.counter("gsim_run_core_seconds_total", "Wall time times threads, of this part of the run.",
                 core_seconds);
    text.counter("gsim_run_gpu_seconds_total", "Wall time times GPUs, of this part of the run.",
                 gpu_seconds);
    const char* const energy = "gsim_run_energy_joules_total";
    const char* const help =
        "Energy since the start of this part, of the whole processors and GPUs that the run uses.";
    if (std::isnan(usage_.cpu_joules)) {
      text.counter(energy, help, usage_.gpu_joules, {{"source", "gpu"}});
    } else {
      text.counter(energy, help, usage_.cpu_joules, {{"source", "cpu"}});
      text.sample(energy, usage_.gpu_joules, {{"source", "gpu"}});
    }
    if (!options_.has_price()) return;
    const auto known = [](double joules) { return std::isnan(joules) ? 0 : joules; };
    constexpr double hour = 3600, kilowatt_hour = 3.6e6;
    const double kilowatt_hours =
        (known(usage_.cpu_joules) + known(usage_.gpu_joules)) / kilowatt_hour;
    text.counter("gsim_run_cost_total",
                 "Cost of this part by the prices of the configuration; energy that no counter "
                 "tells costs nothing.",
                 options_.price_per_core_hour * core_seconds / hour +
                     options_.price_per_gpu_hour * gpu_seconds / hour +
                     options_.price_per_kwh * kilowatt_hours,
                 {{"currency", options_.currency}});
  }

  StatusOptions options_;
  std::function<void(const std::string&)> warn_;
  WorkPlan plan_;
  std::string run_;
  MetricLabels info_;
  double started_ = 0;
  Progress progress_;
  RunUsage usage_;
  bool has_failed_ = false;
};

}  // namespace

std::unique_ptr<Reporter> make_status_reporter(const StatusOptions& options,
                                               std::function<void(const std::string&)> warn) {
  return std::make_unique<StatusReporter>(options, std::move(warn));
}

}  // namespace gsim::engine
