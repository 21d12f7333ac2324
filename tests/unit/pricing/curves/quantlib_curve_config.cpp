// [market.curves] and [market.credit]: keys and messages. This source is left out of builds without
// QuantLib.

#include <cmath>
#include <fstream>

#include <doctest/doctest.h>

#include "support/scratch_folder.hpp"
#include "tests/unit/pricing/fixtures.hpp"

using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

std::string with_tables(const std::string& tables, const std::string& rate = "0.02",
                        const std::string& dividend = "0.0") {
  return "[market]\ndate = 2026-11-27\nrate = " + rate + "\n" + tables +
         "[market.assets.A]\nspot = 100.0\nvolatility = 0.2\ndividend = " + dividend +
         "\n[[trades]]\nid = \"T\"\nproduct = \"european\"\nasset = \"A\"\ntype = \"call\"\n"
         "strike = 100.0\nmaturity = 1.0\n";
}

MarketConfig market(const std::string& tables, const std::string& rate = "0.02",
                    const std::string& dividend = "0.0") {
  return read(with_tables(tables, rate, dividend)).market;
}

std::string message(const std::string& tables) { return error_of(with_tables(tables)); }

const std::string pillars =
    "[market.curves.C]\ntimes = [\"6M\", 1.0, 2.0]\nvalues = [0.02, 0.021, 0.025]\n";
const std::string quotes =
    "[market.curves.Q]\ncurrency = \"EUR\"\nquotes = [\n"
    "  { type = \"deposit\", maturity = \"6M\", rate = 0.02 },\n"
    "  { type = \"swap\", maturity = \"2Y\", rate = 0.022 }]\n";

}  // namespace

TEST_CASE("a curve by name is the market's rate or an asset's dividend yield") {
  const MarketConfig m = market(pillars, "\"C\"", "\"C\"");
  CHECK(m.rate.integral(1) == doctest::Approx(0.021).epsilon(1e-15));
  CHECK(m.assets.at(0).dividend.integral(2) == doctest::Approx(0.05).epsilon(1e-15));
  CHECK(m.rate_times == std::vector<double>{181.0 / 365, 1, 2});
  CHECK(m.has_zero_rates);
}

TEST_CASE("pillars with zero rates, forward rates and discount factors") {
  const auto total = [](const std::string& keys) {
    return market("[market.curves.C]\ntimes = [1.0, 2.0]\n" + keys).curves.at(0).curve.total(2);
  };
  CHECK(total("values = [0.02, 0.03]\n") == doctest::Approx(0.06).epsilon(1e-15));
  CHECK(total("values = [0.02, 0.03]\nkind = \"forward\"\n") ==
        doctest::Approx(0.05).epsilon(1e-15));
  CHECK(total("values = [0.98, 0.95]\nkind = \"discount\"\n") ==
        doctest::Approx(-std::log(0.95)).epsilon(1e-15));
}

TEST_CASE("quotes in a CSV file are those of tables") {
  const gsim::test::ScratchFolder folder;
  std::ofstream(folder / "quotes.csv") << "type,maturity,rate,start,settlement_days\n"
                                          "swap,2Y,0.022,,\n"
                                          "deposit,6M,0.02,,\n";
  std::ofstream(folder / "run.toml")
      << with_tables("[market.curves.Q]\ncurrency = \"EUR\"\nquotes_file = \"quotes.csv\"\n");
  gsim::ConfigFile file = gsim::ConfigFile::load(folder / "run.toml");
  PricingConfig config;
  file.read([&](gsim::Section& top) {
    describe_pricing(top, config, builtin_payoffs(), builtin_path_models());
  });
  const MarketConfig tables = market(quotes);
  const MarketCurve& curve = config.market.curves.at(0);
  CHECK(curve.curve.totals() == tables.curves.at(0).curve.totals());
  CHECK(curve.quotes == std::vector<std::string>{"deposit 6M", "swap 2Y"});
}

TEST_CASE("messages about curves") {
  CHECK(contains(message("[market.curves.C]\ntimes = [1.0, 0.5]\nvalues = [0.0, 0.0]\n"),
                 "test.toml:5:9: pillars must be positive and increasing, but pillar 2 is 0.5"));
  CHECK(contains(message("[market.curves.C]\ntimes = [1.0]\nvalues = [0.0, 0.0]\n"),
                 "2 values for 1 pillars"));
  CHECK(contains(message("[market.curves.C]\ntimes = [1.0]\nvalues = [0.0]\nkind = \"discount\"\n"),
                 "discount factors must be positive"));
  CHECK(contains(message("[market.curves.C]\ncurrency = \"EUR\"\n"), "a curve needs one of"));
  CHECK(contains(error_of(with_tables(pillars, "\"D\"")),
                 "test.toml:3:8: no curve `D` in [market.curves]"));
  CHECK(contains(error_of(with_tables("", "\"D\"")), "add the table [market.curves.D]"));
  CHECK(contains(message(quotes + "calendar = \"Mars\"\n"), "no calendar `Mars`"));
  CHECK(contains(message(quotes + "discount = \"X\"\n"), "no curve `X` in [market.curves]"));
  CHECK(contains(message(quotes + "discount = \"Q\"\n"), "would discount its own quotes"));
  CHECK(
      contains(message(quotes + "fixed_tenor = \"often\"\n"), "\"often\" is not a length of time"));
  CHECK(contains(message(quotes + "day_count = \"act/364\"\n"), "no day count `act/364`"));
  CHECK(contains(error_of("[market]\nrate = 0.0\n" + quotes +
                          "[market.assets.A]\nspot = 1.0\nvolatility = 0.2\n"),
                 "quotes need the date of today"));
}

