#include "gsim/engine/evaluation.hpp"

#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "gsim/io/memory_datasets.hpp"
#include "src/engine/statistics/evaluation_state.hpp"

using namespace gsim;

namespace {

Estimate estimate(const char* name, double mean, double error, const StopRule& stop) {
  Estimate e;
  e.name = name;
  e.mean = mean;
  e.standard_error = error;
  e.converged = stop.converged(e);
  return e;
}

}  // namespace

TEST_CASE("evaluation: the worst estimate is the one that misses its target by most") {
  StopRule stop;
  stop.relative_error = 0.01;
  Evaluation all;
  CHECK(all.worst.name.empty());
  all.add(estimate("a", 10, 0.05, stop), stop);
  all.add(estimate("b", -2, 0.08, stop), stop);  // 4 %
  all.add(estimate("c", 1e6, 2e4, stop), stop);  // 2 %
  CHECK(all.judged == 3);
  CHECK(all.converged == 1);
  CHECK(all.worst.name == "b");
  CHECK(all.worst.error == doctest::Approx(0.04));
  CHECK(all.worst.is_relative);
  CHECK(all.worst_relative_error == doctest::Approx(0.04));
  CHECK(all.worst_absolute_error == 2e4);

  stop.absolute_error = 1;  // both targets must be met: "c" misses this one by a factor of 20,000
  Evaluation both;
  both.add(estimate("b", -2, 0.08, stop), stop);
  both.add(estimate("c", 1e6, 2e4, stop), stop);
  CHECK(both.worst.name == "c");
  CHECK_FALSE(both.worst.is_relative);
  CHECK(both.worst.error == 2e4);
}

TEST_CASE("evaluation: errors that are unknown, and means of 0, are the worst") {
  StopRule stop;
  stop.relative_error = 0.01;
  Evaluation all;
  all.add(estimate("wide", 1, 0.5, stop), stop);
  all.add(estimate("alike", 1, std::numeric_limits<double>::quiet_NaN(), stop), stop);
  CHECK(all.worst.name == "alike");
  CHECK(std::isinf(all.worst.error));
  CHECK(std::isinf(all.worst_relative_error));
  Evaluation zero;
  zero.add(estimate("wide", 1, 0.5, stop), stop);
  zero.add(estimate("zero", 0, 0.5, stop), stop);
  CHECK(zero.worst.name == "zero");
}

TEST_CASE("evaluation: an unconverged estimate is worse than a converged one") {
  // The same as where the error is below its target, but too uncertain.
  StopRule stop;
  stop.absolute_error = 1;
  Evaluation all;
  all.add("early", 0, 0.1, stop, false);
  all.add("done", 0, 0.9, stop, true);
  CHECK(all.worst.name == "early");
  CHECK(all.worst_absolute_error == 0.1);
}

TEST_CASE("evaluation: a checkpoint keeps it") {
  StopRule stop;
  stop.relative_error = 0.01;
  Evaluation all;
  all.add(estimate("a", 10, 0.05, stop), stop);
  all.add(estimate("b", -2, 0.08, stop), stop);
  MemoryDatasets kept(Communicator::self());
  engine::save_evaluation(kept, all);
  const Evaluation again = engine::restore_evaluation(kept);
  CHECK(again.judged == 2);
  CHECK(again.converged == 1);
  CHECK_FALSE(again.all_converged);
  CHECK(again.worst.name == "b");
  CHECK(again.worst.error == all.worst.error);
  CHECK(again.worst.excess == all.worst.excess);
  CHECK(again.worst_absolute_error == all.worst_absolute_error);
  MemoryDatasets empty(Communicator::self());
  engine::save_evaluation(empty, {});
  CHECK(engine::restore_evaluation(empty).judged == 0);
}
