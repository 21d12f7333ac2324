// Tables that grow during a run: rows, averages, results, and restarts.

#include "gsim/engine/series_table.hpp"

#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "gsim/io/memory_datasets.hpp"

using namespace gsim;

namespace {

std::vector<SeriesColumn> columns() {
  return {{.name = "time", .unit = "ps"},
          {.name = "kinetic_energy", .unit = "eV", .description = "of all", .is_averaged = true}};
}

double energy(Index step) { return 2 + 0.25 * static_cast<double>(step * 37 % 11 - 5); }

void append(SeriesTable& table, Index first, Index last) {
  for (Index step = first; step < last; ++step)
    if (table.is_due(step)) table.append(step, {0.5 * static_cast<double>(step), energy(step)});
}

}  // namespace

TEST_CASE("series table: rows are due at multiples of the configured interval") {
  SeriesKeys keys;
  auto config = ConfigFile::parse("every = 5\nfrom = 20\n", "x.toml");
  config.read([&](Section& s) { keys.describe(s); });
  const SeriesTable table("thermo", columns(), keys);
  CHECK(table.is_due(0));
  CHECK_FALSE(table.is_due(7));
  CHECK(table.next(0) == 0);
  CHECK(table.next(6) == 10);
  CHECK(table.next(10) == 10);
  const SeriesTable never_due("thermo", columns(), {.every = 0});
  CHECK_FALSE(never_due.is_due(0));
  CHECK(never_due.next(3) == std::numeric_limits<Index>::max());
  auto invalid = ConfigFile::parse("every = 0\n", "x.toml");
  CHECK_THROWS_AS(invalid.read([&](Section& s) { keys.describe_every(s); }), ConfigError);
}

TEST_CASE("series table: results have a dataset with unit for each column") {
  SeriesTable table("thermo", columns(), {.every = 5});
  append(table, 0, 21);
  CHECK(table.rows() == 5);
  CHECK(table.last("time") == 10);
  CHECK(table.column("time") == std::vector<double>{0, 2.5, 5, 7.5, 10});
  MemoryDatasets file(Communicator::self());
  table.write_results(file);
  CHECK(file.read<Index>("thermo/step") == std::vector<Index>{0, 5, 10, 15, 20});
  CHECK(file.read<double>("thermo/kinetic_energy") == table.column("kinetic_energy"));
  CHECK(file.contents().attributes.at({"thermo/kinetic_energy", "unit"}) == "eV");
  CHECK(file.contents().attributes.at({"thermo/kinetic_energy", "description"}) == "of all");
  CHECK_FALSE(file.contents().attributes.contains({"thermo/time", "description"}));
}

TEST_CASE("series table: averages begin at `from` and have errors by blocking") {
  SeriesTable table("thermo", columns(), {.every = 1, .from = 100});
  append(table, 0, 500);
  Blocking expected;
  for (Index step = 100; step < 500; ++step) expected.add(energy(step));
  const auto estimates = table.estimates();
  REQUIRE(estimates.size() == 1);
  CHECK(estimates[0].name == "kinetic_energy");
  CHECK(estimates[0].unit == "eV");
  CHECK(estimates[0].count == 400);
  CHECK(estimates[0].mean == expected.mean().mean);
  CHECK(estimates[0].standard_error == expected.mean().standard_error);
  CHECK(table.mean("time").count == 400);
  MemoryDatasets file(Communicator::self());
  table.write_results(file);
  CHECK(file.read_strings("thermo_averages/quantity") ==
        std::vector<std::string>{"kinetic_energy"});
  CHECK(file.read<double>("thermo_averages/mean") == std::vector<double>{expected.mean().mean});
  CHECK(file.read<double>("thermo_averages/standard_error") ==
        std::vector<double>{expected.mean().standard_error});
}

TEST_CASE("series table: a resumed run has the same table, digest and estimates") {
  SeriesTable uninterrupted("thermo", columns(), {.every = 2}),
      stopped("thermo", columns(), {.every = 2});
  append(uninterrupted, 0, 300);
  append(stopped, 0, 131);
  const std::uint64_t digest_before = stopped.digest();
  const double row[] = {1.0, 2.0};
  stopped.append_end(131, row);  // as in the results of a run that is stopped here
  CHECK(stopped.rows() == 67);
  CHECK(stopped.digest() != digest_before);
  MemoryDatasets checkpoint(Communicator::self());
  stopped.save(checkpoint);
  SeriesTable resumed("thermo", columns(), {.every = 2});
  resumed.restore(checkpoint);
  CHECK(resumed.digest() == digest_before);
  append(resumed, 131, 300);
  append(stopped, 131, 300);  // the row of the end is removed
  for (const SeriesTable* table : {&resumed, &stopped}) {
    CHECK(table->digest() == uninterrupted.digest());
    CHECK(table->estimates()[0].mean == uninterrupted.estimates()[0].mean);
    CHECK(table->estimates()[0].standard_error == uninterrupted.estimates()[0].standard_error);
  }
  SeriesTable other("thermo", {{.name = "time"}}, {.every = 2});
  CHECK_THROWS_WITH_AS(other.restore(checkpoint), doctest::Contains("thermo/values"), IoError);
}

TEST_CASE("series table: the report has the last rows and the means") {
  SeriesTable table("thermo", columns(), {.every = 1});
  append(table, 0, 40);
  const ReportTable report = table.report(3);
  CHECK(report.columns == std::vector<std::string>{"step", "time (ps)", "kinetic energy (eV)"});
  REQUIRE(report.rows.size() == 3);
  CHECK(report.rows[0] == std::vector<std::string>{"37", "18.5", "2"});
  REQUIRE(report.footer.size() == 2);
  CHECK(report.footer[0] == "37 earlier rows are in the result file");
  CHECK(report.footer[1].find("mean kinetic energy ") == 0);
  CHECK(report.footer[1].find(" eV") != std::string::npos);
}

TEST_CASE("series table: invalid columns and rows are refused") {
  CHECK_THROWS_WITH_AS(SeriesTable("t", {{.name = "step"}}), doctest::Contains("\"step\""), Error);
  CHECK_THROWS_AS(SeriesTable("t", {{.name = "a"}, {.name = "a"}}), Error);
  SeriesTable table("t", columns(), {.every = 1});
  CHECK_THROWS_WITH_AS(table.last("time"), doctest::Contains("no rows yet"), Error);
  table.append(3, {1, 2});
  CHECK_THROWS_WITH_AS(table.append(3, {1, 2}), doctest::Contains("step 3 after one of step 3"),
                       Error);
  CHECK_THROWS_WITH_AS(table.append(4, {1}), doctest::Contains("1 numbers for 2 columns"), Error);
  CHECK_THROWS_WITH_AS(table.column("speed"), doctest::Contains("no column \"speed\""), Error);
}
