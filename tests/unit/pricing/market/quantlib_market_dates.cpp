// Dates in configurations. This source is left out of builds without QuantLib.

#include <fstream>

#include <doctest/doctest.h>

#include "support/scratch_folder.hpp"
#include "tests/unit/pricing/fixtures.hpp"

using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

const std::string asset = "[market.assets.A]\nspot = 100.0\nvolatility = 0.2\n";

std::string european(const std::string& maturity) {
  return "[[trades]]\nid = \"T\"\nproduct = \"european\"\nasset = \"A\"\ntype = \"call\"\n"
         "strike = 100.0\nmaturity = " +
         maturity + "\n";
}

std::string with_date(const std::string& keys, const std::string& trades) {
  return "[market]\ndate = 2026-11-28\nrate = 0.02\n" + keys + asset + trades;
}

double maturity(const std::string& keys, const std::string& text) {
  return read(with_date(keys, european(text))).trades.at(0).maturity;
}

}  // namespace

TEST_CASE("times are years, dates or lengths of time") {
  CHECK(maturity("", "0.5") == 0.5);
  CHECK(maturity("", "2027-11-28") == 1);
  CHECK(maturity("", "\"2027-11-28\"") == 1);
  CHECK(maturity("", "\"6M\"") == 181.0 / 365);
  CHECK(maturity("", "\"2y\"") == 731.0 / 365);
  CHECK(maturity("day_count = \"act/360\"\n", "\"30D\"") == 30.0 / 360);
  // The 28th of February 2027 is a Sunday, and the Friday before is the last business day of the
  // month.
  CHECK(maturity("calendar = \"TARGET\"\n", "\"3M\"") == 90.0 / 365);
  CHECK(maturity("calendar = \"TARGET\"\n", "2027-02-28") == 92.0 / 365);
}

TEST_CASE("dates in lists, and a text as the date of today") {
  const PricingConfig config = read(
      "[market]\ndate = \"2026-11-28\"\n"
      "rate = { times = [\"6M\", 2027-11-28, 2.0], values = [0.01, 0.02, 0.02] }\n" +
      asset +
      "[[trades]]\nid = \"T\"\nproduct = \"asian\"\nasset = \"A\"\ntype = \"call\"\nstrike = "
      "100.0\n"
      "maturity = \"1Y\"\nfixings = [\"3M\", 0.4, 2027-05-28]\n");
  CHECK(config.market.rate_times == std::vector<double>{181.0 / 365, 1, 2});
  CHECK(config.trades.at(0).fixings == std::vector<double>{92.0 / 365, 0.4, 181.0 / 365});
}

TEST_CASE("dates in cells of a CSV file") {
  const gsim::test::ScratchFolder folder;
  std::ofstream(folder / "trades.csv")
      << "id,product,asset,type,strike,maturity,exercise,exercise_dates\n"
         "A,european,A,call,100,2027-11-28,,\n"
         "B,european,A,put,100,1Y,bermudan,2027-05-28;9M\n"
         "C,european,A,put,100,0.25,,\n";
  std::ofstream(folder / "run.toml") << "trades_file = \"trades.csv\"\n" + with_date("", "");
  gsim::ConfigFile file = gsim::ConfigFile::load(folder / "run.toml");
  PricingConfig config;
  file.read([&](gsim::Section& top) {
    describe_pricing(top, config, builtin_payoffs(), builtin_path_models());
  });
  REQUIRE(config.trades.size() == 3);
  CHECK(config.trades[0].maturity == 1);
  CHECK(config.trades[1].exercise.dates == std::vector<double>{181.0 / 365, 273.0 / 365, 1});
  CHECK(config.trades[2].maturity == 0.25);
}

TEST_CASE("a resolved configuration has the years of the dates, to the bit") {
  gsim::ConfigFile file = gsim::ConfigFile::parse(with_date("", european("\"6M\"")), "test.toml");
  PricingConfig config, again;
  const auto read_into = [](gsim::ConfigFile& from, PricingConfig& to) {
    from.read([&](gsim::Section& top) {
      describe_pricing(top, to, builtin_payoffs(), builtin_path_models());
    });
  };
  read_into(file, config);
  gsim::ConfigFile resolved = gsim::ConfigFile::parse(file.resolved(), "resolved.toml");
  read_into(resolved, again);
  CHECK(again.trades.at(0).maturity == config.trades.at(0).maturity);
  CHECK(again.market.dates.today == config.market.dates.today);
}

TEST_CASE("messages about dates") {
  const auto message = [](const std::string& text) {
    return error_of(with_date("", european(text)));
  };
  CHECK(contains(message("2026-11-01"), "test.toml:13:12: `maturity` must be greater than 0"));
  CHECK(contains(message("\"2027-02-29\""), "`maturity`: there is no day 2027-02-29"));
  CHECK(contains(message("\"soon\""),
                 "`maturity`: \"soon\" is neither a date such as \"2026-11-28\" nor a length"));
  CHECK(
      contains(message("2027-11-28T12:00:00"), "`maturity` must be a number, a date or a length"));
  CHECK(contains(error_of("[market]\nrate = 0.0\n" + asset + european("\"6M\"")),
                 "`maturity`: \"6M\" needs the date of today; set market.date"));
  CHECK(contains(error_of("[market]\nrate = 0.0\n" + asset + european("2027-11-28")),
                 "set market.date"));
  CHECK(
      contains(error_of("[market]\ndate = \"28.11.2026\"\nrate = 0.0\n" + asset + european("1.0")),
               "test.toml:2:8: \"28.11.2026\" is not a date"));
  CHECK(contains(error_of(with_date("calendar = \"Mars\"\n", european("1.0"))),
                 "test.toml:4:12: no calendar `Mars`; the calendars are none, weekends, TARGET"));
}

TEST_CASE("fixings by date, and the date of one that is missing") {
  const gsim::test::ScratchFolder folder;
  std::ofstream(folder / "fixings.csv") << "asset,date,value\nA,2026-09-30,97.5\n";
  const auto read_with = [&](const std::string& dates) {
    std::ofstream(folder / "run.toml")
        << with_date("fixings_file = \"fixings.csv\"\n",
                     "[[trades]]\nid = \"T\"\nproduct = \"asian\"\nasset = \"A\"\ntype = \"call\"\n"
                     "strike = 100.0\nmaturity = 2027-03-31\nfixings = [" +
                         dates + ", 2026-12-31, 2027-03-31]\n");
    gsim::ConfigFile file = gsim::ConfigFile::load(folder / "run.toml");
    PricingConfig config;
    file.read([&](gsim::Section& top) {
      describe_pricing(top, config, builtin_payoffs(), builtin_path_models());
    });
    return config.trades.at(0);
  };
  CHECK(read_with("2026-09-30").past_fixings == std::vector<double>{97.5});
  CHECK_THROWS_WITH_AS(read_with("2026-06-30, 2026-09-30"),
                       doctest::Contains("no fixing of asset `A` on 2026-06-30"), gsim::InputError);
}
