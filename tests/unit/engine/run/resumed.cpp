// Runs that are resumed with another length or other targets than before: results and warnings.

#include <doctest/doctest.h>

#include "support/test_modules/test_module_run.hpp"

using namespace gsim;
using namespace gsim::test_modules;

namespace {

const std::string sampler_config =
    "module = \"sampler\"\nseed = 7\n[sampler]\nblocks = 48\nblock_samples = 100\n[stop]\n";

/// The configuration with `n` samples; 0: no limit but the number of blocks.
std::string with_samples(int n) { return sampler_config + "samples = " + std::to_string(n) + "\n"; }

std::string repeatable_attribute(const std::string& file) {
  return ResultReader(Communicator::self(), file).attribute("provenance", "repeatable");
}

/// Runs `config` and stops it with a checkpoint as soon as `blocks` blocks are done.
void stop_at(const std::string& config, const std::string& file, Index blocks) {
  const TestRunOutcome stopped = run_test_module(
      {.config = config, .ranks = 2, .output = file, .max_slice = 1, .interrupt = [=](Index done) {
         return done >= blocks;
       }});
  REQUIRE(stopped.outcome.reason == StopReason::signal);
  REQUIRE(stopped.outcome.units_done == blocks);
}

struct Resumed {
  TestRunOutcome run;
  std::string warning;
};

Resumed resume(const std::string& config, const std::string& file) {
  Resumed r;
  TestRun resumed_run{.config = config, .output = file, .resume = Resume::required};
  resumed_run.warn = [&](const std::string& text) { r.warning += text; };
  r.run = run_test_module(resumed_run);
  return r;
}

}  // namespace

TEST_CASE("resumed: results of more units than the configuration has are not repeatable") {
  ScratchFolder scratch;
  const std::string file = scratch / "out.h5";
  stop_at(with_samples(0), file, 20);
  const Resumed resumed_shorter = resume(with_samples(1000), file);
  CHECK(resumed_shorter.run.outcome.units_done == 20);
  CHECK(resumed_shorter.warning.find("20 blocks done") != std::string::npos);
  CHECK(repeatable_attribute(file).starts_with("no: resumed with 20 blocks done"));
  const Resumed resumed_longer = resume(with_samples(3000), file);
  CHECK(resumed_longer.warning.empty());
  CHECK(repeatable_attribute(file) == "yes");
  const TestRunOutcome uninterrupted =
      run_test_module({.config = with_samples(3000), .output = scratch / "fresh.h5"});
  CHECK(resumed_longer.run.outcome.digest == uninterrupted.outcome.digest);
}

TEST_CASE("resumed: a state at the end of the run is evaluated as in an uninterrupted run") {
  ScratchFolder scratch;
  const std::string file = scratch / "out.h5";
  const std::string loose_target = "relative_error = 0.5\n";  // met at any evaluation
  stop_at(with_samples(0) + loose_target, file, 3);           // the first evaluation is at 8
  const Resumed end = resume(with_samples(300) + loose_target, file);
  const TestRunOutcome uninterrupted =
      run_test_module({.config = with_samples(300) + loose_target, .output = scratch / "fresh.h5"});
  CHECK(uninterrupted.outcome.reason == StopReason::converged);
  CHECK(end.run.outcome.reason == StopReason::converged);
  CHECK(end.run.state == uninterrupted.state);
  CHECK(repeatable_attribute(file) == "yes");
}

TEST_CASE(
    "resumed: a run from the end of a shorter run, where estimates were evaluated, is not "
    "repeatable") {
  ScratchFolder scratch;
  const std::string file = scratch / "out.h5";
  // No results could be written, as on a full disk: a checkpoint keeps the end of the run.
  std::filesystem::create_directories(scratch / "out.h5.partial");
  // A checkpoint by at_end would be saved before estimates are evaluated.
  const std::string without_final_checkpoint = "[checkpoint]\nat_end = false\n";
  CHECK_THROWS_AS(
      run_test_module({.config = with_samples(1100) + without_final_checkpoint, .output = file}),
      IoError);
  std::filesystem::remove_all(scratch / "out.h5.partial");
  const Resumed resumed_longer = resume(with_samples(2000) + without_final_checkpoint, file);
  CHECK(resumed_longer.warning.find("the end of a shorter run") != std::string::npos);
  CHECK(repeatable_attribute(file).starts_with("no: resumed from the end"));
}

