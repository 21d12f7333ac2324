// examples/ore beside Open Source Risk Engine 1.8.17 (Python package open-source-risk-engine),
// which read the same files: its reports npv.csv and curves.csv. Engines: DiscountingSwapEngine,
// AnalyticEuropeanEngine, DiscountingEquityForwardEngine; LGM on a grid (sy 5, ny 60, sx 5, nx 60)
// for the swaption, without calibration, reversion 0.03 and volatility 0.008 of Hull and White, as
// in ore.toml; DiscountingFxForwardEngine, AnalyticEuropeanEngine and AnalyticBarrierEngine for
// exchange rates. This source is left out of builds without QuantLib or pugixml.

#include <cmath>
#include <map>

#include <doctest/doctest.h>

#include "src/modules/pricing/risk/revaluation.hpp"
#include "tests/unit/pricing/module_run.hpp"
#include "tests/unit/pricing/ore/ore_example.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

PricingConfig example() { return read_file(GSIM_EXAMPLES "/ore/ore.toml"); }

/// By the id of the trade: closed forms where there are some.
std::map<std::string, double> values_today(const PricingConfig& config) {
  const Revaluation revaluation(config, gsim::test::test_executor(1), Arithmetic::strict, 1, 1024);
  std::map<std::string, double> values;
  for (std::size_t i = 0; i < config.trades.size(); ++i)
    values[config.trades[i].id] = revaluation.today()[i].value;
  return values;
}

/// A line of curves.csv.
struct CurveRow {
  const char* date;
  double discount, forecast, bank, fund;
};

constexpr CurveRow ore_curves[] = {
    {"2026-08-05", 0.989951195341819, 0.989158599276882, 0.994560055856894, 0.985024982989908},
    {"2027-02-05", 0.979512774328091, 0.978114312624611, 0.989060278775369, 0.968742253723928},
    {"2028-05-05", 0.952999220226220, 0.950700736707670, 0.969528696480658, 0.920496718767604},
    {"2029-02-05", 0.936545765497663, 0.933753900989907, 0.957869400351083, 0.890563704896816},
    {"2033-08-05", 0.834624668251834, 0.825982359175338, 0.867609371344628, 0.692193026455907},
    {"2036-02-05", 0.776360247435773, 0.766055039254335, 0.821105143943508, 0.602728439664376},
    {"2041-02-05", 0.674832463202256, 0.656587716322333, 0.735485350020310, 0.457063324208409},
};

}  // namespace

TEST_CASE("curves of ORE's files have the discount factors of ORE") {
  const MarketConfig market = example().market;
  const auto& discount = find_curve(market.curves, "EUR-DISCOUNT")->curve;
  const auto& forecast = find_curve(market.curves, "EUR-6M")->curve;
  for (const CurveRow& row : ore_curves) {
    const double t = market.dates.years(parse_date(row.date));
    CAPTURE(row.date);
    CHECK(discount.discount(t) == doctest::Approx(row.discount).epsilon(1e-13));
    CHECK(forecast.discount(t) == doctest::Approx(row.forecast).epsilon(1e-11));
  }
}

TEST_CASE("default curves of ORE's files have the survival probabilities of ORE") {
  const MarketConfig market = example().market;
  const CreditCurve& bank = find_credit(market.credit, "BANK")->curve;
  const CreditCurve& fund = find_credit(market.credit, "FUND")->curve;
  CHECK(find_credit(market.credit, "BANK")->recovery == 0.4);
  CHECK(find_credit(market.credit, "FUND")->recovery == 0.3);
  for (const CurveRow& row : ore_curves) {
    const double t = market.dates.years(parse_date(row.date));
    CAPTURE(row.date);
    CHECK(bank.survival(t) == doctest::Approx(row.bank).epsilon(1e-13));
    // gsim prices CDS by the ISDA model, ORE in the middle of each period.
    CHECK(fund.survival(t) == doctest::Approx(row.fund).epsilon(4e-4));
  }
}

TEST_CASE("trades of ORE's files have the values of ORE") {
  const PricingConfig config = example();
  const std::map<std::string, double> values = values_today(config);
  const auto check = [&](const char* id, double ore, double tolerance) {
    CAPTURE(id);
    CHECK(std::fabs(values.at(id) - ore) <= tolerance);
  };
  // Tolerances are one in the last digit of the report but for the Black formula.
  check("PAYER", 19578.833180, 2e-6);
  check("RECEIVER-SEASONED", -28426.450923, 2e-6);
  check("FORWARD", 18187.716838, 2e-6);
  check("CALL", 39335.541445, 2e-3);
  check("PUT", -23681.756704, 2e-3);
  check("DIGITAL", 18815.444165, 2e-3);
  check("SWAPTION", 66982.636071, 10.0);  // the grid of the engine
  CHECK(config.counterparties.at("BANK-RATES") == "BANK");
}

TEST_CASE("trades on exchange rates and foreign equities of ORE's files have the values of ORE") {
  const std::map<std::string, double> values =
      values_today(read_file(GSIM_EXAMPLES "/ore/currencies/currencies.toml"));
  // In EUR (the column NPV(Base) of npv.csv). The tolerance is one in the last digit of the report.
  const std::map<std::string, double> ore = {
      {"FORWARD", 7333.272773},   {"FORWARD-GBP", 11375.924334}, {"CALL", 40564.522283},
      {"PUT", -6601.046284},      {"CALL-ON-USD", 33231.249510}, {"PUT-ON-GBP", 53251.018621},
      {"DIGITAL", 19708.821773},  {"DIGITAL-EUR", 23850.135372}, {"TECH-CALL", 74025.183969},
      {"SWAP-GBP", 26591.674012},
  };
  for (const auto& [id, value] : ore) {
    CAPTURE(id);
    CHECK(std::fabs(values.at(id) - value) <= 1e-6 + 1e-7 * std::fabs(value));
  }
  // 1024 samples; ORE's formula takes rates and volatility as constant up to the expiry.
  CHECK(values.at("BARRIER") == doctest::Approx(10650.421429).epsilon(0.1));
  CHECK(values.at("BARRIER-ON-USD") == doctest::Approx(29484.054869).epsilon(0.01));
}
