#include "gsim/engine/trial.hpp"

#include <memory>

#include <doctest/doctest.h>

#include "support/test_modules/pi_sampler.hpp"

using namespace gsim;

namespace {

Trial sampler_trial(const std::string& keys = "") {
  Trial trial;
  trial.make = [] { return std::make_unique<test_modules::Sampler>(); };
  trial.config =
      "module = \"sampler\"\nseed = 7\n[sampler]\nblocks = 40\nblock_samples = 32\n" + keys;
  return trial;
}

}  // namespace

TEST_CASE("trial: the same state, results and digest on other ranks, threads and slices") {
  const TrialOutcome reference = run_trial(sampler_trial());
  CHECK(reference.done == 40);
  CHECK(reference.estimates.size() == 2);
  CHECK(reference.results.datasets.count("estimates/mean") == 1);
  for (const int ranks : {2, 3, 4, 7}) {
    Trial trial = sampler_trial();
    trial.ranks = ranks;
    trial.threads = ranks % 3 + 1;
    trial.slice = ranks;
    const TrialOutcome result = run_trial(trial);
    CHECK(result.digest == reference.digest);
    CHECK(result.state == reference.state);
    CHECK(result.results == reference.results);
  }
}

TEST_CASE("trial: a trial continues from the state of another one") {
  const TrialOutcome reference = run_trial(sampler_trial());
  Trial first_part = sampler_trial();
  first_part.last = 13;
  first_part.ranks = 3;
  const TrialOutcome stopped = run_trial(first_part);
  CHECK(stopped.done == 13);
  CHECK(stopped.digest != reference.digest);
  Trial second_part = sampler_trial();
  second_part.from = &stopped.state;
  second_part.first = stopped.done;
  second_part.ranks = 2;
  CHECK(run_trial(second_part).digest == reference.digest);
}

TEST_CASE("trial: settings, the seed and error targets have the effect that they have in a run") {
  Trial trial = sampler_trial();
  trial.set = {"seed=8"};
  CHECK(run_trial(trial).digest != run_trial(sampler_trial()).digest);
  // The module evaluates at blocks 8, 16, 32: a loose target is met at the first evaluation.
  CHECK(run_trial(sampler_trial("[stop]\nabsolute_error = 1.0\n")).done == 8);
}

TEST_CASE("trial: exceptions and invalid states of a module are thrown") {
  CHECK_THROWS_WITH_AS(run_trial(sampler_trial("fault = \"throw\"\n")),
                       doctest::Contains("throws as configured"), NumericalError);
  Trial unhealthy = sampler_trial("fault = \"unhealthy\"\nfault_rank = 1\n");
  unhealthy.ranks = 2;
  CHECK_THROWS_WITH_AS(run_trial(unhealthy), doctest::Contains("unhealthy as configured"),
                       NumericalError);
  CHECK_THROWS_WITH_AS(run_trial(sampler_trial("blobs = 3\n")), doctest::Contains("blobs"),
                       ConfigError);
}
