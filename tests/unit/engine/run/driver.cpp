// The driver with two test modules. Results have the same bits for any number of ranks and threads,
// whether a run is interrupted and resumed or not.

#include "gsim/engine/driver.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include <doctest/doctest.h>

#include "gsim/engine/slice_progress.hpp"
#include "support/test_modules/test_module_run.hpp"

using namespace gsim;
using namespace gsim::test_modules;

namespace {

const char* const sampler_config = R"(
module = "sampler"
seed = 7
[sampler]
blocks = 48
block_samples = 100
)";

const char* const walkers_config = R"(
module = "walkers"
seed = 3
[walkers]
size = 19
count = 150
steps = 40
)";

/// Reports a quarter of each slice, and reads the status file then.
class ReportingSampler : public Sampler {
 public:
  ReportingSampler(std::string file, std::vector<std::string>& seen)
      : file_(std::move(file)), seen_(&seen) {}
  void advance(Index first, Index count) override {
    Sampler::advance(first, count);
    report_share_of_slice(0.25);
    std::ifstream in(file_);
    seen_->emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }

 private:
  std::string file_;
  std::vector<std::string>* seen_;
};

}  // namespace

TEST_CASE("driver: the estimates of the sampler agree with exact values within their errors") {
  ScratchFolder scratch;
  const TestRunOutcome run =
      run_test_module({.config = sampler_config, .output = scratch / "out.h5"});
  CHECK(run.outcome.reason == StopReason::finished);
  CHECK(run.outcome.units_done == 48);
  ResultReader reader(Communicator::self(), scratch / "out.h5");
  const auto mean = reader.read<double>("estimates/mean");
  const auto error = reader.read<double>("estimates/standard_error");
  // Bounds of 4 standard errors: that of pi is sqrt(pi (4 - pi) / n), that of the mean of u^2
  // sqrt(4 / (45 n)), with n = 4800 samples.
  CHECK(std::fabs(mean[0] - 3.14159265358979) < 4 * error[0]);
  CHECK(error[0] == doctest::Approx(std::sqrt(3.14159265 * 0.85840735 / 4800)).epsilon(0.05));
  CHECK(std::fabs(mean[1] - 1.0 / 3) < 4 * error[1]);
  CHECK(error[1] == doctest::Approx(std::sqrt(4.0 / (45 * 4800.0))).epsilon(0.05));
  CHECK(reader.read<Index>("estimates/count")[0] == 4800);
}

TEST_CASE("driver: the mean-square displacement of walkers is the number of steps") {
  ScratchFolder scratch;
  const TestRunOutcome run =
      run_test_module({.config = walkers_config, .ranks = 2, .output = scratch / "out.h5"});
  // <r^2> = steps for independent unit steps; relative error of the mean about 1/sqrt(150)
  ResultReader reader(Communicator::self(), scratch / "out.h5");
  const double mean = reader.read_value<double>("displacement/mean");
  const double error = reader.read_value<double>("displacement/standard_error");
  CHECK(std::fabs(mean - 40) < 4 * error);
  CHECK(error < 8);
  CHECK(run.outcome.digest != 0);
}

TEST_CASE("driver: the same bits on any number of ranks and threads, in any slices") {
  for (const char* config : {sampler_config, walkers_config}) {
    ScratchFolder scratch;
    const std::string reference_file = scratch / "reference.h5";
    const TestRunOutcome reference = run_test_module({.config = config, .output = reference_file});
    const auto expected = read_results(reference_file);
    CHECK(expected == reference.results);
    for (const int ranks : {1, 2, 3, 4, 7}) {
      for (const int threads : {1, 2, 3}) {
        CAPTURE(ranks);
        CAPTURE(threads);
        const std::string file = scratch / "other.h5";
        const TestRunOutcome run = run_test_module({.config = config,
                                                    .ranks = ranks,
                                                    .threads = threads,
                                                    .output = file,
                                                    .max_slice = ranks % 3 == 0 ? 5 : 0});
        CHECK(run.outcome.digest == reference.outcome.digest);
        CHECK(run.state == reference.state);
        CHECK(read_results(file) == expected);
      }
    }
  }
}

