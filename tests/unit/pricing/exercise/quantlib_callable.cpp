// Callable and puttable bonds under Hull and White's model and G2++ beside QuantLib's trees. This
// source is left out of builds without QuantLib.

#include <cmath>
#include <ql/experimental/callablebonds/callablebond.hpp>
#include <ql/experimental/callablebonds/treecallablebondengine.hpp>
#include <ql/models/shortrate/onefactormodels/hullwhite.hpp>
#include <ql/models/shortrate/twofactormodels/g2.hpp>
#include <ql/settings.hpp>
#include <ql/termstructures/yield/flatforward.hpp>
#include <ql/time/calendars/nullcalendar.hpp>
#include <ql/time/daycounters/thirty360.hpp>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/unit/pricing/exercise/bounds.hpp"

using namespace gsim;
using namespace gsim::pricing::test;
namespace ql = QuantLib;

namespace {

const ql::Date today(27, ql::November, 2026);
const ql::Thirty360 years_of_360(ql::Thirty360::BondBasis);  // whole years are whole numbers

ql::Handle<ql::YieldTermStructure> curve() {
  ql::Settings::instance().evaluationDate() = today;
  ql::Handle<ql::YieldTermStructure> flat(
      ql::ext::make_shared<ql::FlatForward>(today, 0.03, years_of_360));
  // A curve computes its rate when it is first read, which the threads of a tree must not do.
  flat->discount(1.0);
  return flat;
}

struct Bond {
  double coupon;
  ql::Callability::Type right;
  std::vector<double> prices;  ///< after 1, 2, … years
};

// The value on a tree of a bond of six years with yearly coupons, and the difference between two
// numbers of steps.
struct TreeValue {
  double value, change;
};
TreeValue tree_value(const Bond& b, const ql::ext::shared_ptr<ql::ShortRateModel>& model,
                     ql::Size steps) {
  const auto at = [](int year) { return today + ql::Period(year, ql::Years); };
  const ql::Schedule schedule(today, at(6), ql::Period(1, ql::Years), ql::NullCalendar(),
                              ql::Unadjusted, ql::Unadjusted, ql::DateGeneration::Forward, false);
  ql::CallabilitySchedule rights;
  for (std::size_t i = 0; i < b.prices.size(); ++i)
    rights.push_back(
        ql::ext::make_shared<ql::Callability>(ql::Bond::Price(b.prices[i], ql::Bond::Price::Clean),
                                              b.right, at(static_cast<int>(i) + 1)));
  ql::CallableFixedRateBond bond(0, 100.0, schedule, {b.coupon}, years_of_360, ql::Unadjusted,
                                 100.0, today, rights);
  const auto with = [&](ql::Size n) {
    bond.setPricingEngine(ql::ext::make_shared<ql::TreeCallableFixedRateBondEngine>(model, n));
    return bond.NPV();
  };
  const double coarse = with(steps), fine = with(2 * steps);
  return {fine, std::fabs(fine - coarse)};
}

std::string trade(const std::string& id, const std::string& keys) {
  return "[[trades]]\nid = \"" + id +
         "\"\nproduct = \"bond\"\nrate = \"R\"\nend = 6.0\nquantity = 100\n"
         "exercise = \"bermudan\"\nexercise_dates = [1.0, 2.0, 3.0, 4.0, 5.0]\n" +
         keys;
}

const std::string trades =
    trade("callable", "coupon = 0.035\nexercised_by = \"issuer\"\n") +
    trade("puttable", "coupon = 0.025\nexercise_prices = [0.99, 0.992, 0.994, 0.996, 0.998]\n");

// A lower bound of the issuer's right is an upper bound of the bond, and the other way round.
void check_bonds(const std::string& model, const ql::ext::shared_ptr<ql::ShortRateModel>& theirs,
                 ql::Size steps) {
  const ModuleResult result =
      run_module_alone({.config = "[market]\nrate = 0.03\n[market.rates.R]\n" + model + trades,
                        .stop = samples(1 << 16)});
  const TreeValue callable =
      tree_value({0.035, ql::Callability::Call, {100, 100, 100, 100, 100}}, theirs, steps);
  const TreeValue puttable =
      tree_value({0.025, ql::Callability::Put, {99, 99.2, 99.4, 99.6, 99.8}}, theirs, steps);
  Bounds b = bounds_of(result, 0);
  check_bounds({-b.low, b.low_error, -b.high, b.high_error}, -callable.value,
               2 * callable.change + 0.03);
  b = bounds_of(result, 1);
  check_bounds(b, puttable.value, 2 * puttable.change + 0.03);
  CHECK(callable.change < 0.05);
  CHECK(result.report.rows.at(0).at(1) == "callable fixed-rate bond");
}

}  // namespace

TEST_CASE("callable and puttable bonds under Hull and White's model, on QuantLib's trees") {
  check_bonds("mean_reversion = 0.1\nvolatility = 0.012\n",
              ql::ext::make_shared<ql::HullWhite>(curve(), 0.1, 0.012), 60);
}

TEST_CASE("callable and puttable bonds under G2++, on QuantLib's trees") {
  check_bonds("model = \"g2\"\na = 0.5\nsigma = 0.012\nb = 0.05\neta = 0.009\nrho = -0.7\n",
              ql::ext::make_shared<ql::G2>(curve(), 0.5, 0.012, 0.05, 0.009, -0.7), 60);
}

TEST_CASE("a bond that is exercised between coupons repays what has accrued, and at once") {
  // The rate is so far below the coupon that the issuer repays at the first date, at 101 and the
  // interest of half a year.
  const ModuleResult result = run_module_alone(
      {.config =
           "[market]\nrate = 0.01\n[market.rates.R]\nmean_reversion = 0.1\n"
           "volatility = 0.002\n[[trades]]\nid = \"bond\"\nproduct = \"bond\"\nrate = \"R\"\n"
           "end = 6.0\ncoupon = 0.08\nquantity = 100\nexercise = \"bermudan\"\n"
           "exercised_by = \"issuer\"\nexercise_dates = [1.5, 2.5]\nexercise_prices = [1.01]\n",
       .stop = samples(1 << 14)});
  const double value = 8 * std::exp(-0.01) + (101 + 4) * std::exp(-0.015);
  const Bounds b = bounds_of(result);
  CHECK(std::fabs(b.low - value) < 4 * b.low_error + 1e-9);
  CHECK(b.low_error < 0.05);
}
