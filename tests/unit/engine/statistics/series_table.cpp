// Tables that grow during a run: declared once, saved, restored, written and averaged.

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

TEST_CASE("series table: rows are due at multiples, from the configuration's keys") {
  SeriesKeys keys;
  auto config = ConfigFile::parse("every = 5\nfrom = 20\n", "x.toml");
  config.read([&](Section& s) { keys.describe(s); });
  const SeriesTable table("thermo", columns(), keys);
  CHECK(table.is_due(0));
  CHECK_FALSE(table.is_due(7));
  CHECK(table.next(0) == 0);
  CHECK(table.next(6) == 10);
  CHECK(table.next(10) == 10);
  const SeriesTable none("thermo", columns(), {.every = 0});
  CHECK_FALSE(none.is_due(0));
  CHECK(none.next(3) == std::numeric_limits<Index>::max());
  auto wrong = ConfigFile::parse("every = 0\n", "x.toml");
  CHECK_THROWS_AS(wrong.read([&](Section& s) { keys.describe_every(s); }), ConfigError);
}

TEST_CASE("series table: results have a dataset a column, with units") {
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

TEST_CASE("series table: averages begin at `from`, with the errors of blocking") {
  SeriesTable table("thermo", columns(), {.every = 1, .from = 100});
  append(table, 0, 500);
  Blocking expected;
  for (Index step = 100; step < 500; ++step) expected.add(energy(step));
  const auto all = table.estimates();
  REQUIRE(all.size() == 1);
  CHECK(all[0].name == "kinetic_energy");
  CHECK(all[0].unit == "eV");
  CHECK(all[0].count == 400);
  CHECK(all[0].mean == expected.mean().mean);
  CHECK(all[0].standard_error == expected.mean().standard_error);
  CHECK(table.mean("time").count == 400);
}

TEST_CASE("series table: a run that is resumed has the same table, digest and estimates") {
  SeriesTable whole("thermo", columns(), {.every = 2}), cut("thermo", columns(), {.every = 2});
  append(whole, 0, 300);
  append(cut, 0, 131);
  const std::uint64_t before = cut.digest();
  const double row[] = {1.0, 2.0};
  cut.append_end(131, row);  // as in the results of a run that is stopped here
  CHECK(cut.rows() == 67);
  CHECK(cut.digest() != before);
  MemoryDatasets checkpoint(Communicator::self());
  cut.save(checkpoint);
  SeriesTable resumed("thermo", columns(), {.every = 2});
  resumed.restore(checkpoint);
  CHECK(resumed.digest() == before);
  append(resumed, 131, 300);
  append(cut, 131, 300);  // the row of the end is removed
  for (const SeriesTable* table : {&resumed, &cut}) {
    CHECK(table->digest() == whole.digest());
    CHECK(table->estimates()[0].mean == whole.estimates()[0].mean);
    CHECK(table->estimates()[0].standard_error == whole.estimates()[0].standard_error);
  }
  SeriesTable other("thermo", {{.name = "time"}}, {.every = 2});
  CHECK_THROWS_WITH_AS(other.restore(checkpoint), doctest::Contains("thermo/values"), IoError);
}

TEST_CASE("series table: the terminal shows the last rows and the means") {
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

TEST_CASE("series table: what is refused") {
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
