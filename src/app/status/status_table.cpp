// The states of runs as a table and as JSON.

#include <cmath>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "gsim/core/text_columns.hpp"
#include "run_status.hpp"

namespace gsim::app {
namespace {

bool is_known(double x) { return !std::isnan(x); }

/// "45 %"; 100 % only when it is reached.
std::string percent(double ratio) {
  if (!is_known(ratio)) return {};
  return fmt::format("{:.0f} %", std::min(100 * ratio, ratio < 1 ? 99.0 : 100.0));
}

std::string work(const RunStatus& run) {
  if (!is_known(run.work_done)) return {};
  const double planned = is_known(run.work_planned) ? run.work_planned : run.work_done;
  return fmt::format("{:.0f} of {:.0f} {}", run.work_done, planned,
                     planned == 1 ? run.unit : plural(run.unit));
}

std::string time_left(const RunStatus& run) {
  return run.state == "running" && is_known(run.remaining) ? human_clock(run.remaining) : "";
}

/// "1.2 % of T00313, 3 of 12 converged".
std::string largest_error(const RunStatus& run) {
  std::string text;
  if (is_known(run.relative_error)) text = human_number(100 * run.relative_error, 2) + " %";
  if (is_known(run.absolute_error)) text = human_number(run.absolute_error, 2);
  if (!text.empty() && !run.worst_estimate.empty()) text += " of " + excerpt(run.worst_estimate);
  if (is_known(run.judged) && run.judged > 1)
    text += fmt::format("{}{:.0f} of {:.0f} converged", text.empty() ? "" : ", ", run.converged,
                        run.judged);
  return text;
}

/// "2 ranks × 1 thread, imbalance 4 %", "1 GPU, 92 % used".
std::string resources(const RunStatus& run) {
  if (!is_known(run.ranks)) return {};
  std::string text;
  if (run.gpus > 0) {
    text = count_of(static_cast<long long>(run.gpus), "GPU");
    if (is_known(run.gpu_utilization)) text += ", " + percent(run.gpu_utilization) + " used";
  } else {
    text = count_of(static_cast<long long>(run.threads), "core");
  }
  if (run.ranks > 1 && is_known(run.imbalance)) text += ", imbalance " + percent(run.imbalance);
  return text;
}

/// The energy in joules; NaN where no counter tells it.
double joules(const RunStatus& run) {
  if (!is_known(run.cpu_joules)) return run.gpu_joules;
  return is_known(run.gpu_joules) ? run.cpu_joules + run.gpu_joules : run.cpu_joules;
}

constexpr double hour = 3600, kilowatt_hour = 3.6e6;

/// "0.52 core-h, 0.013 kWh, 0.09 EUR".
std::string cost(const RunStatus& run) {
  std::string text;
  const auto add = [&](double value, const std::string& unit) {
    if (is_known(value))
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", human_number(value, 2), unit);
  };
  if (run.gpus > 0)
    add(run.gpu_seconds / hour, "GPU-h");
  else
    add(run.core_seconds / hour, "core-h");
  add(joules(run) / kilowatt_hour, "kWh");
  add(run.cost, escape_controls(run.currency));
  return text;
}

/// The line below the table about a run that needs attention; empty for others.
std::string note(const RunStatus& run) {
  if (run.state == "running" || run.state == "finished" || run.state == "starting") return {};
  std::string why = run.remark;
  if (run.state == "interrupted") {
    if (why == "signal") why = "by a signal";
    if (why == "time_limit") why = "before its time limit";
    why += why.empty() ? "go on with --resume" : "; go on with --resume";
  }
  return fmt::format("{} {}{}{}\n", escape_controls(run.name), run.state, why.empty() ? "" : ": ",
                     escape_controls(why));
}

}  // namespace

Json RunStatus::json() const {
  Json object = Json::object();
  const auto put_text = [&](const char* key, const std::string& text) {
    if (!text.empty()) object.set(key, text);
  };
  const auto put = [&](const char* key, double value) {
    if (is_known(value)) object.set(key, value);
  };
  object.set("run", name).set("state", state);
  put_text("remark", remark);
  put_text("file", file);
  put_text("module", module);
  put_text("config", config);
  put_text("version", version);
  put_text("host", host);
  if (pid != 0) object.set("pid", pid);
  put_text("platform", platform);
  put_text("result", result);
  put("started", started);
  put("updated", updated);
  put("seconds", duration);
  put("earlier_seconds", earlier_duration);
  put("progress", progress);
  put("work_done", work_done);
  put("work_planned", work_planned);
  put_text("unit", unit);
  put("rate", rate);
  if (!item.empty()) object.set("rate_unit", item + "/s");
  put("seconds_left", remaining);
  put("judged", judged);
  put("converged", converged);
  put_text("worst", worst_estimate);
  put("worst_relative_error", relative_error);
  put("worst_absolute_error", absolute_error);
  put("ranks", ranks);
  put("threads", threads);
  put("hosts", hosts);
  put("gpus", gpus);
  put("imbalance", imbalance);
  put("memory_bytes", memory);
  put("largest_rank_memory_bytes", largest_rank_memory);
  put("gpu_utilization", gpu_utilization);
  put("gpu_memory_bytes", gpu_memory);
  put("core_hours", core_seconds / hour);
  put("gpu_hours", gpu_seconds / hour);
  put("kwh", joules(*this) / kilowatt_hour);
  put("cost", cost);
  put_text("currency", currency);
  return object;
}

std::string status_table(const std::vector<RunStatus>& runs) {
  TextColumn names{false, {"run"}}, states{false, {"state"}}, progress{true, {"progress"}},
      units{true, {"work"}}, rates{true, {"rate"}}, left{true, {"left"}},
      errors{false, {"largest error"}}, memory{true, {"memory"}}, places{false, {"on"}},
      costs{false, {"cost"}};
  std::string notes;
  for (const RunStatus& run : runs) {
    names.cells.push_back(shorten(escape_controls(run.name), 40));
    states.cells.push_back(run.state);
    progress.cells.push_back(percent(run.progress));
    units.cells.push_back(escape_controls(work(run)));
    rates.cells.push_back(is_known(run.rate) ? escape_controls(fmt::format(
                                                   "{} {}/s", human_number(run.rate), run.item))
                                             : "");
    left.cells.push_back(time_left(run));
    errors.cells.push_back(largest_error(run));
    memory.cells.push_back(is_known(run.memory) ? human_bytes(run.memory) : "");
    places.cells.push_back(resources(run));
    costs.cells.push_back(cost(run));
    notes += note(run);
  }
  return align_columns(std::vector<TextColumn>{names, states, progress, units, rates, left, errors,
                                               memory, places, costs}) +
         notes;
}

}  // namespace gsim::app
