// Runs that stop by wall time between evaluation points have the results of the state at that time.

#include <doctest/doctest.h>

#include "support/test_modules/test_module_run.hpp"

using namespace gsim;
using namespace gsim::test_modules;

namespace {

/// Runs `config` in slices of `slice` units, with a clock that advances by 0.5 s at each reading.
TestRunOutcome run_with_clock(const std::string& config, const std::string& output, Index slice,
                              int ranks = 1, Resume resume = Resume::no) {
  TestRun run{.config = config, .ranks = ranks, .output = output, .resume = resume};
  run.max_slice = slice;
  double time = 0;
  run.clock = [&] { return time += 0.5; };
  return run_test_module(run);
}

}  // namespace

TEST_CASE(
    "wall time: results are those of a run whose configured number of units is that of the stopped "
    "run") {
  const std::string sampler_config =
      "module = \"sampler\"\n[sampler]\nblock_samples = 50\nblocks = ";
  const std::string walkers_config = "module = \"walkers\"\n[walkers]\nsize = 19\nsteps = ";
  for (const std::string& config : {sampler_config, walkers_config}) {
    for (const int ranks : {1, 3}) {
      ScratchFolder scratch;
      const std::string file = scratch / "out.h5";
      const TestRunOutcome stopped =
          run_with_clock(config + "200\n[stop]\nwall_time = 9\n", file, /*slice=*/5, ranks);
      REQUIRE(stopped.outcome.reason == StopReason::wall_time);
      CHECK(stopped.outcome.exit_code() == ExitCode::done);
      const Index done = stopped.outcome.units_done;
      REQUIRE(done > 0);
      REQUIRE(done < 200);
      REQUIRE(done % 16 != 0);  // no evaluation point of either module
      const TestRunOutcome same_length =
          run_test_module({.config = config + std::to_string(done), .output = scratch / "same.h5"});
      CHECK(stopped.outcome.digest == same_length.outcome.digest);
      CHECK(read_results(file) == read_results(scratch / "same.h5"));
    }
  }
}

TEST_CASE("wall time: if an estimate has no error yet, a checkpoint is written and no result") {
  ScratchFolder scratch;
  const std::string file = scratch / "out.h5";
  const std::string config = "module = \"sampler\"\n[sampler]\nblocks = 64\nblock_samples = 1\n";
  const TestRunOutcome stopped =
      run_with_clock(config + "[stop]\nwall_time = 0.1\n", file, /*slice=*/1);  // one sample
  CHECK(stopped.outcome.reason == StopReason::wall_time);
  CHECK(stopped.outcome.units_done == 1);
  CHECK(stopped.outcome.exit_code() == ExitCode::stopped_with_checkpoint);
  CHECK(stopped.outcome.result_path.empty());
  CHECK(!std::filesystem::exists(file));
  CHECK(list_checkpoints(scratch / "out").size() == 1);
  const TestRunOutcome resumed =
      run_with_clock(config + "[stop]\nwall_time = 0.1\n", file, /*slice=*/1, /*ranks=*/2,
                     Resume::required);  // each resumed run completes a slice
  CHECK(resumed.outcome.units_done == 2);
  CHECK(resumed.outcome.exit_code() == ExitCode::done);
  const TestRunOutcome uninterrupted =
      run_test_module({.config = config, .output = scratch / "whole.h5"});
  const TestRunOutcome end =
      run_test_module({.config = config, .output = file, .resume = Resume::required});
  CHECK(end.outcome.digest == uninterrupted.outcome.digest);
}
