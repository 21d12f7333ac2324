// Variants of the trades and curves of examples/ore beside Open Source Risk Engine 1.8.17, which
// read the same files (npv.csv, curves.csv; engines as in quantlib_ore_values.cpp). This source is
// left out of builds without QuantLib or pugixml.

#include <cmath>

#include <doctest/doctest.h>

#include "src/modules/pricing/risk/revaluation.hpp"
#include "tests/unit/pricing/module_run.hpp"
#include "tests/unit/pricing/ore/ore_example.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

using Replacements = std::vector<std::pair<std::string, std::string>>;

std::string replaced(std::string text, const Replacements& replacements) {
  for (const auto& [from, to] : replacements)
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  return text;
}

/// A portfolio with one trade of the example.
std::string one_trade(const std::string& portfolio, const std::string& id,
                      const Replacements& replacements) {
  const std::size_t first = portfolio.find("<Trade id=\"" + id + "\"");
  const std::size_t end = portfolio.find("</Trade>", first) + 8;
  return "<Portfolio>" + replaced(portfolio.substr(first, end - first), replacements) +
         "</Portfolio>\n";
}

double value_of(const std::string& id, const Replacements& replacements,
                const std::string& fixings = {}) {
  OreFolder folder;
  folder.write("portfolio.xml", one_trade(folder.text("portfolio.xml"), id, replacements));
  folder.write("fixings.txt", folder.text("fixings.txt") + fixings);
  const PricingConfig config = folder.read();
  return Revaluation(config, gsim::test::test_executor(1), Arithmetic::strict, 1, 1024)
      .today()
      .at(0)
      .value;
}

}  // namespace

TEST_CASE("swaps with other schedules, day counts and payments have the values of ORE") {
  struct Variant {
    const char* name;
    Replacements replacements;
    double ore;
  };
  const Replacements end_of_months = {{"2026-03-02", "2026-08-31"}, {"2034-03-02", "2034-08-31"}};
  Replacements thirty_e = end_of_months;
  thirty_e.emplace_back("30/360", "30E/360");
  const Variant variants[] = {
      {"backward from the end",
       {{"Forward", "Backward"}, {"2026-03-02", "2026-04-10"}, {"2034-03-02", "2034-07-10"}},
       28175.565998},
      {"a short last period", {{"2034-03-02", "2034-07-10"}}, 26505.339891},
      {"ends of months", end_of_months, 37276.456255},
      {"30E/360", thirty_e, 37579.629692},
      {"act/act", {{"30/360", "ACT/ACT"}}, 19566.157338},
      {"payment two days later",
       {{"<PaymentConvention>MF</PaymentConvention>",
         "<PaymentConvention>F</PaymentConvention><PaymentLag>2</PaymentLag>"}},
       19574.129214},
      {"begins on a holiday",
       {{"2026-03-02", "2026-02-09"}, {"2034-03-02", "2031-02-10"}},
       -28090.195344},
  };
  for (const Variant& v : variants) {
    CAPTURE(v.name);
    CHECK(std::fabs(value_of("PAYER", v.replacements) - v.ore) <= 2e-6);
  }
  // Begins tomorrow, with a rate that was fixed yesterday.
  CHECK(std::fabs(value_of("PAYER", {{"2026-03-02", "2026-02-06"}, {"2034-03-02", "2034-02-06"}},
                           "20260204 EUR-EURIBOR-6M 0.0219\n") -
                  17399.085728) <= 2e-6);
  // A spread over the floating rate.
  CHECK(std::fabs(value_of("RECEIVER-SEASONED", {{"0.001", "0.0125"}}) + 193918.110727) <= 2e-6);
}

TEST_CASE("a cap less a floor has the value of ORE, whose volatility cancels") {
  const double cap = value_of("CAP", {{"0.03<", "0.025<"}});
  const double floor = value_of("FLOOR", {{"0.015<", "0.025<"}, {">Short<", ">Long<"}});
  CHECK(std::fabs(cap - floor - (37690.514136 - 49007.864900)) <= 4e-6);
}

