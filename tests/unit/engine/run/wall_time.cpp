// Stops by wall time fall between evaluation points: the results are those of the state at that
// time.

#include <doctest/doctest.h>

#include "support/test_modules/test_module_run.hpp"

using namespace gsim;
using namespace gsim::test_modules;

namespace {

/// Runs `config` in slices of `slice` units, with a clock that advances by 0.5 s at each reading.
TestRunOutcome stopped_by_clock(const std::string& config, const std::string& output, Index slice,
                                int ranks = 1, Resume resume = Resume::no) {
  TestRun run{.config = config, .ranks = ranks, .output = output, .resume = resume};
  run.max_slice = slice;
  double time = 0;
  run.clock = [&] { return time += 0.5; };
  return run_test_module(run);
}

}  // namespace

TEST_CASE("wall time: the results are those of all units that were done") {
  const std::string sampler = "module = \"sampler\"\n[sampler]\nblock_samples = 50\nblocks = ";
  const std::string walkers = "module = \"walkers\"\n[walkers]\nsize = 19\nsteps = ";
  for (const std::string& config : {sampler, walkers}) {
    for (const int ranks : {1, 3}) {
      ScratchFolder scratch;
      const std::string file = scratch / "out.h5";
      const TestRunOutcome stopped =
          stopped_by_clock(config + "200\n[stop]\nwall_time = 9\n", file, 5, ranks);
      REQUIRE(stopped.outcome.reason == StopReason::wall_time);
      CHECK(stopped.outcome.exit_code() == ExitCode::done);
      const Index done = stopped.outcome.units_done;
      REQUIRE(done > 0);
      REQUIRE(done < 200);
      REQUIRE(done % 16 != 0);  // no evaluation point of either module
      const TestRunOutcome as_long =
          run_test_module({.config = config + std::to_string(done), .output = scratch / "same.h5"});
      CHECK(stopped.outcome.digest == as_long.outcome.digest);
      CHECK(read_results(file) == read_results(scratch / "same.h5"));
    }
  }
}

TEST_CASE("wall time: without an error of every estimate there is a checkpoint and no result") {
  ScratchFolder scratch;
  const std::string file = scratch / "out.h5";
  const std::string rest = "module = \"sampler\"\n[sampler]\nblocks = 64\nblock_samples = 1\n";
  const TestRunOutcome stopped =
      stopped_by_clock(rest + "[stop]\nwall_time = 0.1\n", file, 1);  // one sample
  CHECK(stopped.outcome.reason == StopReason::wall_time);
  CHECK(stopped.outcome.units_done == 1);
  CHECK(stopped.outcome.exit_code() == ExitCode::stopped_with_checkpoint);
  CHECK(stopped.outcome.result_path.empty());
  CHECK(!std::filesystem::exists(file));
  CHECK(list_checkpoints(scratch / "out").size() == 1);
  const TestRunOutcome further = stopped_by_clock(rest + "[stop]\nwall_time = 0.1\n", file, 1, 2,
                                                  Resume::required);  // every part makes progress
  CHECK(further.outcome.units_done == 2);
  CHECK(further.outcome.exit_code() == ExitCode::done);
  const TestRunOutcome whole = run_test_module({.config = rest, .output = scratch / "whole.h5"});
  const TestRunOutcome end =
      run_test_module({.config = rest, .output = file, .resume = Resume::required});
  CHECK(end.outcome.digest == whole.outcome.digest);
}
