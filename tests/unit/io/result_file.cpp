#include "gsim/io/result_file.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "src/io/hdf5/transfer_limit.hpp"
#include "support/dataset_dump.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

using namespace gsim;
using gsim::test::contains;
using gsim::test::message_of;
using gsim::test::ScratchFolder;

namespace {

/// Reduces the transfer limit for one test, so that many rounds are needed.
struct SmallTransfers {
  explicit SmallTransfers(std::size_t bytes) : limit_before(io::transfer_limit()) {
    io::transfer_limit() = bytes;
  }
  ~SmallTransfers() { io::transfer_limit() = limit_before; }
  std::size_t limit_before;
};

double value(Index row, Index column) { return 0.5 * static_cast<double>(row * 7 + column); }

/// Writes a file with every kind of dataset from the ranks of `communicator`.
void write_example(const Communicator& communicator, const std::string& path, Index rows) {
  ResultFile file(communicator, path);
  const IndexRange local_rows = partition({0, rows}, communicator.size(), communicator.rank());
  std::vector<double> table;
  std::vector<std::int64_t> ids;
  for (Index i = local_rows.first; i < local_rows.last; ++i) {
    ids.push_back(i * i);
    for (Index c = 0; c < 3; ++c) table.push_back(value(i, c));
  }
  file.write_rows<double>("particles/position", table, local_rows, rows, 3);
  file.write_rows<std::int64_t>("particles/id", ids, local_rows, rows);
  file.attribute("particles/position", "unit", "nm");
  file.attribute("", "title", "Größe 1 µm");
  file.attribute("provenance", "config", std::string(100'000, 'x'));
  file.write("seed", std::uint64_t{0xffff'ffff'ffff'fff0});
  file.write("flags", std::vector<std::uint8_t>{1, 2, 255});
  file.write("limits", std::vector<float>{-0.0f, 1e-45f, std::numeric_limits<float>::infinity()});
  file.write("codes", std::vector<std::int32_t>{-1, 2});
  file.write("counts", std::vector<std::uint32_t>{4'000'000'000u});
  file.write("nothing", std::vector<double>{});
  file.write_strings("trades/name", std::vector<std::string>{"", "Ärger", "call on ACME"});
  file.write_strings("trades/none", {});
  file.commit();
}

void check_example(const Communicator& communicator, const std::string& path, Index rows) {
  ResultReader file(communicator, path);
  CHECK(file.read<double>("particles/position").size() == static_cast<std::size_t>(rows * 3));
  const IndexRange local_rows = partition({0, rows}, communicator.size(), communicator.rank());
  const auto table = file.read_rows<double>("/particles/position", local_rows);
  const auto ids = file.read_rows<std::int64_t>("particles/id", local_rows);
  bool is_equal = true;
  for (Index i = 0; i < local_rows.size(); ++i) {
    const Index row = local_rows.first + i;
    is_equal = is_equal && ids[static_cast<std::size_t>(i)] == row * row;
    for (Index c = 0; c < 3; ++c) {
      is_equal = is_equal && table[static_cast<std::size_t>(i * 3 + c)] == value(row, c);
    }
  }
  CHECK(is_equal);
  CHECK(file.shape("particles/position").columns == 3);
  CHECK(file.shape("particles/id").rows == rows);
  CHECK(file.attribute("particles/position", "unit") == "nm");
  CHECK(file.attribute("/", "title") == "Größe 1 µm");
  CHECK(file.attribute("provenance", "config").size() == 100'000);
  CHECK(file.read_value<std::uint64_t>("seed") == 0xffff'ffff'ffff'fff0);
  CHECK(file.read<std::uint8_t>("flags") == std::vector<std::uint8_t>{1, 2, 255});
  const auto limits = file.read<float>("limits");
  CHECK(std::signbit(limits[0]));
  CHECK(limits[1] == 1e-45f);
  CHECK(std::isinf(limits[2]));
  CHECK(file.read<std::int32_t>("codes") == std::vector<std::int32_t>{-1, 2});
  CHECK(file.read<std::uint32_t>("counts") == std::vector<std::uint32_t>{4'000'000'000u});
  CHECK(file.read<double>("nothing").empty());
  CHECK(file.read_strings("trades/name") == std::vector<std::string>{"", "Ärger", "call on ACME"});
  CHECK(file.read_strings("trades/none").empty());
}

}  // namespace

TEST_CASE("result file: a file written by 1 to 5 ranks is read by any number of ranks") {
  const ScratchFolder scratch;
  for (const Index rows : {Index{0}, Index{3}, Index{1000}}) {
    for (int writers = 1; writers <= 5; ++writers) {
      const std::string path = scratch / ("new/folder/run" + std::to_string(writers) + ".h5");
      run_in_process(writers, [&](Communicator c) { write_example(c, path, rows); });
      CHECK(std::filesystem::exists(path));
      CHECK_FALSE(std::filesystem::exists(path + ".partial"));
      for (const int readers : {1, 3, 4}) {
        run_in_process(readers, [&](Communicator c) { check_example(c, path, rows); });
      }
    }
  }
}

TEST_CASE("result file: datasets are bitwise independent of the number of ranks") {
  const ScratchFolder scratch;
  const auto dump = [&](int ranks) {
    run_in_process(ranks, [&](Communicator c) { write_example(c, scratch / "run.h5", 777); });
    return test::dump_datasets(scratch / "run.h5");
  };
  const auto on_one_rank = dump(1);
  CHECK(on_one_rank.size() == 10);
  for (const int ranks : {2, 3, 4, 5}) {
    const bool is_equal = dump(ranks) == on_one_rank;
    CHECK(is_equal);
  }
  const SmallTransfers many_rounds(1000);
  for (const int ranks : {1, 3}) {
    const bool is_equal = dump(ranks) == on_one_rank;
    CHECK(is_equal);
  }
}

TEST_CASE("result file: without commit no file is written, and a previous result is kept") {
  const ScratchFolder scratch;
  const std::string path = scratch / "run.h5";
  {
    ResultFile file(Communicator::self(), path);
    file.write("first", 1.0);
    CHECK(std::filesystem::exists(path + ".partial"));
  }
  CHECK(std::filesystem::is_empty(scratch.path()));
  {
    ResultFile file(Communicator::self(), path);
    file.write("first", 1.0);
    file.commit();
  }
  {
    ResultFile file(Communicator::self(), path);
    file.write("first", 2.0);
  }
  ResultReader reader(Communicator::self(), path);
  CHECK(reader.read_value<double>("first") == 1.0);
  CHECK_FALSE(std::filesystem::exists(path + ".partial"));
}

TEST_CASE("result file: write errors are reported with path and reason on every rank") {
  const ScratchFolder scratch;
  std::filesystem::create_directory(scratch.path() / "taken.h5");
  std::ofstream(scratch / "file") << "x";
  run_in_process(3, [&](Communicator c) {
    const auto create = [&](const std::string& path) {
      return message_of([&] { ResultFile file(c, path); });
    };
    const std::string error_at_folder = create(scratch / "taken.h5");
    CHECK(contains(error_at_folder, "taken.h5"));
    CHECK(contains(error_at_folder, "a folder of that name exists"));
    const std::string error_below_file = create(scratch / "file/run.h5");
    CHECK(contains(error_below_file, "file"));
    CHECK(contains(error_below_file, "Not a directory"));
    CHECK(contains(create("/proc/gsim/run.h5"), "/proc/gsim"));
  });
  CHECK(std::filesystem::exists(scratch.path() / "taken.h5"));
}

TEST_CASE(
    "result file: datasets that are written twice, or with missing or duplicate rows, are errors") {
  const ScratchFolder scratch;
  run_in_process(2, [&](Communicator c) {
    ResultFile file(c, scratch / "run.h5");
    file.write("a", 1.0);
    CHECK(contains(message_of([&] { file.write("a", 2.0); }), "dataset a"));
    const std::vector<double> values(10);
    const Index r = c.rank();
    CHECK_THROWS_AS(file.write_rows<double>("gap", values, {11 * r, 11 * r + 10}, 21), Error);
    CHECK_THROWS_AS(file.write_rows<double>("overlap", values, {9 * r, 9 * r + 10}, 19), Error);
    CHECK_THROWS_AS(file.write_rows<double>("short", values, {10 * r, 10 * r + 10}, 21), Error);
    CHECK_THROWS_AS(file.write("../up", 1.0), Error);
    file.write("b", 3.0);
    file.commit();
  });
  ResultReader reader(Communicator::self(), scratch / "run.h5");
  CHECK(reader.read_value<double>("a") == 1.0);
  CHECK(reader.read_value<double>("b") == 3.0);
  CHECK(reader.list() == std::vector<std::string>{"a", "b"});
}

TEST_CASE("result file: missing datasets and wrong types are reported") {
  const ScratchFolder scratch;
  const std::string path = scratch / "run.h5";
  run_in_process(1, [&](Communicator c) { write_example(c, path, 5); });
  run_in_process(2, [&](Communicator c) {
    ResultReader reader(c, path);
    CHECK_FALSE(reader.has("particles/mass"));
    CHECK_FALSE(reader.has("absent/mass"));
    CHECK_FALSE(reader.has("particles"));
    CHECK(reader.has("particles/id"));
    CHECK(contains(message_of([&] { reader.read<double>("particles/mass"); }),
                   "has no dataset particles/mass"));
    CHECK(contains(message_of([&] { reader.read<float>("particles/position"); }),
                   "holds float64, not float32"));
    CHECK(contains(message_of([&] { reader.read<std::uint8_t>("trades/name"); }), "string"));
    CHECK(contains(message_of([&] { reader.read_strings("seed"); }), "not strings"));
    // One rank reads too many rows: both get an error.
    const Index last = c.rank() == 1 ? 6 : 5;
    CHECK(contains(message_of([&] {
                     reader.read_rows<std::int64_t>("particles/id", {0, last});
                   }),
                   "0 to 6"));
    CHECK(contains(message_of([&] { (void)reader.attribute("seed", "unit"); }), "no attribute"));
  });
  std::ofstream(scratch / "text.h5") << "this is not HDF5";
  CHECK(contains(message_of([&] { ResultReader r(Communicator::self(), scratch / "text.h5"); }),
                 "not an HDF5 file"));
  CHECK(contains(message_of([&] { ResultReader r(Communicator::self(), scratch / "none.h5"); }),
                 "there is no such file"));
}
