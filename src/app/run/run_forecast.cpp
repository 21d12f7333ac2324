#include "run_forecast.hpp"

#include <utility>

namespace gsim::app {

namespace {

/// The memory that a rank allocates on its GPU: measured on one rank, and for several ranks in
/// proportion to the memory of a rank by the plan.
std::optional<double> device_bytes(const PilotMeasurement& pilot, const WorkPlan& plan, int ranks) {
  if (!pilot.is_on_gpu) return std::nullopt;
  const bool is_scaled = ranks > 1 && pilot.planned_bytes > 0;
  return pilot.device_bytes * (is_scaled ? plan.bytes_per_rank / pilot.planned_bytes : 1);
}

}  // namespace

RunForecast forecast_run(const Session& session, Configuration c) {
  const double seconds = session.arguments.measure;
  PilotOutcome pilot{{}, "--measure 0 is given"};
  // Before this process chooses a GPU, which its copy could then not use.
  if (session.communicator.is_root() && seconds > 0) pilot = measure_pilot(session, c, seconds);
  Context context = make_context(session, c, planned_executor(session, c.request.options));
  context.forecast_ranks = session.arguments.ranks;
  WorkPlan plan;
  session.communicator.agree([&] {
    plan = c.module->plan(context);
    check_targets(context.stop, plan);
  });
  std::optional<TimeForecast> time;
  std::optional<double> on_device;
  if (pilot.measurement) {
    time = forecast_time(*pilot.measurement, plan, context.stop, context.planned_ranks());
    on_device = device_bytes(*pilot.measurement, plan, context.planned_ranks());
  }
  return {std::move(c.request.options),
          std::move(context),
          std::move(plan),
          std::move(pilot),
          time,
          on_device};
}

}  // namespace gsim::app
