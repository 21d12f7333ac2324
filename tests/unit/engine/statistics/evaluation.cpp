#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "gsim/engine/estimate.hpp"
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

TEST_CASE(
    "evaluation: the worst estimate is the one whose error exceeds its target by the largest "
    "factor") {
  StopRule stop;
  stop.relative_error = 0.01;
  Evaluation evaluation;
  CHECK(evaluation.worst.name.empty());
  evaluation.add(estimate("a", 10, 0.05, stop), stop);
  evaluation.add(estimate("b", -2, 0.08, stop), stop);  // 4 %
  evaluation.add(estimate("c", 1e6, 2e4, stop), stop);  // 2 %
  CHECK(evaluation.judged == 3);
  CHECK(evaluation.converged == 1);
  CHECK(evaluation.worst.name == "b");
  CHECK(evaluation.worst.error == doctest::Approx(0.04));
  CHECK(evaluation.worst.is_relative);
  CHECK(evaluation.worst_relative_error == doctest::Approx(0.04));
  CHECK(evaluation.worst_absolute_error == 2e4);

  stop.absolute_error = 1;  // both targets must be met: "c" misses this one by a factor of 20,000
  Evaluation with_both_targets;
  with_both_targets.add(estimate("b", -2, 0.08, stop), stop);
  with_both_targets.add(estimate("c", 1e6, 2e4, stop), stop);
  CHECK(with_both_targets.worst.name == "c");
  CHECK_FALSE(with_both_targets.worst.is_relative);
  CHECK(with_both_targets.worst.error == 2e4);
}

TEST_CASE("evaluation: unknown errors and relative errors of 0 are the worst") {
  StopRule stop;
  stop.relative_error = 0.01;
  Evaluation evaluation;
  evaluation.add(estimate("wide", 1, 0.5, stop), stop);
  evaluation.add(estimate("unknown", 1, std::numeric_limits<double>::quiet_NaN(), stop), stop);
  CHECK(evaluation.worst.name == "unknown");
  CHECK(std::isinf(evaluation.worst.error));
  CHECK(std::isinf(evaluation.worst_relative_error));
  Evaluation with_zero;
  with_zero.add(estimate("wide", 1, 0.5, stop), stop);
  with_zero.add(estimate("zero", 0, 0.5, stop), stop);
  CHECK(with_zero.worst.name == "zero");
}

TEST_CASE("evaluation: an unconverged estimate is worse than a converged one") {
  // An estimate with an error below its target is unconverged if this error is too uncertain.
  StopRule stop;
  stop.absolute_error = 1;
  Evaluation evaluation;
  evaluation.add("early", 0, 0.1, stop, /*is_converged=*/false);
  evaluation.add("done", 0, 0.9, stop, /*is_converged=*/true);
  CHECK(evaluation.worst.name == "early");
  CHECK(evaluation.worst_absolute_error == 0.1);
}

TEST_CASE("evaluation: an evaluation is saved in a checkpoint and restored") {
  StopRule stop;
  stop.relative_error = 0.01;
  Evaluation evaluation;
  evaluation.add(estimate("a", 10, 0.05, stop), stop);
  evaluation.add(estimate("b", -2, 0.08, stop), stop);
  MemoryDatasets checkpoint(Communicator::self());
  engine::save_evaluation(checkpoint, evaluation);
  const Evaluation restored = engine::restore_evaluation(checkpoint);
  CHECK(restored.judged == 2);
  CHECK(restored.converged == 1);
  CHECK_FALSE(restored.all_converged);
  CHECK(restored.worst.name == "b");
  CHECK(restored.worst.error == evaluation.worst.error);
  CHECK(restored.worst.excess == evaluation.worst.excess);
  CHECK(restored.worst_absolute_error == evaluation.worst_absolute_error);
  MemoryDatasets empty(Communicator::self());
  engine::save_evaluation(empty, {});
  CHECK(engine::restore_evaluation(empty).judged == 0);
}
