#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "gsim/io/checkpoint_file.hpp"
#include "gsim/io/result_file.hpp"
#include "gsim/io/segmented_file.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

using namespace gsim;
using gsim::test::contains;
using gsim::test::ScratchFolder;

namespace {

void write_results(const std::string& path) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  ResultFile file(Communicator::self(), path);
  file.attribute("provenance", "gsim_version", "0.1.0");
  file.attribute("provenance", "config", "module = \"pricing\"\nseed = 7\n");
  file.write("provenance/seed", std::uint64_t{18446744073709551615u});
  file.write_strings("provenance/input_files/1", std::vector<std::string>{"id,strike\nA,1\n"});
  file.attribute("provenance/input_files/1", "name", "books/trades.csv");
  file.attribute("provenance/input_files/1", "digest", "0123456789abcdef");
  file.write_strings("trades/name", std::vector<std::string>{"Übersee", "b\"c\\d\n\x01", ""});
  file.write("trades/price", std::vector<double>{0.1, nan, -1e300});
  file.attribute("trades/price", "unit", "USD");
  file.attribute("trades/price", "description", "present value");
  file.write("trades/alive", std::vector<std::uint8_t>{1, 0, 1});
  std::vector<double> many(1000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = 1.0 / (1.0 + static_cast<double>(i));
  file.write("history/value", many);
  file.write("matrix", std::vector<std::int32_t>{1, 2, 3, 4, 5, 6}, 3);
  file.write("large", std::vector<float>(1001));
  file.commit();
}

std::string error_message(const std::string& path) {
  try {
    inspect_file(path, false);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no InputError";
}

}  // namespace

TEST_CASE("inspect: provenance, tables in the order of writing, and datasets are printed") {
  const ScratchFolder scratch;
  const std::string path = scratch / "run.h5";
  write_results(path);
  const std::string text = inspect_file(path, false);
  CHECK(contains(text, path + " (results, "));
  CHECK(contains(text, "  gsim_version  0.1.0\n"));
  CHECK(contains(text, "(2 lines, 28 bytes; --json shows all)"));
  CHECK(contains(text, "seed          18446744073709551615\n"));
  CHECK(contains(
      text,
      "\ninput files\n"
      "  books/trades.csv  14 bytes  digest 0123456789abcdef  provenance/input_files/1\n"));
  CHECK(!contains(text, "provenance/input_files ("));  // no table of results
  CHECK(contains(text,
                 "\ntrades (3 rows)\n"
                 "  name         price [USD]  alive\n"
                 "  Übersee              0.1      1\n"
                 "  b\"c\\d\\n\\x01          nan      0\n"
                 "                   -1e+300      1\n"));
  CHECK(contains(text, "\nhistory (1000 rows)\n"));
  CHECK(contains(text, "0.3333333\n"));
  CHECK(contains(text, "  … 990 more rows\n"));
  CHECK(contains(text, "2 × 3"));
  CHECK(contains(text, "USD  present value\n"));
}

TEST_CASE("inspect: the JSON output is complete and valid") {
  const ScratchFolder scratch;
  const std::string path = scratch / "run.h5";
  write_results(path);
  const std::string json = inspect_file(path, true);
  CHECK(contains(json, R"("kind":"results")"));
  CHECK(contains(json, R"("config":"module = \"pricing\"\nseed = 7\n")"));
  CHECK(contains(json, R"("seed":"18446744073709551615")"));
  CHECK(contains(json, R"({"name":"books/trades.csv","digest":"0123456789abcdef","bytes":14,)"
                       R"("dataset":"provenance/input_files/1"})"));
  CHECK(contains(json, R"("values":["id,strike\nA,1\n"])"));
  CHECK(contains(json, R"("name":["Übersee","b\"c\\d\n\u0001",""])"));
  CHECK(contains(json, R"("price":[0.1,null,-1e+300])"));
  CHECK(contains(json, "0.001]"));  // the last of 1000 rows
  CHECK(contains(json, R"("values":[[1,2,3],[4,5,6]])"));
  CHECK(contains(json, R"({"path":"large","type":"float32","rows":1001,"columns":1,"attr)"));
}

TEST_CASE("inspect: checkpoints, valid and damaged") {
  const ScratchFolder scratch;
  const std::string path = write_checkpoint(Communicator::self(), scratch / "run",
                                            {"md", "0.1.0", "beef"}, 12, [](DatasetWriter& writer) {
                                              writer.write("x", std::vector<double>{1, 2});
                                            });
  const std::string text = inspect_file(path, false);
  CHECK(contains(text, "(checkpoint, "));
  CHECK(contains(text, "  config_digest   beef\n"));
  CHECK(contains(text, "  units_done      12\n"));
  CHECK(contains(text, "state/x"));
  std::filesystem::resize_file(path, 3000);
  CHECK(contains(error_message(path), "is truncated or overwritten"));
}

TEST_CASE("inspect: errors for files that cannot be shown") {
  const ScratchFolder scratch;
  std::ofstream(scratch / "notes.txt") << "not HDF5";
  CHECK(contains(error_message(scratch / "notes.txt"), "is not an HDF5 file"));
  CHECK(contains(error_message(scratch / "none.h5"), "there is no such file"));
  CHECK(contains(error_message(scratch.path().string()), "it is a folder"));
  write_results(scratch / "run.h5");
  std::filesystem::resize_file(scratch / "run.h5", 4000);
  CHECK(contains(error_message(scratch / "run.h5"), "cannot inspect"));
  CHECK(contains(error_message(scratch / "run.h5"), "it is truncated: it has 4000 of "));
  std::filesystem::resize_file(scratch / "run.h5", 8);  // the signature alone
  CHECK(contains(error_message(scratch / "run.h5"), "cannot inspect"));
  // HDF5 gives a reason, so that the message is not "HDF5 gave no reason".
  CHECK(!contains(error_message(scratch / "run.h5"), "no reason"));
}

TEST_CASE("inspect: files of other programs are not treated as results") {
  const ScratchFolder scratch;
  const std::string path = scratch / "foreign.h5";
  ResultFile file(Communicator::self(), path);
  file.write("checkpoint/x", std::vector<double>{1, 2});
  file.attribute("provenance", "author", "somebody");
  file.commit();
  CHECK(contains(inspect_file(path, false), " (HDF5 of another program than gsim, "));
  CHECK(contains(inspect_file(path, true), R"("kind":"other")"));
}

TEST_CASE("inspect: contents of a trajectory") {
  const ScratchFolder scratch;
  const std::string path = scratch / "run.h5md", group = "particles/all/";
  SegmentedFile file(Communicator::self(), path,
                     {{group + "position/step", ElementType::int64, {}},
                      {group + "position/value", ElementType::float32, {5, 3}},
                      {group + "velocity/value", ElementType::float32, {5, 3}},
                      {group + "box/edges/value", ElementType::float64, {3}}});
  file.start();
  const std::vector<float> values(15);
  const std::vector<double> edges(3);
  for (const std::int64_t step : {20, 30, 40, 70})
    file.append(std::vector<const void*>{&step, values.data(), values.data(), edges.data()});
  file.finish([&](ObjectWriter& objects) {
    objects.set("h5md", "version", std::vector<Index>{1, 1});
    objects.set("h5md/creator", "name", FixedLengthString{"gsim"});
    objects.set("h5md/creator", "version", FixedLengthString{"0.1.0"});
    objects.write("particles/all/mass", std::vector<double>(5));
    objects.write("particles/frozen/position", std::vector<double>(6), 3);
  });
  const std::string text = inspect_file(path, false);
  CHECK(contains(text, "run.h5md (H5MD by gsim 0.1.0, "));
  CHECK(contains(text,
                 "particles/all: 4 frames of 5 atoms, steps 20 to 70\n"
                 "  position, velocity, mass\n"));
  CHECK(contains(text, "particles/frozen: 1 frame of 2 atoms\n"));
  const std::string json = inspect_file(path, true);
  CHECK(contains(json, R"("kind":"h5md")"));
  CHECK(contains(json, R"("creator":"gsim 0.1.0")"));
  CHECK(contains(json, R"({"path":"particles/all","frames":4,"atoms":5,"first_step":20,)"
                       R"("last_step":70,"elements":["position","velocity","mass"]})"));
}

TEST_CASE("inspect: a table as CSV with all rows, exact numbers, and quotes where needed") {
  const ScratchFolder scratch;
  const std::string path = scratch / "run.h5";
  write_results(path);
  CHECK(inspect_table(path, "trades") ==
        "name,price,alive\nÜbersee,0.1,1\n\"b\"\"c\\d\n\x01\",nan,0\n,-1e+300,1\n");
  const std::string history = inspect_table(path, "history");
  CHECK(std::count(history.begin(), history.end(), '\n') == 1001);
  CHECK(contains(history, "\n0.3333333333333333\n"));
  CHECK_THROWS_WITH_AS(inspect_table(path, "trade"),
                       doctest::Contains("has no table `trade`; its tables: "), InputError);
  CHECK_THROWS_WITH_AS(inspect_table(scratch / "none.h5", "trades"),
                       doctest::Contains("there is no such file"), InputError);
}
