// Quanto options and options on exchange rates beside QuantLib's engines. This source is left out
// of builds without QuantLib.

#include <ql/exercise.hpp>
#include <ql/instruments/payoffs.hpp>
#include <ql/instruments/quantovanillaoption.hpp>
#include <ql/instruments/vanillaoption.hpp>
#include <ql/pricingengines/quanto/quantoengine.hpp>
#include <ql/pricingengines/vanilla/analyticeuropeanengine.hpp>
#include <ql/processes/blackscholesprocess.hpp>
#include <ql/quotes/simplequote.hpp>
#include <ql/settings.hpp>
#include <ql/termstructures/volatility/equityfx/blackconstantvol.hpp>
#include <ql/termstructures/yield/flatforward.hpp>
#include <ql/time/calendars/nullcalendar.hpp>
#include <ql/time/daycounters/actual365fixed.hpp>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "src/modules/pricing/risk/revaluation.hpp"
#include "support/test_executor.hpp"
#include "tests/unit/pricing/fixtures.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;
namespace ql = QuantLib;

namespace quanto_tests {
namespace {

const ql::Date today(28, ql::November, 2026);
const ql::DayCounter days = ql::Actual365Fixed();

ql::Handle<ql::YieldTermStructure> flat_rate(double rate) {
  return ql::Handle<ql::YieldTermStructure>(
      ql::ext::make_shared<ql::FlatForward>(today, rate, days));
}

ql::Handle<ql::BlackVolTermStructure> flat_volatility(double volatility) {
  return ql::Handle<ql::BlackVolTermStructure>(
      ql::ext::make_shared<ql::BlackConstantVol>(today, ql::NullCalendar(), volatility, days));
}

ql::Handle<ql::Quote> quote(double value) {
  return ql::Handle<ql::Quote>(ql::ext::make_shared<ql::SimpleQuote>(value));
}

}  // namespace

TEST_CASE("quantlib_quanto: quanto options and options on exchange rates") {
  ql::Settings::instance().evaluationDate() = today;
  struct Row {
    bool call;
    double spot, strike, dividend, foreign, domestic, volatility, fx_volatility, correlation;
  };
  for (const Row& row : {Row{true, 100, 105, 0.04, 0.08, 0.05, 0.2, 0.10, 0.3},
                         Row{false, 100, 105, 0.04, 0.08, 0.05, 0.5, 0.15, -0.25},
                         Row{true, 120, 100, 0.00, 0.01, 0.03, 0.3, 0.12, 0.75}}) {
    const auto type = row.call ? ql::Option::Call : ql::Option::Put;
    const auto payoff = ql::ext::make_shared<ql::PlainVanillaPayoff>(type, row.strike);
    const auto exercise = ql::ext::make_shared<ql::EuropeanExercise>(today + 365);
    const auto process = ql::ext::make_shared<ql::BlackScholesMertonProcess>(
        quote(row.spot), flat_rate(row.dividend), flat_rate(row.domestic),
        flat_volatility(row.volatility));
    ql::QuantoVanillaOption quanto(payoff, exercise);
    quanto.setPricingEngine(
        ql::ext::make_shared<ql::QuantoEngine<ql::VanillaOption, ql::AnalyticEuropeanEngine>>(
            process, flat_rate(row.foreign), flat_volatility(row.fx_volatility),
            quote(row.correlation)));
    // An option on the exchange rate: strike and spot in the base currency.
    ql::VanillaOption option(ql::ext::make_shared<ql::PlainVanillaPayoff>(type, 0.92), exercise);
    option.setPricingEngine(ql::ext::make_shared<ql::AnalyticEuropeanEngine>(
        ql::ext::make_shared<ql::GarmanKohlagenProcess>(quote(0.9), flat_rate(row.foreign),
                                                        flat_rate(row.domestic),
                                                        flat_volatility(row.fx_volatility))));
    const PricingConfig config = read(fmt::format(
        R"(
[market]
currency = "DOM"
rate = {}
[market.currencies.FOR]
rate = {}
[market.fx.FORDOM]
spot = 0.9
volatility = {}
[market.assets.S]
currency = "FOR"
spot = {}
dividend = {}
volatility = {}
[market.correlation]
assets = ["S", "FORDOM"]
matrix = [[1.0, {}], [{}, 1.0]]
[[trades]]
id = "quanto"
product = "european"
asset = "S"
currency = "DOM"
conversion = "quanto"
type = "{}"
strike = {}
maturity = 1.0
[[trades]]
id = "fx"
product = "european"
asset = "FORDOM"
type = "{}"
strike = 0.92
maturity = 1.0
)",
        row.domestic, row.foreign, row.fx_volatility, row.spot, row.dividend, row.volatility,
        row.correlation, row.correlation, row.call ? "call" : "put", row.strike,
        row.call ? "call" : "put"));
    const Revaluation values(config, gsim::test::test_executor(1), Arithmetic::strict, 1, 1024);
    CHECK(values.today()[0].value == doctest::Approx(quanto.NPV()).epsilon(1e-10));
    CHECK(values.today()[1].value == doctest::Approx(option.NPV()).epsilon(1e-10));
  }
}

}  // namespace quanto_tests
