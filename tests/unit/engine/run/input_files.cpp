// Input files of a run: stored with its results, and compared when a checkpoint is resumed.

#include <doctest/doctest.h>

#include "gsim/core/digest.hpp"
#include "support/messages.hpp"
#include "support/test_modules/test_module_run.hpp"

using namespace gsim;
using namespace gsim::test_modules;
using gsim::test::contains;
using gsim::test::message_of;

namespace {

const char* const sampler = R"(
module = "sampler"
seed = 7
[sampler]
blocks = 48
block_samples = 100
)";

const std::vector<InputFile> files = {
    {"books/trades.csv", "id,strike\nÜ,1\n\n", {}},
    {"grid.csv", std::string(100000, 'x'), {}},  // larger than the limit of an attribute
    {"gone.csv", {}, "no file gone.csv"},
};

}  // namespace

TEST_CASE("driver: results hold every input file's name, text and digest") {
  ScratchFolder scratch;
  const std::string path = scratch / "out.h5";
  run_test_module({.config = sampler, .ranks = 2, .output = path, .input_files = files});
  ResultReader reader(Communicator::self(), path);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string dataset = "provenance/input_files/" + std::to_string(i + 1);
    CAPTURE(dataset);
    CHECK(reader.read_strings(dataset) == std::vector<std::string>{files[i].text});
    CHECK(reader.attribute(dataset, "name") == files[i].path);
  }
  // XXH3 of the empty input, as printed by `xxhsum -H3`
  CHECK(reader.attribute("provenance/input_files/3", "digest") == "2d06800538d394c2");
  CHECK(reader.attribute("provenance/input_files/3", "problem") == "no file gone.csv");
}

TEST_CASE("driver: a checkpoint is refused where an input file's text has changed") {
  ScratchFolder scratch;
  const auto run = [&](const std::vector<InputFile>& given, Resume resume) {
    return run_test_module({.config = sampler,
                            .output = scratch / "out.h5",
                            .resume = resume,
                            .max_slice = 10,
                            .interrupt = [&](Index) { return resume == Resume::no; },
                            .input_files = given});
  };
  CHECK(run(files, Resume::no).outcome.reason == StopReason::signal);
  std::vector<InputFile> changed = files;
  changed[0].text += "B,2\n";
  CHECK(contains(message_of<InputError>([&] { run(changed, Resume::required); }), "configuration"));
  std::vector<InputFile> moved = files;
  moved[0].path = "/elsewhere/trades.csv";
  CHECK(run(moved, Resume::required).outcome.reason == StopReason::finished);
}