TEST_CASE(
    "driver: a run that is stopped at every slice and resumed on other ranks has the same bits") {
  for (const char* config : {sampler_config, walkers_config}) {
    ScratchFolder scratch;
    const TestRunOutcome reference =
        run_test_module({.config = config, .output = scratch / "ref.h5"});
    const std::string file = scratch / "run.h5";
    const int ranks[] = {3, 1, 4, 2, 7};
    Index last = 0;
    int part_count = 0;
    TestRunOutcome run;
    do {
      run = run_test_module({.config = config,
                             .ranks = ranks[part_count % 5],
                             .threads = 1 + part_count % 3,
                             .output = file,
                             .resume = Resume::if_present,
                             .max_slice = 7,
                             .interrupt = [](Index) { return true; }});
      REQUIRE(run.outcome.units_done > last);
      last = run.outcome.units_done;
      ++part_count;
      if (run.outcome.reason == StopReason::signal) {
        CHECK(run.outcome.exit_code() == ExitCode::stopped_with_checkpoint);
        CHECK(!std::filesystem::exists(file));
        CHECK(list_checkpoints(scratch / "run").size() <= 2);
      }
    } while (run.outcome.reason == StopReason::signal);
    CHECK(part_count >= 6);
    CHECK(run.outcome.exit_code() == ExitCode::done);
    CHECK(run.outcome.digest == reference.outcome.digest);
    CHECK(run.state == reference.state);
    CHECK(read_results(file) == read_results(scratch / "ref.h5"));
    ResultReader reader(Communicator::self(), file);
    CHECK(reader.attribute("provenance", "parts") == std::to_string(part_count));
  }
}

TEST_CASE("driver: checkpoints hold the same bits on any number of ranks") {
  for (const char* config : {sampler_config, walkers_config}) {
    ScratchFolder scratch;
    MemoryDatasets::Contents expected;
    for (const int ranks : {1, 2, 3, 4, 7}) {
      const std::string base = scratch / ("run" + std::to_string(ranks));
      const TestRunOutcome run =
          run_test_module({.config = config,
                           .ranks = ranks,
                           .output = base + ".h5",
                           .max_slice = 9,
                           .interrupt = [](Index done) { return done > 20; }});
      CHECK(run.outcome.reason == StopReason::signal);
      CHECK(run.outcome.checkpoint_path == base + ".ckpt.1");
      if (ranks == 1) expected = run.state;
      CHECK(run.state == expected);
    }
  }
}

TEST_CASE("driver: a run whose error target is met stops at an evaluation point") {
  ScratchFolder scratch;
  std::uint64_t digest = 0;
  for (const int ranks : {1, 3}) {
    for (const Index slice : {1, 6, 1000}) {
      const TestRunOutcome run = run_test_module(
          {.config = "module = \"sampler\"\nseed = 7\n[stop]\nrelative_error = 0.02\n"
                     "[sampler]\nblocks = 1000\nblock_samples = 100\n",
           .ranks = ranks,
           .output = scratch / "out.h5",
           .max_slice = slice});
      CHECK(run.outcome.reason == StopReason::converged);
      // The relative error of u^2 is 0.894 / sqrt(n), which is 0.02 for n = 2000: of the evaluation
      // points at 800, 1600 and 3200 samples, the run stops at the third.
      CHECK(run.outcome.units_done == 32);
      if (digest == 0) digest = run.outcome.digest;
      CHECK(run.outcome.digest == digest);
    }
  }
}

TEST_CASE("driver: a wall-time limit ends a run with results, and the run can be resumed") {
  ScratchFolder scratch;
  const std::string file = scratch / "out.h5";
  const std::string rest = "module = \"sampler\"\n[sampler]\nblocks = 64\nblock_samples = 50\n";
  double time = 0;
  TestRun run{
      .config = rest + "[stop]\nwall_time = 20\n", .ranks = 2, .output = file, .max_slice = 3};
  run.clock = [&] { return time += 0.5; };  // only the clock of rank 0 is used
  const TestRunOutcome first = run_test_module(run);
  CHECK(first.outcome.reason == StopReason::wall_time);
  CHECK(first.outcome.exit_code() == ExitCode::done);
  CHECK(first.outcome.units_done < 64);
  {
    ResultReader reader(Communicator::self(), file);
    CHECK(reader.attribute("provenance", "stop_reason") == "wall_time");
    CHECK(reader.attribute("provenance", "repeatable").starts_with("no"));
    CHECK(reader.read<Index>("estimates/count")[0] == 50 * first.outcome.units_done);
  }
  const TestRunOutcome uninterrupted =
      run_test_module({.config = rest, .output = scratch / "whole.h5"});
  const TestRunOutcome second =
      run_test_module({.config = rest, .output = file, .resume = Resume::required});
  CHECK(second.outcome.reason == StopReason::finished);
  CHECK(second.outcome.digest == uninterrupted.outcome.digest);
  CHECK(read_results(file) == read_results(scratch / "whole.h5"));
}

