#include "time_forecast.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/text.hpp"

namespace gsim::app {
namespace {

/// Slices of a run differ by their spread, and the rest of a run from its beginning: by a fifth
/// where nothing else is known, and by up to a factor of two where little was measured.
double factor_of(const PilotMeasurement& pilot) {
  if (pilot.is_whole) return 1.2;
  constexpr Index few = 4;
  return pilot.slices < few ? 2 : std::min(1.2 + 2 * pilot.spread, 2.0);
}

}  // namespace

TimeForecast forecast_time(const PilotMeasurement& pilot, const WorkPlan& plan,
                           const StopRule& stop, int ranks) {
  TimeForecast forecast;
  const double per_unit =
      pilot.warm_units > 0 ? pilot.warm_seconds / static_cast<double>(pilot.warm_units) : 0;
  // Ranks share the units of work, not the start of the program and the files.
  const double fixed = pilot.start_seconds + pilot.end_seconds;
  const auto time_of = [&](double units) {
    const double left = std::max(units - static_cast<double>(pilot.done), 0.0);
    const double all = static_cast<double>(plan.total_units - pilot.done);
    const double part = all > 0 ? left / all : 0;
    const double work =
        pilot.seconds + left * per_unit + part * pilot.evaluations_left * pilot.evaluation_seconds;
    return fixed + work / ranks;
  };
  forecast.factor = factor_of(pilot);
  forecast.seconds = pilot.is_whole ? fixed + pilot.seconds / ranks
                                    : time_of(static_cast<double>(plan.total_units));
  forecast.seconds_to_targets = pilot.is_whole
                                    ? forecast.seconds
                                    : std::min(time_of(pilot.units_to_targets), forecast.seconds);
  if (stop.wall_time > 0) {
    forecast.seconds = std::min(forecast.seconds, stop.wall_time);
    forecast.seconds_to_targets = std::min(forecast.seconds_to_targets, stop.wall_time);
  }
  constexpr double hour = 3600;
  forecast.core_hours = forecast.seconds * ranks * pilot.threads / hour;
  forecast.gpu_hours = pilot.is_on_gpu ? forecast.seconds * ranks / hour : 0;
  return forecast;
}

std::string forecast_text(const TimeForecast& forecast, const PilotMeasurement& pilot,
                          const WorkPlan& plan, int ranks) {
  const bool has_earlier_end = forecast.seconds_to_targets < 0.99 * forecast.seconds;
  std::string text =
      human_duration(has_earlier_end ? forecast.seconds_to_targets : forecast.seconds);
  if (has_earlier_end)
    text += fmt::format(" until the error targets are met, at most {}",
                        human_duration(forecast.seconds));
  text += fmt::format(" (within a factor of {}) on ", human_number(forecast.factor, 2));
  if (ranks > 1) text += fmt::format("{} ranks of ", ranks);
  text += pilot.is_on_gpu ? fmt::format("a GPU, {} GPU-h", human_number(forecast.gpu_hours, 2))
                          : fmt::format("{}, {} core-h", count_of(pilot.threads, "thread"),
                                        human_number(forecast.core_hours, 2));
  if (ranks > 1) text += ", if they share the work evenly and need no time for messages";
  return fmt::format("{}; measured {} {} of {} in {:.2g} s", text, pilot.done,
                     pilot.done == 1 ? plan.unit_name : plural(plan.unit_name), plan.total_units,
                     pilot.seconds);
}

Json forecast_json(const TimeForecast& forecast, const PilotMeasurement& pilot) {
  return Json::object()
      .set("seconds", forecast.seconds)
      .set("seconds_low", forecast.seconds / forecast.factor)
      .set("seconds_high", forecast.seconds * forecast.factor)
      .set("seconds_to_targets", forecast.seconds_to_targets)
      .set("core_hours", forecast.core_hours)
      .set("gpu_hours", forecast.gpu_hours)
      .set("start_seconds", pilot.start_seconds)
      .set("measured_units", pilot.done)
      .set("measured_seconds", pilot.seconds)
      .set("threads", pilot.threads);
}

}  // namespace gsim::app
