#include "gsim/engine/run_forecast.hpp"

#include <limits>

#include <doctest/doctest.h>

using namespace gsim;

TEST_CASE("units_to_targets: errors decrease with the square root of the samples") {
  StopRule stop;
  Evaluation evaluation;
  evaluation.worst_relative_error = 0.02;
  evaluation.worst_absolute_error = 3;
  CHECK(units_to_targets(stop, evaluation, 100, 120, 5000) == 5000);  // no targets
  stop.relative_error = 0.01;
  CHECK(units_to_targets(stop, evaluation, 100, 120, 5000) == doctest::Approx(400));
  CHECK(units_to_targets(stop, evaluation, 100, 450, 5000) == 450);  // not less than is done
  CHECK(units_to_targets(stop, evaluation, 100, 120, 300) == 300);   // not more than all
  stop.relative_error = 0;
  stop.absolute_error = 1;
  CHECK(units_to_targets(stop, evaluation, 100, 120, 5000) == doctest::Approx(900));
  evaluation.worst_absolute_error = std::numeric_limits<double>::infinity();
  CHECK(units_to_targets(stop, evaluation, 100, 120, 5000) == 5000);
}
