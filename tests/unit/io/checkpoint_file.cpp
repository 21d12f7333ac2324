#include "gsim/io/checkpoint_file.hpp"

#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "support/dataset_dump.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

using namespace gsim;
using gsim::test::contains;
using gsim::test::ScratchFolder;

namespace {

const CheckpointIdentity identity{"pricing", "0.1.0", "a1b2c3"};

/// A state with a large dataset of several blocks that have a digest each; the blocks do not begin
/// where the rows of a rank begin.
struct State {
  Index rows = 70'001;     // of 5 columns: 2.7 blocks
  std::uint64_t salt = 0;  ///< states with different values differ in every row

  std::uint64_t at(Index row, Index column) const {
    return (static_cast<std::uint64_t>(row) * 5 + static_cast<std::uint64_t>(column) + salt) *
           0x9e3779b97f4a7c15u;  // odd: different arguments give different values
  }
  std::vector<std::uint64_t> part(IndexRange range) const {
    std::vector<std::uint64_t> values;
    for (Index i = range.first; i < range.last; ++i) {
      for (Index c = 0; c < 5; ++c) values.push_back(at(i, c));
    }
    return values;
  }
  void save(const Communicator& c, DatasetWriter& writer) const {
    const IndexRange own_range = partition({0, rows}, c.size(), c.rank());
    writer.write("salt", salt);
    writer.write_rows<std::uint64_t>("stack/table", part(own_range), own_range, rows, 5);
    writer.write_strings("trades/name", std::vector<std::string>{"a", "", "Ätna"});
    writer.attribute("stack/table", "unit", "1");
    writer.write("empty", std::vector<float>{});
  }
  bool equals(const Communicator& c, DatasetReader& reader) const {
    const IndexRange own_range = partition({0, rows}, c.size(), c.rank());
    return reader.read_value<std::uint64_t>("salt") == salt &&
           reader.read_rows<std::uint64_t>("stack/table", own_range) == part(own_range) &&
           reader.read_strings("trades/name") == std::vector<std::string>{"a", "", "Ätna"} &&
           reader.read<float>("empty").empty() && reader.has("stack/table") &&
           !reader.has("stack/none") && reader.shape("stack/table").columns == 5;
  }
};

std::string write(int ranks, const std::string& base, Index done, const State& state,
                  const CheckpointIdentity& identity_of_run = identity) {
  std::string path;
  run_in_process(ranks, [&](Communicator c) {
    const std::string written = write_checkpoint(
        c, base, identity_of_run, done, [&](DatasetWriter& writer) { state.save(c, writer); });
    if (c.is_root()) path = written;
  });
  return path;
}

/// Result of opening on several ranks: units done, or -1 with the error's text in `message`.
struct Opened {
  Index units_done = -1;
  std::vector<std::string> refused;
  std::string message;
  bool same_state = false;
};
Opened open(int ranks, const std::string& base, const State& state = {},
            const CheckpointIdentity& identity_of_run = identity) {
  Opened result;
  run_in_process(ranks, [&](Communicator c) {
    try {
      const OpenCheckpoint opened = open_checkpoint(c, base, identity_of_run);
      const bool same = !c.any(!state.equals(c, *opened.reader));
      if (c.is_root()) result = {opened.units_done, opened.refused, "", same};
    } catch (const InputError& error) {
      if (c.is_root()) result.message = error.what();
    }
  });
  return result;
}

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

void replace(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

}  // namespace

TEST_CASE("checkpoint: one written by 1 to 5 ranks is restored on any number") {
  const ScratchFolder scratch;
  const std::string base = scratch / "folder/run";
  for (int writers = 1; writers <= 5; ++writers) {
    const State state{.salt = static_cast<std::uint64_t>(writers)};
    CHECK(write(writers, base, 10 * writers, state) == base + ".ckpt." + std::to_string(writers));
    for (const int readers : {1, 3, 4}) {
      const Opened opened = open(readers, base, state);
      CHECK(opened.units_done == 10 * writers);
      CHECK(opened.same_state);
      CHECK(opened.refused.empty());
    }
  }
  CHECK(list_checkpoints(base) == std::vector<std::string>{base + ".ckpt.5", base + ".ckpt.4"});
}

TEST_CASE("checkpoint: datasets and digests do not depend on the number of ranks") {
  const ScratchFolder scratch;
  const auto on_one_rank = test::dump_datasets(write(1, scratch / "one", 7, {}));
  CHECK(on_one_rank.at("state/stack/table").size() > 2'000'000);
  // The digests of the three blocks of the table, and of the other datasets.
  CHECK(on_one_rank.at("checkpoint/digests").size() > 40);
  for (const int ranks : {2, 3, 4, 5}) {
    const bool same =
        test::dump_datasets(write(ranks, scratch / std::to_string(ranks), 7, {})) == on_one_rank;
    CHECK(same);
  }
  const bool is_equal = test::dump_datasets(write(1, scratch / "x", 7, {.salt = 1})) == on_one_rank;
  CHECK_FALSE(is_equal);
}

TEST_CASE("checkpoint: any flipped bit is detected, and the previous checkpoint is used") {
  const ScratchFolder scratch;
  const std::string base = scratch / "run";
  const State older{.rows = 40, .salt = 1}, newer{.rows = 40, .salt = 2};
  write(2, base, 1, older);
  const std::string path = write(3, base, 2, newer);
  const std::string bytes_before = content(path);
  int located = 0;
  for (std::size_t at = 0; at < bytes_before.size(); at += at < 200 ? 1 : 37) {
    std::string bytes = bytes_before;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at % 8)));
    replace(path, bytes);
    const Opened opened = open(1, base, older);
    REQUIRE(opened.units_done == 1);
    REQUIRE(opened.same_state);
    REQUIRE(opened.refused.size() == 1);
    REQUIRE(contains(opened.refused[0], path));
    located += contains(opened.refused[0], "(dataset state/stack/table, rows 0–39)");
  }
  CHECK(located > 20);  // the table has 1600 bytes of the file
  replace(path, bytes_before);
  CHECK(open(2, base, newer).units_done == 2);
}

