// The arithmetic of forecasts of time; validation/performance/time_forecast.py measures how good
// they are.

#include "src/app/forecast/time_forecast.hpp"

#include <doctest/doctest.h>

using namespace gsim;
using namespace gsim::app;

namespace {

WorkPlan thousand_blocks() {
  WorkPlan plan;
  plan.unit_name = "block";
  plan.total_units = 1000;
  return plan;
}

/// 100 blocks in 3 s, of which the last 50 took 1 s; 9 evaluations of 0.2 s are left.
PilotMeasurement hundred_blocks() {
  PilotMeasurement pilot;
  pilot.start_seconds = 4;
  pilot.end_seconds = 1;
  pilot.done = 100;
  pilot.seconds = 3;
  pilot.warm_units = 50;
  pilot.warm_seconds = 1;
  pilot.slices = 8;
  pilot.spread = 0.1;
  pilot.evaluations_left = 9;
  pilot.evaluation_seconds = 0.2;
  pilot.units_to_targets = 1000;
  pilot.threads = 4;
  return pilot;
}

}  // namespace

TEST_CASE("forecast_time: the rest takes the time of the warm part and of its evaluations") {
  const WorkPlan plan = thousand_blocks();
  PilotMeasurement pilot = hundred_blocks();
  const TimeForecast one = forecast_time(pilot, plan, {}, 1);
  CHECK(one.seconds == doctest::Approx(5 + 3 + 900 * 0.02 + 9 * 0.2));
  CHECK(one.seconds_to_targets == one.seconds);
  CHECK(one.factor == doctest::Approx(1.4));
  CHECK(one.core_hours == doctest::Approx(one.seconds * 4 / 3600));
  CHECK(one.gpu_hours == 0);
  // Ranks share the work, not the start and the files.
  const TimeForecast ten = forecast_time(pilot, plan, {}, 10);
  CHECK(ten.seconds == doctest::Approx(5 + 0.1 * (one.seconds - 5)));
  CHECK(ten.core_hours == doctest::Approx(ten.seconds * 40 / 3600));
  pilot.units_to_targets = 550;  // a half of the rest
  CHECK(forecast_time(pilot, plan, {}, 1).seconds_to_targets ==
        doctest::Approx(5 + 3 + 450 * 0.02 + 4.5 * 0.2));
  pilot.is_on_gpu = true;
  CHECK(forecast_time(pilot, plan, {}, 2).gpu_hours ==
        doctest::Approx(2 * forecast_time(pilot, plan, {}, 2).seconds / 3600));
}

TEST_CASE("forecast_time: wall time ends a run, and short measurements are uncertain") {
  const WorkPlan plan = thousand_blocks();
  PilotMeasurement pilot = hundred_blocks();
  StopRule stop;
  stop.wall_time = 7;
  CHECK(forecast_time(pilot, plan, stop, 1).seconds == 7);
  pilot.slices = 3;
  CHECK(forecast_time(pilot, plan, {}, 1).factor == 2);
  pilot.slices = 10;
  pilot.spread = 3;
  CHECK(forecast_time(pilot, plan, {}, 1).factor == 2);
}

TEST_CASE("forecast_time: a run that ended while it was measured took that time") {
  PilotMeasurement pilot = hundred_blocks();
  pilot.is_whole = true;
  const TimeForecast forecast = forecast_time(pilot, thousand_blocks(), {}, 1);
  CHECK(forecast.seconds == 8);
  CHECK(forecast.seconds_to_targets == 8);
}

TEST_CASE("forecast_text: time, uncertainty, cost, and what was measured") {
  PilotMeasurement pilot = hundred_blocks();
  const WorkPlan plan = thousand_blocks();
  CHECK(
      forecast_text(forecast_time(pilot, plan, {}, 1), pilot, plan, 1) ==
      "27.8 s (within a factor of 1.4) on 4 threads, 0.031 core-h; measured 100 blocks of 1000 in "
      "3 s");
  pilot.units_to_targets = 550;
  CHECK(forecast_text(forecast_time(pilot, plan, {}, 1), pilot, plan, 1)
            .starts_with("17.9 s until the error targets are met, at most 27.8 s (within"));
}