TEST_CASE(
    "resumed: a finished run that is extended has the results of one long run, on any ranks") {
  const std::string walkers_config =
      "module = \"walkers\"\nseed = 3\n[walkers]\nsize = 19\ncount = 150\nsteps = ";
  const std::string blocks_config = "module = \"sampler\"\nseed = 7\n[sampler]\nblocks = ";
  for (const std::string& config : {walkers_config, blocks_config}) {
    ScratchFolder scratch;
    const std::string file = scratch / "out.h5";
    const TestRunOutcome uninterrupted =
        run_test_module({.config = config + "53\n", .output = scratch / "one.h5"});
    run_test_module({.config = config + "11\n", .ranks = 2, .output = file});
    Resumed resumed_longer;
    for (const char* end : {"32\n", "53\n"}) resumed_longer = resume(config + end, file);
    CHECK(resumed_longer.warning.empty());
    CHECK(repeatable_attribute(file) == "yes");
    CHECK(resumed_longer.run.outcome.digest == uninterrupted.outcome.digest);
    CHECK(resumed_longer.run.state == uninterrupted.state);
    CHECK(read_results(file) == read_results(scratch / "one.h5"));
    // The former results are kept.
    CHECK(std::filesystem::exists(scratch / "out.1.h5"));
    CHECK(std::filesystem::exists(scratch / "out.2.h5"));
  }
}

TEST_CASE("resumed: a finished run without checkpoint.at_end cannot be extended") {
  ScratchFolder scratch;
  const std::string file = scratch / "out.h5";
  const TestRunOutcome done = run_test_module(
      {.config = with_samples(1000) + "[checkpoint]\nat_end = false\n", .output = file});
  CHECK(done.outcome.checkpoint_path.empty());
  CHECK_THROWS_WITH_AS(resume(with_samples(2000), file), doctest::Contains("nothing to resume"),
                       InputError);
}

TEST_CASE("resumed: with a smaller error target the results are those of a run with that target") {
  ScratchFolder scratch;
  const std::string file = scratch / "out.h5";
  const auto with_target = [](const char* error) {
    return "module = \"sampler\"\nseed = 7\n[sampler]\nblocks = 512\nblock_samples = 100\n"
           "[stop]\nrelative_error = " +
           std::string(error) + "\n";
  };
  CHECK(
      run_test_module({.config = with_target("0.02"), .ranks = 3, .output = file}).outcome.reason ==
      StopReason::converged);
  const Resumed resumed_tighter = resume(with_target("0.01"), file);
  const TestRunOutcome uninterrupted =
      run_test_module({.config = with_target("0.01"), .output = scratch / "one.h5"});
  CHECK(resumed_tighter.warning.empty());
  CHECK(resumed_tighter.run.outcome.units_done == uninterrupted.outcome.units_done);
  CHECK(resumed_tighter.run.outcome.digest == uninterrupted.outcome.digest);
  CHECK(repeatable_attribute(file) == "yes");
  const Resumed resumed_looser = resume(with_target("0.02"), file);
  CHECK(resumed_looser.warning.find("looser error targets") != std::string::npos);
  CHECK(repeatable_attribute(file).starts_with("no: resumed with looser error targets"));
}

TEST_CASE(
    "resumed: resume = auto ignores the checkpoint of a finished run of another configuration") {
  ScratchFolder scratch;
  const std::string file = scratch / "out.h5";
  run_test_module({.config = with_samples(1000), .output = file});
  const std::string other_key = "delay = 0.0001\n";
  std::string changed = with_samples(1000);
  changed.insert(changed.find("[stop]"), other_key);
  TestRun run{.config = changed, .output = file, .resume = Resume::if_present};
  std::string warning;
  run.warn = [&](const std::string& text) { warning += text; };
  CHECK(run_test_module(run).outcome.reason == StopReason::finished);
  CHECK(warning.find("starts from the beginning") != std::string::npos);
  run.config = with_samples(1000);
  run.resume = Resume::required;
  CHECK_THROWS_WITH_AS(run_test_module(run), doctest::Contains("sampler.delay (0.0001, now 0.0)"),
                       InputError);
}