TEST_CASE("rates of curves that may be percentages give warnings") {
  CHECK(market(pillars).warnings.empty());
  const auto values = market("[market.curves.C]\ntimes = [1.0]\nvalues = [2.5]\n").warnings;
  REQUIRE(values.size() == 1);
  CHECK(values[0] ==
        "test.toml:6: market.curves.C.values = 2.5 is 250 % a year; did you mean 0.025?");
  const auto quote = market(
                         "[market.curves.C]\nquotes = [\n"
                         "{ type = \"deposit\", maturity = \"3M\", rate = 4.02 }]\n")
                         .warnings;
  REQUIRE(quote.size() == 1);
  CHECK(quote[0] == "test.toml:6: deposit 3M = 4.02 is 402 % a year; did you mean 0.0402?");
}

TEST_CASE("messages about quotes") {
  const auto quoted = [](const std::string& rows) {
    return message("[market.curves.Q]\ncurrency = \"EUR\"\nquotes = [\n" + rows + "]\n");
  };
  CHECK(contains(quoted("{ type = \"deposit\", maturity = \"6M\", rate = 0.02 },\n"
                        "{ type = \"swap\", maturity = \"6M\", rate = 0.02 }\n"),
                 "test.toml:8:29: the swap 6M ends on the same day as the deposit 6M"));
  CHECK(contains(quoted("{ type = \"swap\", maturity = \"2Y\", rate = 0.02 },\n"
                        "{ type = \"swap\", maturity = \"3Y\", rate = 2.2 }\n"),
                 "test.toml:8:29: the quotes of curve `Q` admit no curve"));
  CHECK(contains(quoted("{ type = \"fra\", maturity = \"6M\", rate = 0.02 }\n"), "has a `start`"));
  CHECK(contains(quoted("{ type = \"deposit\", start = \"1M\", maturity = \"6M\", rate = 0.02 }\n"),
                 "has a `start`"));
  CHECK(contains(quoted("{ type = \"fra\", start = \"9M\", maturity = \"6M\", rate = 0.02 }\n"),
                 "the fra 9M to 6M ends before it begins"));
  CHECK(contains(quoted("{ type = \"deposit\", maturity = 2026-11-03, rate = 0.02 }\n"),
                 "ends before it begins"));
  CHECK(contains(quoted("{ type = \"deposit\", maturity = \"six\", rate = 0.02 }\n"),
                 "\"six\" is neither a date"));
}

TEST_CASE("credit curves: keys and messages") {
  const MarketConfig m =
      market("[market.credit.X]\ntimes = [1.0, 5.0]\nhazard_rates = [0.01, 0.02]\n");
  CHECK(m.credit.at(0).curve.survival(2) == doctest::Approx(std::exp(-0.03)).epsilon(1e-15));
  CHECK(m.credit.at(0).recovery == 0.4);
  CHECK(find_credit(m.credit, "X") == &m.credit.at(0));
  CHECK(find_credit(m.credit, "Y") == nullptr);
  const auto issuer = [](const std::string& keys) { return message("[market.credit.X]\n" + keys); };
  CHECK(contains(issuer(""), "a credit curve needs either"));
  CHECK(contains(issuer("times = [1.0, 1.0]\nhazard_rates = [0.01, 0.01]\n"),
                 "test.toml:5:9: pillars must be positive and increasing"));
  CHECK(contains(issuer("times = [1.0]\nhazard_rates = [-0.01]\n"),
                 "each element of `hazard_rates`"));
  CHECK(contains(issuer("maturities = [\"1Y\", \"5Y\"]\nspreads = [0.01]\n"),
                 "1 spreads for 2 maturities"));
  CHECK(contains(issuer("maturities = [\"5Y\", \"1Y\"]\nspreads = [0.01, 0.01]\n"),
                 "maturities must increase, but 1Y does not end after 5Y"));
  CHECK(issuer("maturities = [\"1Y\", 2031-12-20]\nspreads = [0.01, 0.01]\n").empty());
  CHECK(contains(issuer("maturities = [\"1Y\", \"5Y\"]\nspreads = [0.09, 0.01]\n"),
                 "test.toml:6:11: the spreads admit no curve"));
  CHECK(contains(issuer("maturities = [\"1Y\"]\nspreads = [0.01]\ndiscount = \"Z\"\n"),
                 "no curve `Z`"));
}
