#include "gsim/io/compare_results.hpp"

#include <cmath>
#include <fstream>
#include <limits>
#include <string>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "gsim/io/result_file.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

using namespace gsim;
using gsim::test::contains;
using gsim::test::ScratchFolder;

namespace {

/// Contents of a result file with estimates, keys that are rows of another table, and series.
struct ComparedFile {
  std::vector<std::string> ids{"A", "B"};
  std::vector<double> prices{1.0, 2.0}, errors{0.1, 0.0};
  std::vector<std::int64_t> samples{100, 200};
  std::vector<std::int64_t> rows{0, 0, 1};
  std::vector<double> times{0.5, 1.0, 0.5}, exposures{3.0, 4.0, 5.0},
      exposure_errors{1.0, 1.0, 1.0};
  std::vector<double> series{0.25, 0.5};
  std::string extra;  ///< name of a further dataset

  std::string write(const std::string& path) const {
    ResultFile file(Communicator::self(), path);
    file.attribute("provenance", "gsim_version", "0.1.0");
    file.attribute("provenance", "started", path);  // differs, and is not compared
    file.write_strings("trades/id", ids);
    file.write("trades/price", prices);
    file.write("trades/standard_error", errors);
    file.write("trades/samples", samples);
    file.write("exposures/trade", rows);
    file.attribute("exposures/trade", "description", "row of the trade in trades/");
    file.write("exposures/time", times);
    file.write("exposures/positive", exposures);
    file.write("exposures/positive_error", exposure_errors);
    file.write("series/value", series);
    if (!extra.empty()) file.write(extra, std::vector<double>{1});
    file.commit();
    return path;
  }
};

const DatasetComparison& dataset(const ResultComparison& comparison, const std::string& path) {
  for (const DatasetComparison& d : comparison.datasets)
    if (d.path == path) return d;
  FAIL("no dataset " << path);
  return comparison.datasets.front();
}

}  // namespace

TEST_CASE("compare_results: equal results have the same bits, whatever their provenance") {
  const ScratchFolder scratch;
  ComparedFile file;
  file.series[0] = std::numeric_limits<double>::quiet_NaN();  // equal to itself in its bits
  const ResultComparison c =
      compare_results(file.write(scratch / "a.h5"), file.write(scratch / "b.h5"));
  CHECK(c.same_bits);
  CHECK(c.unmatched.empty());
  CHECK(dataset(c, "trades/price").values == 2);
  CHECK(dataset(c, "trades/price").different == 0);
  CHECK(c.datasets.size() == 9);
}

TEST_CASE("compare_results: estimates in standard errors of their difference") {
  const ScratchFolder scratch;
  ComparedFile first, second;
  second.prices = {1.5, 2.0};
  second.errors = {0.2, 0.0};
  second.exposures[2] = 5.0 - 2.0 * std::sqrt(2.0);
  second.samples[1] = 300;
  const ResultComparison c =
      compare_results(first.write(scratch / "a.h5"), second.write(scratch / "b.h5"));
  CHECK_FALSE(c.same_bits);
  const DatasetComparison& price = dataset(c, "trades/price");
  CHECK(price.is_estimate);
  CHECK(price.different == 1);
  CHECK(price.with_errors == 1);  // the other one is exact, and equal
  CHECK(price.largest.row == "A");
  CHECK(price.largest.z == doctest::Approx(0.5 / std::hypot(0.1, 0.2)));
  CHECK(price.largest.first == "1 ± 0.1");
  CHECK(price.chi_square == doctest::Approx(0.25 / 0.05));
  const DatasetComparison& exposure = dataset(c, "exposures/positive");
  CHECK(exposure.with_errors == 3);
  CHECK(exposure.largest.z == doctest::Approx(-2.0));
  CHECK(exposure.largest.row == "B, time 0.5");  // the row of the other table by its name
  CHECK(dataset(c, "trades/samples").is_secondary);
  CHECK(dataset(c, "trades/standard_error").is_secondary);
  CHECK_FALSE(dataset(c, "series/value").is_secondary);
}

TEST_CASE("compare_results: exact values that differ have an infinite z") {
  const ScratchFolder scratch;
  ComparedFile first, second;
  second.prices[1] = 1.9999;
  const ResultComparison c =
      compare_results(first.write(scratch / "a.h5"), second.write(scratch / "b.h5"));
  CHECK(dataset(c, "trades/price").largest.z == -std::numeric_limits<double>::infinity());
  CHECK(dataset(c, "trades/price").first_difference.second == "1.9999");
  second.prices[1] = std::numeric_limits<double>::quiet_NaN();
  const ResultComparison d = compare_results(scratch / "a.h5", second.write(scratch / "c.h5"));
  CHECK(std::isinf(dataset(d, "trades/price").largest.z));
}

