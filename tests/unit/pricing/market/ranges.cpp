// The range of a rate, yield or volatility is the same for every key, and a rate that was probably
// entered in percent gives a warning. A last date that differs from the maturity by rounding only
// is accepted, and a variance swap is annualised by the dates of its schedule.

#include <cmath>
#include <fstream>
#include <functional>
#include <regex>

#include <doctest/doctest.h>

#include "support/scratch_folder.hpp"
#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/module_run.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

const std::string european =
    "[[trades]]\nid = \"T\"\nproduct = \"european\"\nasset = \"A\"\ntype = \"call\"\n"
    "strike = 100.0\nmaturity = 1.0\n";

std::string market(const std::string& rate, const std::string& asset) {
  return "[market]\nrate = " + rate + "\n[market.assets.A]\nspot = 100.0\n" + asset + "\n" +
         european;
}

std::string local_volatility(const std::string& volatility) {
  return "model = \"local_volatility\"\nlocal_times = [1.0]\nlocal_spots = [50.0, 200.0]\n"
         "local_volatility = [[0.2, " +
         volatility + "]]\n";
}

// The same grid in a file, which is deleted with this object.
class GridFile {
 public:
  explicit GridFile(const std::string& volatility) {
    std::ofstream(path_) << "time,spot,volatility\n1.0,50,0.2\n1.0,200," << volatility << "\n";
  }
  std::string asset() const {
    return "model = \"local_volatility\"\nlocal_file = \"" + path_ + "\"\n";
  }

 private:
  gsim::test::ScratchFolder folder_;
  std::string path_ = folder_ / "grid.csv";
};

std::string trade(const std::string& product, const std::string& maturity,
                  const std::string& keys) {
  return one_asset + "[[trades]]\nid = \"T\"\nasset = \"A\"\nproduct = \"" + product +
         "\"\nmaturity = " + maturity + "\n" + keys;
}

}  // namespace

TEST_CASE(
    "rates, yields and volatilities have one range, as single numbers, in tables or in files") {
  const auto table = [](const std::string& v) {
    return "{ times = [0.5, 1.0], values = [0.01, " + v + "], kind = \"forward\" }";
  };
  const std::string flat = "volatility = 0.2\n";
  struct ValueLocation {
    std::string name;
    std::function<std::string(const std::string&)> error;
    const char* expected;
  };
  const std::vector<ValueLocation> locations = {
      {"rate", [&](const auto& v) { return error_of(market(v, flat)); }, "`rate` must be"},
      {"rate table", [&](const auto& v) { return error_of(market(table(v), flat)); },
       "`values` must be"},
      {"dividend table",
       [&](const auto& v) {
         return error_of(market("0.01", "dividend = " + table(v) + "\n" + flat));
       },
       "`values` must be"},
      {"volatility", [&](const auto& v) { return error_of(market("0.01", "volatility = " + v)); },
       "`volatility` must be"},
      {"volatility table",
       [&](const auto& v) { return error_of(market("0.01", "volatility = " + table(v))); },
       "`values` must be"},
      {"grid", [&](const auto& v) { return error_of(market("0.01", local_volatility(v))); },
       "`local_volatility` must be"},
      {"grid file",
       [&](const auto& v) {
         const GridFile file(v);
         return error_of(market("0.01", file.asset()));
       },
       "`volatility` must be"},
  };
  for (const ValueLocation& location : locations) {
    CAPTURE(location.name);
    CHECK(location.error("10.0") == "");
    const std::string message = location.error("20.0");
    CAPTURE(message);
    CHECK(contains(message, location.expected));
    CHECK(contains(message, "at most 10"));
  }
}

TEST_CASE("a rate or yield above 1 gives a warning with its location") {
  const auto warnings = [](const std::string& rate, const std::string& asset) {
    return read(market(rate, asset + "volatility = 0.2\n")).market.warnings;
  };
  CHECK(warnings("1.0", "dividend = 1.0\n").empty());
  CHECK(
      warnings("3.0", "") ==
      std::vector<std::string>{"test.toml:2: market.rate = 3 is 300 % a year; did you mean 0.03?"});
  const auto table = warnings("{ times = [1.0, 2.0], values = [2.5, 0.03] }", "");
  REQUIRE(table.size() == 1);
  CHECK(contains(table[0], "market.rate = 2.5 is 250 % a year; did you mean 0.025?"));
  const auto yield = warnings("0.01", "dividend = 2.0\n");
  REQUIRE(yield.size() == 1);
  CHECK(contains(yield[0], "test.toml:5: market.assets.A.dividend = 2 is 200 %"));
}

TEST_CASE("local volatility is checked for overflow of the spot, too") {
  // In double precision, |ln spot| may reach 350. The bound is ln 100 + 8 x + 0.5 x^2, where
  // x = volatility sqrt(years).
  const auto error = [](const std::string& volatility, const char* maturity) {
    std::string text = market("0.0", local_volatility(volatility));
    text.replace(text.find("maturity = 1.0"), 14, std::string("maturity = ") + maturity);
    return error_of(text);
  };
  CHECK(error("9.0", "1.0") == "");
  CHECK(error("0.2", "100.0") == "");
  CHECK(contains(error("9.0", "9.0"), "in 9 years the spot of `A` may move by a factor of e^585"));
}

