// Runs that are resumed with another end than before: their results and messages.

#include <doctest/doctest.h>

#include "support/test_modules/test_module_run.hpp"

using namespace gsim;
using namespace gsim::test_modules;

namespace {

const std::string sampler =
    "module = \"sampler\"\nseed = 7\n[sampler]\nblocks = 48\nblock_samples = 100\n[stop]\n";

std::string with_samples(int n) { return sampler + "samples = " + std::to_string(n) + "\n"; }

std::string repeatable(const std::string& file) {
  return ResultReader(Communicator::self(), file).attribute("provenance", "repeatable");
}

/// Runs `config` and stops it with a checkpoint as soon as `blocks` are done.
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
  TestRun again{.config = config, .output = file, .resume = Resume::required};
  again.warn = [&](const std::string& text) { r.warning += text; };
  r.run = run_test_module(again);
  return r;
}

}  // namespace

TEST_CASE("resumed: more units than the configuration has are no repeatable result") {
  ScratchFolder scratch;
  const std::string file = scratch / "out.h5";
  stop_at(with_samples(0), file, 20);
  const Resumed shorter = resume(with_samples(1000), file);
  CHECK(shorter.run.outcome.units_done == 20);
  CHECK(shorter.warning.find("20 blocks done") != std::string::npos);
  CHECK(repeatable(file).starts_with("no: resumed with 20 blocks done"));
  const Resumed longer = resume(with_samples(3000), file);
  CHECK(longer.warning.empty());
  CHECK(repeatable(file) == "yes");
  const TestRunOutcome fresh =
      run_test_module({.config = with_samples(3000), .output = scratch / "fresh.h5"});
  CHECK(longer.run.outcome.digest == fresh.outcome.digest);
}

TEST_CASE("resumed: at the very end, the state is judged as it would have been") {
  ScratchFolder scratch;
  const std::string file = scratch / "out.h5";
  const std::string loose = "relative_error = 0.5\n";  // met at any evaluation
  stop_at(with_samples(0) + loose, file, 3);           // the first evaluation is at 8
  const Resumed end = resume(with_samples(300) + loose, file);
  const TestRunOutcome fresh =
      run_test_module({.config = with_samples(300) + loose, .output = scratch / "fresh.h5"});
  CHECK(fresh.outcome.reason == StopReason::converged);
  CHECK(end.run.outcome.reason == StopReason::converged);
  CHECK(end.run.state == fresh.state);
  CHECK(repeatable(file) == "yes");
}

TEST_CASE("resumed: from the end of a shorter run, which was judged there") {
  ScratchFolder scratch;
  const std::string file = scratch / "out.h5";
  // No results could be written, as on a full disk: a checkpoint keeps the end of the run.
  std::filesystem::create_directories(scratch / "out.h5.partial");
  const std::string judged = "[checkpoint]\nat_end = false\n";  // else saved before the evaluation
  CHECK_THROWS_AS(run_test_module({.config = with_samples(1100) + judged, .output = file}),
                  IoError);
  std::filesystem::remove_all(scratch / "out.h5.partial");
  const Resumed longer = resume(with_samples(2000) + judged, file);
  CHECK(longer.warning.find("the end of a shorter run") != std::string::npos);
  CHECK(repeatable(file).starts_with("no: resumed from the end"));
}

TEST_CASE("resumed: a finished run that is made longer is one long run, on any ranks") {
  const std::string walkers =
      "module = \"walkers\"\nseed = 3\n[walkers]\nsize = 19\ncount = 150\nsteps = ";
  const std::string blocks = "module = \"sampler\"\nseed = 7\n[sampler]\nblocks = ";
  for (const std::string& config : {walkers, blocks}) {
    ScratchFolder scratch;
    const std::string file = scratch / "out.h5";
    const TestRunOutcome fresh =
        run_test_module({.config = config + "53\n", .output = scratch / "one.h5"});
    run_test_module({.config = config + "11\n", .ranks = 2, .output = file});
    Resumed longer;
    for (const char* end : {"32\n", "53\n"}) longer = resume(config + end, file);
    CHECK(longer.warning.empty());
    CHECK(repeatable(file) == "yes");
    CHECK(longer.run.outcome.digest == fresh.outcome.digest);
    CHECK(longer.run.state == fresh.state);
    CHECK(read_results(file) == read_results(scratch / "one.h5"));
    // The former results are kept.
    CHECK(std::filesystem::exists(scratch / "out.1.h5"));
    CHECK(std::filesystem::exists(scratch / "out.2.h5"));
  }
}

TEST_CASE("resumed: without checkpoint.at_end there is nothing to go on from") {
  ScratchFolder scratch;
  const std::string file = scratch / "out.h5";
  const TestRunOutcome done = run_test_module(
      {.config = with_samples(1000) + "[checkpoint]\nat_end = false\n", .output = file});
  CHECK(done.outcome.checkpoint_path.empty());
  CHECK_THROWS_WITH_AS(resume(with_samples(2000), file), doctest::Contains("nothing to resume"),
                       InputError);
}

TEST_CASE("resumed: with a smaller error target, as if it had been there from the start") {
  ScratchFolder scratch;
  const std::string file = scratch / "out.h5";
  const auto target = [](const char* error) {
    return "module = \"sampler\"\nseed = 7\n[sampler]\nblocks = 512\nblock_samples = 100\n"
           "[stop]\nrelative_error = " +
           std::string(error) + "\n";
  };
  CHECK(run_test_module({.config = target("0.02"), .ranks = 3, .output = file}).outcome.reason ==
        StopReason::converged);
  const Resumed tighter = resume(target("0.01"), file);
  const TestRunOutcome fresh =
      run_test_module({.config = target("0.01"), .output = scratch / "one.h5"});
  CHECK(tighter.warning.empty());
  CHECK(tighter.run.outcome.units_done == fresh.outcome.units_done);
  CHECK(tighter.run.outcome.digest == fresh.outcome.digest);
  CHECK(repeatable(file) == "yes");
  const Resumed looser = resume(target("0.02"), file);
  CHECK(looser.warning.find("looser error targets") != std::string::npos);
  CHECK(repeatable(file).starts_with("no: resumed with looser error targets"));
}

TEST_CASE("resumed: the end of a finished run of another configuration is nothing for auto") {
  ScratchFolder scratch;
  const std::string file = scratch / "out.h5";
  run_test_module({.config = with_samples(1000), .output = file});
  const std::string other = "delay = 0.0001\n";
  std::string changed = with_samples(1000);
  changed.insert(changed.find("[stop]"), other);
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