TEST_CASE(
    "compare_results: errors of rounding size are no errors, and unknown errors are counted") {
  const ScratchFolder scratch;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  ComparedFile first, second;
  second.prices[1] = 2.0 * (1 + 9e-12);
  second.errors[1] = 1.9e-11;
  first.exposures = {0.0, 4.0, 5.0};
  second.exposures = {-0.0, 4.1, 5.1};
  first.exposure_errors = {0.0, nan, 1.0};
  second.exposure_errors = {0.0, 1.0, nan};
  const ResultComparison c =
      compare_results(first.write(scratch / "a.h5"), second.write(scratch / "b.h5"));
  CHECK(dataset(c, "trades/price").different == 1);
  CHECK(dataset(c, "trades/price").with_errors == 1);  // that of A
  CHECK(dataset(c, "trades/price").largest.z == 0);
  const DatasetComparison& exposure = dataset(c, "exposures/positive");
  CHECK(exposure.with_errors == 0);
  CHECK(exposure.unknown == 2);
  CHECK(exposure.first_unknown.row == "A, time 1");
  CHECK(exposure.first_unknown.second == "4.1 ± 1");
  // Errors of rounding size hide no difference above it.
  second.prices[1] = 2.0 * (1 + 1.1e-11);
  const ResultComparison d = compare_results(scratch / "a.h5", second.write(scratch / "c.h5"));
  CHECK(std::isinf(dataset(d, "trades/price").largest.z));
}

TEST_CASE("compare_results: errors by the name error_of_X, and inputs beside estimates") {
  const ScratchFolder scratch;
  const auto write = [&](const std::string& name, double mean, double strike) {
    ResultFile file(Communicator::self(), scratch / name);
    file.attribute("provenance", "gsim_version", "0.1.0");
    file.write_strings("trades/id", std::vector<std::string>{"A"});
    file.write("trades/quantity", std::vector<double>{strike});
    file.write("trades/samples", std::vector<std::int64_t>{static_cast<std::int64_t>(strike)});
    file.write("trades/mean", std::vector<double>{mean});
    file.write("trades/error_of_mean", std::vector<double>{0.5});
    file.write("trades/strike", std::vector<double>{strike});
    file.write("trades/variance", std::vector<double>{strike});
    file.commit();
    return scratch / name;
  };
  const ResultComparison c = compare_results(write("a.h5", 1, 100), write("b.h5", 2, 90));
  CHECK(dataset(c, "trades/mean").largest.z == doctest::Approx(std::sqrt(2.0)));
  CHECK_FALSE(dataset(c, "trades/quantity").is_secondary);
  CHECK_FALSE(dataset(c, "trades/strike").is_secondary);
  CHECK(dataset(c, "trades/samples").is_secondary);
  CHECK(dataset(c, "trades/variance").is_secondary);
}

TEST_CASE(
    "compare_results: rows are matched by keys in any order, and those of one file are named") {
  const ScratchFolder scratch;
  ComparedFile first, second;
  second.ids = {"B", "A"};
  second.prices = {2.0, 1.0};
  second.errors = {0.0, 0.1};
  second.samples = {200, 100};
  second.rows = {1, 1, 0};
  const ResultComparison c =
      compare_results(first.write(scratch / "a.h5"), second.write(scratch / "b.h5"));
  CHECK(dataset(c, "trades/price").different == 0);
  CHECK(dataset(c, "exposures/positive").different == 0);
  CHECK(c.unmatched.empty());
  CHECK_FALSE(c.same_bits);  // the order of rows differs

  second = first;
  second.ids[1] = "C";
  second.extra = "more/data";
  const ResultComparison d = compare_results(scratch / "a.h5", second.write(scratch / "c.h5"));
  REQUIRE(d.unmatched.size() == 3);
  CHECK(d.unmatched[0].path == "trades");
  CHECK(d.unmatched[0].in_first == 1);
  CHECK(d.unmatched[0].in_second == 1);
  CHECK(d.unmatched[0].example == "B");
  CHECK(d.unmatched[0].is_of_estimates);
  CHECK(d.unmatched[1].path == "exposures");
  CHECK(d.unmatched[2].path == "more");
  CHECK(d.unmatched[2].is_whole);
  CHECK(d.unmatched[2].in_second == 1);
}

TEST_CASE("compare_results: files that are no results of gsim, or damaged") {
  const ScratchFolder scratch;
  const std::string good = ComparedFile().write(scratch / "a.h5");
  const auto message = [&](const std::string& other) {
    try {
      compare_results(good, other);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no InputError");
  };
  CHECK(contains(message(scratch / "none.h5"), "there is no such file"));
  std::ofstream(scratch / "text.h5") << "no HDF5";
  CHECK(contains(message(scratch / "text.h5"), "is not a result file of gsim"));
  const std::string damaged = ComparedFile().write(scratch / "damaged.h5");
  std::fstream(damaged, std::ios::in | std::ios::out | std::ios::binary).seekp(3000).put('\x7f');
  CHECK(contains(message(damaged), "cannot be trusted"));
}
