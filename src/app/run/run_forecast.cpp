#include "run_forecast.hpp"

#include <utility>

namespace gsim::app {

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
  if (pilot.measurement)
    time = forecast_time(*pilot.measurement, plan, context.stop, context.planned_ranks());
  return {std::move(c.request.options), std::move(context), std::move(plan), std::move(pilot),
          time};
}

}  // namespace gsim::app
