// Bootstrapped hazard rates beside QuantLib's ISDA engine. This source is left out of builds
// without QuantLib.

#include <cmath>
#include <ql/instruments/creditdefaultswap.hpp>
#include <ql/pricingengines/credit/isdacdsengine.hpp>
#include <ql/settings.hpp>
#include <ql/termstructures/credit/interpolatedsurvivalprobabilitycurve.hpp>
#include <ql/termstructures/yield/discountcurve.hpp>
#include <ql/time/calendars/weekendsonly.hpp>
#include <ql/time/daycounters/actual360.hpp>
#include <ql/time/daycounters/actual365fixed.hpp>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/unit/pricing/fixtures.hpp"

using namespace gsim::pricing;
using namespace gsim::pricing::test;
namespace ql = QuantLib;

namespace {

MarketConfig market(const std::string& date, const std::string& credit) {
  return read("[market]\ndate = " + date +
              "\nrate = \"D\"\n[market.curves.D]\ntimes = [\"6M\", \"1Y\", \"2Y\", \"5Y\", "
              "\"10Y\", \"15Y\"]\n"
              "values = [0.021, 0.023, 0.026, 0.028, 0.027, 0.025]\n[market.credit.C]\n" +
              credit +
              "[market.assets.A]\nspot = 1.0\nvolatility = 0.2\n[[trades]]\nid = \"T\"\n"
              "product = \"european\"\nasset = \"A\"\ntype = \"call\"\nstrike = 1.0\n"
              "maturity = 1.0\n")
      .market;
}

// A date at each time, which is a whole number of days.
ql::Date date_at(const ql::Date& today, double time) {
  return today + static_cast<int>(std::lround(time * 365));
}

template <class Curve, class Values>
ql::ext::shared_ptr<Curve> curve_through(const ql::Date& today, const std::vector<double>& times,
                                         const Values& values) {
  std::vector<ql::Date> dates = {today};
  std::vector<double> numbers = {1.0};
  for (const double t : times) {
    dates.push_back(date_at(today, t));
    numbers.push_back(values(ql::Actual365Fixed().yearFraction(today, dates.back())));
  }
  const auto curve = ql::ext::make_shared<Curve>(dates, numbers, ql::Actual365Fixed());
  curve->enableExtrapolation();
  return curve;
}

// The par spreads, by QuantLib's ISDA engine, of swaps on the curves of `m`.
void check_par_spreads(const MarketConfig& m, const ql::Date& today, double recovery,
                       const std::vector<int>& years, const std::vector<double>& spreads) {
  ql::Settings::instance().evaluationDate() = today;
  const ql::Handle<ql::YieldTermStructure> discount(
      curve_through<ql::InterpolatedDiscountCurve<ql::LogLinear>>(
          today, m.curves.at(0).curve.times(),
          [&](double t) { return std::exp(-m.rate.integral(t)); }));
  const MarketCredit& issuer = m.credit.at(0);
  const ql::Handle<ql::DefaultProbabilityTermStructure> survival(
      curve_through<ql::InterpolatedSurvivalProbabilityCurve<ql::LogLinear>>(
          today, issuer.times, [&](double t) { return issuer.curve.survival(t); }));
  for (std::size_t i = 0; i < years.size(); ++i) {
    const ql::Date end = ql::cdsMaturity(today, years[i] * ql::Years, ql::DateGeneration::CDS2015);
    const ql::Schedule schedule(today, end, ql::Period(ql::Quarterly), ql::WeekendsOnly(),
                                ql::Following, ql::Unadjusted, ql::DateGeneration::CDS2015, false);
    ql::CreditDefaultSwap swap(ql::Protection::Buyer, 1e6, 0.01, schedule, ql::Following,
                               ql::Actual360(), true, true, today, ql::ext::shared_ptr<ql::Claim>(),
                               ql::Actual360(true), true, today);
    swap.setPricingEngine(ql::ext::make_shared<ql::IsdaCdsEngine>(
        survival, recovery, discount, false, ql::IsdaCdsEngine::Taylor, ql::IsdaCdsEngine::NoBias,
        ql::IsdaCdsEngine::Piecewise));
    CAPTURE(years[i]);
    CHECK(std::fabs(swap.fairSpread() - spreads[i]) < 1e-12);
    CHECK(std::fabs(issuer.quote_errors[i]) < 1e-14);
  }
}

}  // namespace

TEST_CASE("credit curves give credit default swaps their spreads in QuantLib's ISDA engine") {
  const std::vector<int> years = {1, 3, 5, 7, 10};
  const std::string maturities = "maturities = [\"1Y\", \"3Y\", \"5Y\", \"7Y\", \"10Y\"]\n";
  for (const double scale : {1.0, 0.1, 8.0})
    for (const int day : {27, 20}) {
      std::vector<double> spreads = {0.0081, 0.0104, 0.0127, 0.0139, 0.0151};
      for (double& spread : spreads) spread *= scale;
      CAPTURE(scale);
      CAPTURE(day);
      const MarketConfig m = market(
          fmt::format("2026-11-{}", day),
          maturities + fmt::format("recovery = 0.35\nspreads = [{}]\n", fmt::join(spreads, ", ")));
      check_par_spreads(m, ql::Date(day, ql::November, 2026), 0.35, years, spreads);
    }
}

TEST_CASE("the ends and periods of standard credit default swaps are those of QuantLib") {
  for (const int month : {3, 6, 9, 11, 12})
    for (const int day : {19, 20, 21, 30}) {
      const ql::Date trade(day, static_cast<ql::Month>(month), 2026);
      const Date ours = parse_date(fmt::format("2026-{:02}-{}", month, day));
      CHECK(cds_maturity(ours, *parse_tenor("5Y")).serial ==
            ql::cdsMaturity(trade, 5 * ql::Years, ql::DateGeneration::CDS2015).serialNumber());
    }
}
