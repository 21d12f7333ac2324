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

const char* const sampler_config = R"(
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

TEST_CASE("driver: results hold the name, text and digest of every input file") {
  ScratchFolder scratch;
  const std::string path = scratch / "out.h5";
  run_test_module({.config = sampler_config, .ranks = 2, .output = path, .input_files = files});
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

TEST_CASE("driver: a checkpoint is refused if the text of an input file has changed") {
  ScratchFolder scratch;
  const auto run = [&](const std::vector<InputFile>& input_files, Resume resume) {
    return run_test_module({.config = sampler_config,
                            .output = scratch / "out.h5",
                            .resume = resume,
                            .max_slice = 10,
                            .interrupt = [&](Index) { return resume == Resume::no; },
                            .input_files = input_files});
  };
  CHECK(run(files, Resume::no).outcome.reason == StopReason::signal);
  std::vector<InputFile> changed = files;
  changed[0].text += "B,2\n";
  CHECK(contains(message_of<InputError>([&] { run(changed, Resume::required); }), "configuration"));
  std::vector<InputFile> with_other_path = files;
  with_other_path[0].path = "/elsewhere/trades.csv";
  CHECK(run(with_other_path, Resume::required).outcome.reason == StopReason::finished);
}
