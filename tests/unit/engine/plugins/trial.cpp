#include "gsim/engine/trial.hpp"

#include <memory>

#include <doctest/doctest.h>

#include "support/test_modules/pi_sampler.hpp"

using namespace gsim;

namespace {

Trial sampler(const std::string& more = "") {
  Trial trial;
  trial.make = [] { return std::make_unique<test_modules::Sampler>(); };
  trial.config =
      "module = \"sampler\"\nseed = 7\n[sampler]\nblocks = 40\nblock_samples = 32\n" + more;
  return trial;
}

}  // namespace

TEST_CASE("trial: the same state, results and digest on other ranks, threads and slices") {
  const TrialOutcome whole = run_trial(sampler());
  CHECK(whole.done == 40);
  CHECK(whole.estimates.size() == 2);
  CHECK(whole.results.datasets.count("estimates/mean") == 1);
  for (const int ranks : {2, 3, 4, 7}) {
    Trial trial = sampler();
    trial.ranks = ranks;
    trial.threads = ranks % 3 + 1;
    trial.slice = ranks;
    const TrialOutcome other = run_trial(trial);
    CHECK(other.digest == whole.digest);
    CHECK(other.state == whole.state);
    CHECK(other.results == whole.results);
  }
}

TEST_CASE("trial: continued from the end of another") {
  const TrialOutcome whole = run_trial(sampler());
  Trial half = sampler();
  half.last = 13;
  half.ranks = 3;
  const TrialOutcome stopped = run_trial(half);
  CHECK(stopped.done == 13);
  CHECK(stopped.digest != whole.digest);
  Trial rest = sampler();
  rest.from = &stopped.state;
  rest.first = stopped.done;
  rest.ranks = 2;
  CHECK(run_trial(rest).digest == whole.digest);
}

TEST_CASE("trial: settings, the seed and convergence count as in a run") {
  Trial other = sampler();
  other.set = {"seed=8"};
  CHECK(run_trial(other).digest != run_trial(sampler()).digest);
  // The module evaluates at blocks 8, 16, 32: a loose target is met at the first evaluation.
  CHECK(run_trial(sampler("[stop]\nabsolute_error = 1.0\n")).done == 8);
}

TEST_CASE("trial: exceptions and invalid states of a module are thrown") {
  CHECK_THROWS_WITH_AS(run_trial(sampler("fault = \"throw\"\n")),
                       doctest::Contains("throws as configured"), NumericalError);
  Trial unhealthy = sampler("fault = \"unhealthy\"\nfault_rank = 1\n");
  unhealthy.ranks = 2;
  CHECK_THROWS_WITH_AS(run_trial(unhealthy), doctest::Contains("unhealthy as configured"),
                       NumericalError);
  CHECK_THROWS_WITH_AS(run_trial(sampler("blobs = 3\n")), doctest::Contains("blobs"), ConfigError);
}