TEST_CASE("driver: a time limit of the job leads to a checkpoint") {
  ScratchFolder scratch;
  double time = 0;
  TestRun run{.config = "module = \"sampler\"\n[checkpoint]\ntime_limit = \"2 min\"\n",
              .output = scratch / "out.h5",
              .max_slice = 3};
  run.clock = [&] { return time += 1; };
  const TestRunOutcome stopped = run_test_module(run);
  CHECK(stopped.outcome.reason == StopReason::time_limit);
  CHECK(stopped.outcome.exit_code() == ExitCode::stopped_with_checkpoint);
  CHECK(time < 120);
  CHECK(!std::filesystem::exists(scratch / "out.h5"));
  CHECK(list_checkpoints(scratch / "out").size() == 1);
}

TEST_CASE("driver: checkpoints are written at intervals of the clock, and the last two are kept") {
  ScratchFolder scratch;
  double time = 0;
  TestRun run{
      .config = "module = \"sampler\"\n[checkpoint]\ninterval = 30\n[sampler]\nblocks = 64\n",
      .output = scratch / "out.h5",
      .max_slice = 1};
  run.clock = [&] { return time += 1; };
  const TestRunOutcome done = run_test_module(run);
  CHECK(done.outcome.reason == StopReason::finished);
  const auto checkpoints = list_checkpoints(scratch / "out");
  REQUIRE(checkpoints.size() == 2);
  CHECK(checkpoints[0] == done.outcome.checkpoint_path);
}

TEST_CASE("driver: a damaged checkpoint is named, and the one before it is used") {
  ScratchFolder scratch;
  const std::string file = scratch / "out.h5";
  const TestRunOutcome uninterrupted =
      run_test_module({.config = sampler_config, .output = scratch / "whole.h5"});
  for (int i = 0; i < 2; ++i) {
    run_test_module({.config = sampler_config,
                     .output = file,
                     .resume = Resume::if_present,
                     .max_slice = 7,
                     .interrupt = [](Index) { return true; }});
  }
  const std::string newest = list_checkpoints(scratch / "out").at(0);
  {
    std::fstream damage(newest, std::ios::in | std::ios::out | std::ios::binary);
    damage.seekp(static_cast<std::streamoff>(std::filesystem::file_size(newest) / 2));
    damage.write("\xde\xad\xbe\xef\xde\xad\xbe\xef", 8);
  }
  std::string warning;
  TestRun resumed_run{.config = sampler_config, .output = file, .resume = Resume::required};
  resumed_run.warn = [&](const std::string& text) { warning = text; };
  const TestRunOutcome resumed = run_test_module(resumed_run);
  CHECK(warning.find(newest) != std::string::npos);
  CHECK(warning.find("resuming from") != std::string::npos);
  CHECK(resumed.outcome.digest == uninterrupted.outcome.digest);
}

TEST_CASE("driver: a missing checkpoint or another configuration cannot be resumed") {
  ScratchFolder scratch;
  TestRun run{.config = sampler_config,
              .ranks = 2,
              .output = scratch / "out.h5",
              .resume = Resume::required};
  CHECK_THROWS_WITH_AS(run_test_module(run), doctest::Contains("--resume=auto"), InputError);
  run.resume = Resume::no;
  run.max_slice = 5;
  run.interrupt = [](Index) { return true; };
  run_test_module(run);
  run.resume = Resume::required;
  run.config = std::string(sampler_config) + "delay = 0.001\n";  // another configuration
  CHECK_THROWS_AS(run_test_module(run), InputError);
  run.config = "threads = 2\n" + std::string(sampler_config) + "[stop]\nsamples = 100000\n";
  CHECK_NOTHROW(
      run_test_module(run));  // threads and length of a run may differ from the checkpoint's
}

