// Bermudan barrier options with continuous monitoring and a rebate beside QuantLib's binomial trees
// (Derman and Kani's interpolation at the barrier). This source is left out of builds without
// QuantLib.

#include <ql/exercise.hpp>
#include <ql/instruments/barrieroption.hpp>
#include <ql/methods/lattices/binomialtree.hpp>
#include <ql/pricingengines/barrier/binomialbarrierengine.hpp>
#include <ql/processes/blackscholesprocess.hpp>
#include <ql/quotes/simplequote.hpp>
#include <ql/settings.hpp>
#include <ql/termstructures/volatility/equityfx/blackconstantvol.hpp>
#include <ql/termstructures/yield/flatforward.hpp>
#include <ql/time/calendars/nullcalendar.hpp>
#include <ql/time/daycounters/actual365fixed.hpp>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/unit/pricing/exercise/bounds.hpp"

using namespace gsim;
using namespace gsim::pricing::test;
namespace ql = QuantLib;

namespace {

const ql::Date today(27, ql::November, 2026);

// The value with exercise at the ends of five equal periods of a year.
double tree_value(ql::Barrier::Type kind) {
  using Tree =
      ql::BinomialBarrierEngine<ql::CoxRossRubinstein, ql::DiscretizedDermanKaniBarrierOption>;
  constexpr int steps = 1000;
  ql::Settings::instance().evaluationDate() = today;
  const ql::Actual365Fixed day_count;
  const auto flat = [&](double rate) {
    return ql::Handle<ql::YieldTermStructure>(
        ql::ext::make_shared<ql::FlatForward>(today, rate, day_count));
  };
  const auto process = ql::ext::make_shared<ql::BlackScholesMertonProcess>(
      ql::Handle<ql::Quote>(ql::ext::make_shared<ql::SimpleQuote>(100.0)), flat(0.02), flat(0.05),
      ql::Handle<ql::BlackVolTermStructure>(
          ql::ext::make_shared<ql::BlackConstantVol>(today, ql::NullCalendar(), 0.25, day_count)));
  std::vector<ql::Date> dates;
  for (int i = 1; i <= 5; ++i) dates.push_back(today + 73 * i);
  ql::BarrierOption option(kind, 85, 4,
                           ql::ext::make_shared<ql::PlainVanillaPayoff>(ql::Option::Put, 105.0),
                           ql::ext::make_shared<ql::BermudanExercise>(dates));
  option.setPricingEngine(ql::ext::make_shared<Tree>(process, steps));
  return option.NPV();
}

}  // namespace

TEST_CASE("Bermudan barrier options with a rebate have the values of QuantLib's trees") {
  const auto put = [](const std::string& id, const std::string& keys) {
    return "[[trades]]\nid = \"" + id +
           "\"\nproduct = \"barrier\"\nasset = \"A\"\ntype = \"put\"\n"
           "strike = 105\nbarrier = 85\nrebate = 4\nmaturity = 1\nexercise = \"bermudan\"\n"
           "exercise_count = 5\n" +
           keys;
  };
  const ModuleResult result = run_module_alone(
      {.config = "[market]\nrate = 0.05\n[market.assets.A]\nspot = 100\ndividend = 0.02\n"
                 "volatility = 0.25\n" +
                 put("out", "kind = \"down_and_out\"\nrebate_paid = \"at_hit\"\n") +
                 put("in", "kind = \"down_and_in\"\n"),
       .stop = samples(1 << 16)});
  // The trees' values with 500 to 4000 steps differ by 0.02, and by 0.004 for the second option.
  check_bounds(bounds_of(result, 0), tree_value(ql::Barrier::DownOut), 0.05);
  check_bounds(bounds_of(result, 1), tree_value(ql::Barrier::DownIn), 0.03);
}