TEST_CASE("a last date within seconds of the maturity is the maturity") {
  const std::string call = "type = \"call\"\n", discrete = "monitoring = \"discrete\"\n";
  struct ScheduledTrade {
    const char* product;
    std::string keys;
  };
  const std::vector<ScheduledTrade> scheduled_trades = {
      {"asian", call + "average_of = \"strike\"\n"},
      {"asian", call + "strike = 100.0\n"},
      {"barrier", call + discrete + "strike = 100.0\nbarrier = 90.0\nkind = \"down_and_out\"\n"},
      {"lookback", call + discrete + "kind = \"floating\"\n"},
      {"cliquet", call},
      {"variance_swap", "strike = 0.04\n"},
  };
  // 547 / 365 in full precision and cut to nine decimals; the fixings have it rounded to nine.
  const std::vector<std::pair<const char*, double>> maturities = {
      {"1.4986301369863013", 1.4986301369863013}, {"1.498630136", 1.498630136}};
  for (const ScheduledTrade& scheduled : scheduled_trades)
    for (const auto& maturity : maturities) {
      CAPTURE(scheduled.product);
      CAPTURE(maturity.first);
      const std::string text = trade(scheduled.product, maturity.first,
                                     scheduled.keys + "fixings = [0.5, 1.0, 1.498630137]\n");
      REQUIRE(error_of(text) == "");
      CHECK(read(text).trades[0].fixings.back() == maturity.second);
    }
  const std::string late = "fixings = [0.5, 1.4986303]\n";
  CHECK(contains(error_of(trade("lookback", maturities[0].first, scheduled_trades[3].keys + late)),
                 "the last date 1.4986303 is after the maturity"));
  const std::string early = "fixings = [0.5, 1.4986299]\n";
  CHECK(contains(error_of(trade("lookback", maturities[0].first, scheduled_trades[3].keys + early)),
                 "the last date must be the maturity"));
  CHECK(error_of(trade("asian", maturities[0].first, scheduled_trades[1].keys + early)) == "");
}

TEST_CASE("a variance swap is annualised by its schedule") {
  const auto per_year = [](const char* maturity, const std::string& keys) {
    return read(trade("variance_swap", maturity, "strike = 0.04\n" + keys))
        .trades[0]
        .observations_per_year;
  };
  CHECK(per_year("1.0", "fixing_count = 12\n") == 12);
  CHECK(per_year("2.0", "fixing_count = 12\n") == 6);
  CHECK(per_year("0.25", "fixing_count = 63\n") == 252);
  CHECK(per_year("1.0", "fixing_count = 2\nfixing_start = 0.5\n") == 4);
  CHECK(per_year("1.0", "fixings = [0.25, 0.5, 1.0]\n") == doctest::Approx(2 / 0.75));
  CHECK(per_year("1.0", "past_fixings = [99.0, 98.0]\nfixing_count = 12\n") == 12);
  CHECK(per_year("1.0", "fixing_count = 12\nobservations_per_year = 252\n") == 252);
  const std::string one_date = "past_fixings = [99.0]\nfixings = [1.0]\n";
  CHECK(contains(error_of(trade("variance_swap", "1.0", "strike = 0.04\n" + one_date)),
                 "give observations_per_year"));
  CHECK(per_year("1.0", one_date + "observations_per_year = 252\n") == 252);
}

TEST_CASE("a monthly variance swap whose strike is the variance is worth nearly zero") {
  // With zero rates, ln(S_k / S_k-1) is N(-v / 2, v) with v = 0.04 / 12: the expected realised
  // variance is 0.04 + 12 (v / 2)^2.
  ModuleRun run;
  run.config =
      "[market]\nrate = 0.0\n[market.assets.A]\nspot = 100.0\nvolatility = 0.2\n"
      "[[trades]]\nid = \"T\"\nproduct = \"variance_swap\"\nasset = \"A\"\nstrike = 0.04\n"
      "maturity = 1.0\nfixing_count = 12\nquantity = 1000.0\n";
  run.stop = samples(1 << 16);
  const Estimate e = run_module_alone(run).estimates[0];
  REQUIRE(e.standard_error > 0);
  REQUIRE(e.standard_error < 0.1);
  const double v = 0.04 / 12;
  CHECK(std::fabs(e.mean - 1000 * 12 * 0.25 * v * v) <= 4 * e.standard_error);
}

TEST_CASE("the schema states the limits of grids, dates and samples") {
  PricingConfig config;
  std::string text = schema_text([&](Section& top) {
    describe_pricing(top, config, builtin_payoffs(), builtin_path_models());
  });
  // The text with its lines joined.
  text = std::regex_replace(text, std::regex("\\s+"), " ");
  for (const char* phrase : {"max(129, 4n)", "a schedule that ends at maturity",
                             "the spot at maturity, which is the last fixing",
                             "0: the number of periods of the schedule"}) {
    CAPTURE(phrase);
    CHECK(contains(text, phrase));
  }
}
