// Barriers monitored in a part of an option's life beside QuantLib's engine, which has calls
// without rebates that are knocked out. This source is left out of builds without QuantLib.

#include <cmath>
#include <ql/exercise.hpp>
#include <ql/experimental/exoticoptions/analyticpartialtimebarrieroptionengine.hpp>
#include <ql/experimental/exoticoptions/partialtimebarrieroption.hpp>
#include <ql/instruments/payoffs.hpp>
#include <ql/processes/blackscholesprocess.hpp>
#include <ql/quotes/simplequote.hpp>
#include <ql/settings.hpp>
#include <ql/termstructures/volatility/equityfx/blackconstantvol.hpp>
#include <ql/termstructures/yield/flatforward.hpp>
#include <ql/time/calendars/nullcalendar.hpp>
#include <ql/time/daycounters/actual365fixed.hpp>
#include <vector>

#include <doctest/doctest.h>

#include "src/modules/pricing/closed_forms/partial_barrier.hpp"

using namespace gsim::pricing;
namespace ql = QuantLib;

namespace {

const ql::Date today(28, ql::November, 2026);
const ql::DayCounter days = ql::Actual365Fixed();

double quantlib_value(const FlatMarket& m, const BarrierTerms& t, int date, int maturity,
                      ql::PartialBarrier::Range range) {
  ql::Settings::instance().evaluationDate() = today;
  const auto rate = [](double r) {
    return ql::Handle<ql::YieldTermStructure>(
        ql::ext::make_shared<ql::FlatForward>(today, r, days));
  };
  const ql::Handle<ql::Quote> spot(ql::ext::make_shared<ql::SimpleQuote>(m.spot));
  const ql::Handle<ql::BlackVolTermStructure> volatility(
      ql::ext::make_shared<ql::BlackConstantVol>(today, ql::NullCalendar(), m.volatility, days));
  const auto process = ql::ext::make_shared<ql::BlackScholesMertonProcess>(
      spot, rate(m.dividend), rate(m.rate), volatility);
  ql::PartialTimeBarrierOption option(
      t.up ? ql::Barrier::UpOut : ql::Barrier::DownOut, range, t.barrier, 0.0, today + date,
      ql::ext::make_shared<ql::PlainVanillaPayoff>(ql::Option::Call, t.strike),
      ql::ext::make_shared<ql::EuropeanExercise>(today + maturity));
  option.setPricingEngine(
      ql::ext::make_shared<ql::AnalyticPartialTimeBarrierOptionEngine>(process));
  return option.NPV();
}

}  // namespace

// QuantLib's bivariate normal distribution has six digits. Of calls knocked out from a later date
// on it has those with the strike below the barrier; a call with a higher strike and a barrier
// below the spot is not worth more where the spot is below the barrier at first (type B1).
TEST_CASE("partial barriers: calls knocked out beside QuantLib's engine") {
  constexpr int maturity = 365;
  constexpr double tolerance = 2e-5;
  int compared = 0;
  for (const int date : {30, 120, 300})
    for (const double strike : {85.0, 100.0, 115.0})
      for (const double barrier : {80.0, 92.0, 112.0, 130.0})
        for (const double dividend : {0.0, 0.07}) {
          const bool up = barrier > 100;
          const FlatMarket m{100, 0.05, dividend, 0.25, 1};
          const BarrierTerms t{1, strike, barrier, 0, up, false, false};
          const double years = date / 365.0;
          CAPTURE(strike);
          CAPTURE(barrier);
          CAPTURE(date);
          const double until = quantlib_value(m, t, date, maturity, ql::PartialBarrier::Start);
          CHECK(std::fabs(barrier_until(m, t, years) - until) < tolerance * m.spot);
          if (up && strike > barrier) {
            CHECK(barrier_from(m, t, years) == 0);
            continue;
          }
          const auto range =
              strike > barrier ? ql::PartialBarrier::EndB1 : ql::PartialBarrier::EndB2;
          const double from = quantlib_value(m, t, date, maturity, range);
          CHECK(std::fabs(barrier_from(m, t, years) - from) < tolerance * m.spot);
          ++compared;
        }
  CHECK(compared == 66);
}