TEST_CASE("dividends and volatilities before the first and after the last date are those of ORE") {
  const Replacements early = {{"2027-08-05", "2026-03-05"}}, late = {{"2027-08-05", "2032-02-05"}};
  CHECK(std::fabs(value_of("CALL", early) - 6974.006202) <= 1e-3);
  CHECK(std::fabs(value_of("CALL", late) - 70321.099782) <= 5e-3);
  CHECK(std::fabs(value_of("FORWARD", {{"2028-02-04", "2033-02-04"}}) - 11563.523649) <= 2e-6);
}

TEST_CASE(
    "curves of overnight swaps, of linear zero rates and of discount factors are those of ORE") {
  OreFolder folder;
  const std::string quotes = R"(
2026-02-05 MM/RATE/EUR/0D/1D 0.0192
2026-02-05 IR_SWAP/RATE/EUR/2D/1D/1W 0.0193
2026-02-05 IR_SWAP/RATE/EUR/2D/1D/1M 0.0194
2026-02-05 IR_SWAP/RATE/EUR/2D/1D/3M 0.0196
2026-02-05 IR_SWAP/RATE/EUR/2D/1D/6M 0.0199
2026-02-05 IR_SWAP/RATE/EUR/2D/1D/9M 0.0201
2026-02-05 IR_SWAP/RATE/EUR/2D/1D/1Y 0.0203
2026-02-05 IR_SWAP/RATE/EUR/2D/1D/15M 0.0205
2026-02-05 IR_SWAP/RATE/EUR/2D/1D/18M 0.0207
2026-02-05 IR_SWAP/RATE/EUR/2D/1D/2Y 0.0210
2026-02-05 IR_SWAP/RATE/EUR/2D/1D/3Y 0.0217
2026-02-05 IR_SWAP/RATE/EUR/2D/1D/5Y 0.0228
2026-02-05 IR_SWAP/RATE/EUR/2D/1D/7Y 0.0238
2026-02-05 IR_SWAP/RATE/EUR/2D/1D/10Y 0.0251
2026-02-05 IR_SWAP/RATE/EUR/2D/1D/20Y 0.0268
2026-02-05 IR_SWAP/RATE/EUR/2D/1D/30Y 0.0266
2026-02-05 DISCOUNT/RATE/EUR/DISC/2027-02-05 0.98
2026-02-05 DISCOUNT/RATE/EUR/DISC/2031-02-05 0.9
2026-02-05 DISCOUNT/RATE/EUR/DISC/2041-02-05 0.7
2026-02-05 MM/RATE/EUR/2D/3M 0.0209
2026-02-05 FRA/RATE/EUR/3M/3M 0.0212
2026-02-05 FRA/RATE/EUR/6M/3M 0.0214
2026-02-05 IR_SWAP/RATE/EUR/2D/3M/1Y 0.0213
2026-02-05 IR_SWAP/RATE/EUR/2D/3M/2Y 0.0219
2026-02-05 IR_SWAP/RATE/EUR/2D/3M/5Y 0.0236
2026-02-05 IR_SWAP/RATE/EUR/2D/3M/10Y 0.0258
)";
  folder.write("market.txt", folder.text("market.txt") + quotes);
  const auto segment = [&](const std::string& kind, const std::string& type,
                           const std::string& prefix, const std::string& convention) {
    std::string text = "<" + kind + "><Type>" + type + "</Type><Quotes>";
    for (std::size_t at = quotes.find(prefix); at != std::string::npos;
         at = quotes.find(prefix, at + 1))
      text += "<Quote>" + quotes.substr(at, quotes.find(' ', at) - at) + "</Quote>";
    return text + "</Quotes>" +
           (convention.empty() ? "" : "<Conventions>" + convention + "</Conventions>") + "</" +
           kind + ">";
  };
  const auto curve = [](const std::string& id, const std::string& discount,
                        const std::string& segments, const std::string& more) {
    return "<YieldCurve><CurveId>" + id + "</CurveId><CurveDescription/><Currency>EUR</Currency>" +
           "<DiscountCurve>" + discount + "</DiscountCurve><Segments>" + segments + "</Segments>" +
           more + "</YieldCurve>";
  };
  const std::string curves =
      curve("OIS", "OIS",
            segment("Simple", "Deposit", "MM/RATE/EUR/0D", "EUR-ON") +
                segment("Simple", "OIS", "IR_SWAP/RATE/EUR/2D/1D", "EUR-OIS"),
            "") +
      curve("3M", "OIS",
            segment("Simple", "Deposit", "MM/RATE/EUR/2D", "EUR-DEPOSIT") +
                segment("Simple", "FRA", "FRA/RATE", "EUR-FRA3") +
                segment("Simple", "Swap", "IR_SWAP/RATE/EUR/2D/3M", "EUR-SWAP3"),
            "<InterpolationVariable>Zero</InterpolationVariable>"
            "<InterpolationMethod>Linear</InterpolationMethod>") +
      curve("DISC", "", segment("Direct", "Discount", "DISCOUNT/RATE", ""), "");
  folder.replace("curveconfig.xml", "<YieldCurves>", "<YieldCurves>" + curves);
  folder.replace("conventions.xml", "<Conventions>", R"(<Conventions>
<Deposit><Id>EUR-ON</Id><IndexBased>true</IndexBased><Index>EUR-EONIA</Index></Deposit>
<OIS><Id>EUR-OIS</Id><SpotLag>2</SpotLag><Index>EUR-EONIA</Index><FixedDayCounter>A360</FixedDayCounter>
<PaymentLag>1</PaymentLag><EOM>false</EOM><FixedFrequency>Annual</FixedFrequency>
<FixedConvention>Following</FixedConvention><FixedPaymentConvention>Following</FixedPaymentConvention>
<Rule>Backward</Rule></OIS>
<FRA><Id>EUR-FRA3</Id><Index>EUR-EURIBOR-3M</Index></FRA>
<Swap><Id>EUR-SWAP3</Id><FixedCalendar>TARGET</FixedCalendar><FixedFrequency>Annual</FixedFrequency>
<FixedConvention>MF</FixedConvention><FixedDayCounter>30/360</FixedDayCounter>
<Index>EUR-EURIBOR-3M</Index></Swap>)");
  folder.replace("todaysmarket.xml", "</IndexForwardingCurves>",
                 "<Index name=\"EUR-EURIBOR-3M\">Yield/EUR/3M</Index>"
                 "<Index name=\"EUR-EURIBOR-12M\">Yield/EUR/DISC</Index></IndexForwardingCurves>");
  folder.write("ore.toml", folder.text("ore.toml") +
                               "[market.rates.A]\nmean_reversion = 0.1\nvolatility = 0.01\n"
                               "discount = \"DISC\"\nforecast = \"3M\"\n");
  const MarketConfig market = folder.read().market;
  struct Row {
    const char* date;
    double ois, disc, three_months;
  };
  const Row rows[] = {
      {"2026-05-05", 0.995182441588908, 0.995085973934014, 0.994859911997008},
      {"2027-02-05", 0.979846811686030, 0.980000000000000, 0.979128253486566},
      {"2028-05-05", 0.953298212580564, 0.954351288426852, 0.952197493852810},
      {"2033-08-05", 0.833769340305846, 0.845266660523108, 0.832101849000672},
      {"2041-02-05", 0.671257615858509, 0.700000000000000, 0.664980145791948},
  };
  for (const Row& row : rows) {
    const double t = market.dates.years(parse_date(row.date));
    const auto discount = [&](const char* name) {
      return find_curve(market.curves, name)->curve.discount(t);
    };
    CAPTURE(row.date);
    CHECK(discount("OIS") == doctest::Approx(row.ois).epsilon(1e-11));
    CHECK(discount("DISC") == doctest::Approx(row.disc).epsilon(1e-13));
    CHECK(discount("3M") == doctest::Approx(row.three_months).epsilon(1e-11));
  }
}