TEST_CASE("driver: an unhealthy rank stops all ranks with its message") {
  ScratchFolder scratch;
  TestRun run{.config = std::string(sampler_config) +
                        "fault = \"unhealthy\"\nfault_rank = 2\nfault_block = 20\n",
              .ranks = 4,
              .output = scratch / "out.h5"};
  CHECK_THROWS_WITH_AS(run_test_module(run), doctest::Contains("unhealthy as configured (rank 2"),
                       NumericalError);
  CHECK(!std::filesystem::exists(scratch / "out.h5"));
}

TEST_CASE("driver: an exception on one rank ends all ranks") {
  ScratchFolder scratch;
  TestRun run{.config = std::string(sampler_config) +
                        "fault = \"throw\"\nfault_rank = 1\nfault_block = 3\n",
              .ranks = 3,
              .output = scratch / "out.h5"};
  CHECK_THROWS_WITH_AS(run_test_module(run), doctest::Contains("throws as configured"),
                       NumericalError);
}

TEST_CASE("driver: an output file in a path that is not a folder is refused before work") {
  ScratchFolder scratch;
  std::ofstream(scratch / "file") << "x";
  CHECK_THROWS_WITH_AS(
      run_test_module({.config = sampler_config, .output = scratch / "file/out.h5"}),
      doctest::Contains("no folder"), InputError);
}

TEST_CASE("driver: errors that all ranks agree on are marked as agreed") {
  run_in_process(3, [](Communicator comm) {
    try {
      comm.agree([&] {
        if (comm.rank() == 1) throw InputError("wrong");
      });
      FAIL("no error");
    } catch (const Error& e) {
      CHECK(e.is_agreed());
      CHECK(e.exit_code() == ExitCode::bad_input);
    }
  });
}

TEST_CASE(
    "driver: the identity of a configuration leaves out the keys that cannot change a state, and "
    "nothing else") {
  const std::string text =
      "module = \"sampler\"\nthreads = 0\nplugins = []\n\n[stop]\n"
      "require_converged = false\n\n[output]\nfile = \"a.h5\"\n\n[sampler]\nthreads = 3\n";
  const auto identity_with = [&](const std::string& line, const std::string& other) {
    std::string changed = text;
    changed.replace(changed.find(line), line.size(), other);
    return config_identity(changed);
  };
  const std::string identity = config_identity(text);
  CHECK(identity_with("threads = 0", "threads = 8") == identity);
  CHECK(identity_with("require_converged = false", "require_converged = true") == identity);
  CHECK(identity_with("file = \"a.h5\"", "file = \"b [stop].h5\"") == identity);
  CHECK(identity_with("[output]\nfile = \"a.h5\"\n", "[comm]\nipc = \"off\"\n") == identity);
  // An absent table of the engine is equivalent to one with default values.
  CHECK(identity_with("[stop]\nrequire_converged = false\n\n", "") == identity);
  CHECK(identity_with("threads = 3", "threads = 4") !=
        identity);  // a module's own key of that name
}

TEST_CASE("driver: what a module reports within a slice is in the status file before its end") {
  ScratchFolder scratch;
  std::vector<std::string> seen;
  double time = 0;
  TestRun run{.config = sampler_config, .output = scratch / "out.h5", .max_slice = 24};
  run.clock = [&] { return time += 1; };
  run.make = [&] { return std::make_unique<ReportingSampler>(scratch / "out.prom", seen); };
  const TestRunOutcome with = run_test_module(run);
  REQUIRE(seen.size() >= 2);
  const auto value = [](const std::string& text, const std::string& name) {
    const std::size_t at = text.find("\n" + name + "{");
    REQUIRE(at != std::string::npos);
    return std::stod(text.substr(text.find("} ", at) + 2));
  };
  const double slice = value(seen[0], "gsim_run_progress_ratio") * 48 / 0.25;  // units
  CHECK(slice >= 1);
  CHECK(value(seen[0], "gsim_run_work_done") == 0);
  CHECK(value(seen[0], "gsim_run_remaining_seconds") > 0);
  CHECK(value(seen[1], "gsim_run_progress_ratio") > slice / 48);
  report_share_of_slice(0.5);  // outside of a run
  const TestRunOutcome without =
      run_test_module({.config = sampler_config, .output = scratch / "without.h5"});
  CHECK(with.outcome.digest == without.outcome.digest);
}