TEST_CASE("checkpoint: damage in a large dataset is located by rows") {
  const ScratchFolder scratch;
  const std::string base = scratch / "run";
  write(1, base, 1, {.salt = 1});
  const State state{.salt = 2};
  const std::string path = write(4, base, 2, state);
  std::string bytes = content(path);
  const std::uint64_t value = state.at(60'000, 3);
  const std::size_t at = bytes.find(std::string(reinterpret_cast<const char*>(&value), 8));
  REQUIRE(at != std::string::npos);
  bytes[at + 5] = static_cast<char>(bytes[at + 5] + 1);
  replace(path, bytes);
  for (const int ranks : {1, 2, 5}) {
    const Opened opened = open(ranks, base, {.salt = 1});
    CHECK(opened.units_done == 1);
    REQUIRE(opened.refused.size() == 1);
    // 1 MiB holds 26214 rows of 40 bytes.
    CHECK(opened.refused[0] ==
          path + " does not match its digest (dataset state/stack/table, rows 52428–70000)");
  }
}

TEST_CASE("checkpoint: truncated, empty or missing files are skipped") {
  const ScratchFolder scratch;
  const std::string base = scratch / "run";
  const State older{.rows = 40, .salt = 1};
  write(2, base, 1, older);
  const std::string path = write(3, base, 2, {.rows = 40, .salt = 2});
  const std::string bytes_before = content(path);
  for (std::size_t size = 0; size < bytes_before.size(); size += size < 100 ? 9 : 331) {
    replace(path, bytes_before.substr(0, size));
    const Opened opened = open(2, base, older);
    REQUIRE(opened.units_done == 1);
    REQUIRE(opened.refused.size() == 1);
    REQUIRE(contains(opened.refused[0], size == 0 ? "is empty" : "truncated"));
  }
  replace(path, bytes_before + "x");
  CHECK(open(1, base, older).units_done == 1);
  replace(path, std::string(bytes_before.size(), '\0'));
  CHECK(open(1, base, older).refused.size() == 1);
  std::filesystem::remove(path);
  CHECK(open(1, base, older).refused.empty());
  // Now the only remaining checkpoint is damaged, too.
  replace(base + ".ckpt.1", bytes_before.substr(0, 1000));
  const Opened failed = open(2, base);
  CHECK(contains(failed.message, "no checkpoint of " + base + " can be used"));
  CHECK(contains(failed.message, base + ".ckpt.1 is truncated"));
  std::filesystem::remove(base + ".ckpt.1");
  CHECK(contains(open(2, base).message, "no checkpoint to resume from"));
  CHECK(contains(open(1, scratch / "no/such/folder/run").message, "no checkpoint to resume from"));
}

TEST_CASE("checkpoint: a checkpoint of another run is an error and not skipped") {
  const ScratchFolder scratch;
  const std::string base = scratch / "run";
  write(1, base, 1, {});
  const auto error_message = [&](CheckpointIdentity identity_of_run) {
    return open(2, base, {}, identity_of_run).message;
  };
  const std::string module = error_message({"md", "0.1.0", "a1b2c3"});
  CHECK(contains(module, base + ".ckpt.1 is of module pricing"));
  const std::string version = error_message({"pricing", "0.2.0", "a1b2c3"});
  CHECK(contains(version, "written by gsim 0.1.0"));
  const std::string config = error_message({"pricing", "0.1.0", "ffff"});
  CHECK(contains(config, "config_digest a1b2c3, this run's is ffff"));
  for (const auto& text : {module, version, config}) CHECK(contains(text, "without --resume"));

  // A newer checkpoint of another run must not cause a fallback to an older own one.
  write(1, base, 2, {}, {"pricing", "0.1.0", "ffff"});
  CHECK(contains(error_message(identity), base + ".ckpt.2"));
}

TEST_CASE(
    "checkpoint: two valid ones are kept besides damaged ones, and remains of ended runs are "
    "removed") {
  const ScratchFolder scratch;
  const std::string base = scratch / "run";
  for (Index done = 1; done <= 3; ++done) write(1, base, done, {});
  std::ofstream(base + ".ckpt.9.partial") << "remains of a killed run";
  std::ofstream(base + ".ckpt.x") << "not a checkpoint";
  std::ofstream(base + ".ckpt.007") << "not one either";
  replace(base + ".ckpt.3", "damaged");
  CHECK(write(2, base, 4, {}) == base + ".ckpt.4");
  CHECK(list_checkpoints(base) ==
        std::vector<std::string>{base + ".ckpt.4", base + ".ckpt.3", base + ".ckpt.2"});
  CHECK_FALSE(std::filesystem::exists(base + ".ckpt.9.partial"));
  write(2, base, 5, {});
  CHECK(list_checkpoints(base) == std::vector<std::string>{base + ".ckpt.5", base + ".ckpt.4"});
  std::ofstream(base + ".ckpt.6.partial") << "remains of a run that was killed and is resumed";
  CHECK(open(2, base).units_done == 5);
  CHECK_FALSE(std::filesystem::exists(base + ".ckpt.6.partial"));
  CHECK(std::filesystem::exists(base + ".ckpt.x"));
  CHECK(std::filesystem::exists(base + ".ckpt.007"));
}

TEST_CASE("checkpoint: a failing save keeps earlier checkpoints and leaves no partial file") {
  const ScratchFolder scratch;
  const std::string base = scratch / "run";
  write(2, base, 1, {});
  run_in_process(2, [&](Communicator c) {
    CHECK_THROWS_AS(write_checkpoint(c, base, identity, 2,
                                     [&](DatasetWriter& writer) {
                                       writer.write("a", 1.0);
                                       throw IoError("the module has a problem");
                                     }),
                    IoError);
  });
  CHECK(list_checkpoints(base).size() == 1);
  CHECK_FALSE(std::filesystem::exists(base + ".ckpt.2.partial"));
  CHECK(open(3, base).units_done == 1);
}

TEST_CASE("checkpoint: the error for another configuration lists the keys that differ") {
  ScratchFolder folder;
  const std::string base = folder / "run";
  CheckpointIdentity before = identity;
  before.config_text =
      "seed = 7\n[md]\ntime_step = 0.5\nskin = 0.3\n\n[[type]]\nmass = 1.0\n\n[[type]]\nmass = "
      "2.0\n";
  const std::string path = write(2, base, 12, {}, before);
  CheckpointIdentity changed = before;
  changed.config_digest = "d4";
  changed.config_text =
      "seed = 7\n[md]\ntime_step = 0.25\n\n[[type]]\nmass = 1.0\n\n[[type]]\nmass = 3.0\nname = "
      "\"A\"\n";
  std::string message;
  try {
    open_checkpoint(Communicator::self(), base, changed);
  } catch (const InputError& error) {
    message = error.what();
  }
  CHECK(contains(message,
                 "md.skin (0.3, now absent), md.time_step (0.5, now 0.25), type.2.mass (2.0, now "
                 "3.0), type.2.name (absent, now \"A\")"));
  CHECK(!contains(message, "seed"));
  const auto summary = read_checkpoint_summary(path);
  REQUIRE(summary.has_value());
  CHECK(summary->units_done == 12);
  CHECK(summary->config_digest == identity.config_digest);
  CHECK(!summary->is_final);
  std::filesystem::resize_file(path, 1000);
  CHECK(!read_checkpoint_summary(path).has_value());
}
