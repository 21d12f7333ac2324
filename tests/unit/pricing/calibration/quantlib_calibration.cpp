// Calibrations beside QuantLib's, to the same quotes. This source is left out of builds without
// QuantLib.

#include <cmath>
#include <ql/currencies/europe.hpp>
#include <ql/indexes/iborindex.hpp>
#include <ql/math/optimization/levenbergmarquardt.hpp>
#include <ql/models/equity/hestonmodel.hpp>
#include <ql/models/equity/hestonmodelhelper.hpp>
#include <ql/models/shortrate/calibrationhelpers/swaptionhelper.hpp>
#include <ql/models/shortrate/onefactormodels/hullwhite.hpp>
#include <ql/pricingengines/swaption/jamshidianswaptionengine.hpp>
#include <ql/pricingengines/vanilla/analytichestonengine.hpp>
#include <ql/quotes/simplequote.hpp>
#include <ql/settings.hpp>
#include <ql/termstructures/yield/flatforward.hpp>
#include <ql/time/calendars/nullcalendar.hpp>
#include <ql/time/daycounters/actual365fixed.hpp>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "src/modules/pricing/calibration/heston_calibration.hpp"
#include "tests/unit/pricing/fixtures.hpp"

using namespace gsim::pricing;
using namespace gsim::pricing::test;
namespace ql = QuantLib;

namespace {

const ql::Date today(27, ql::November, 2026);

ql::Handle<ql::YieldTermStructure> flat(double rate) {
  return ql::Handle<ql::YieldTermStructure>(
      ql::ext::make_shared<ql::FlatForward>(today, rate, ql::Actual365Fixed()));
}

ql::Handle<ql::Quote> quote(double value) {
  return ql::Handle<ql::Quote>(ql::ext::make_shared<ql::SimpleQuote>(value));
}

double root_mean_square(const std::vector<double>& errors) {
  double sum = 0;
  for (const double e : errors) sum += e * e;
  return std::sqrt(sum / static_cast<double>(errors.size()));
}

}  // namespace

TEST_CASE("Heston calibrated to a smile that it cannot meet: errors as QuantLib's") {
  ql::Settings::instance().evaluationDate() = today;
  const double rate = 0.03, dividend = 0.01;
  const std::vector<int> days = {91, 182, 365};
  const std::vector<double> strikes = {80, 90, 100, 110, 120};
  const double volatilities[3][5] = {{0.285, 0.235, 0.192, 0.166, 0.160},
                                     {0.266, 0.228, 0.197, 0.174, 0.162},
                                     {0.257, 0.229, 0.205, 0.186, 0.172}};
  std::vector<VolatilityQuote> quotes;
  std::vector<ql::ext::shared_ptr<ql::CalibrationHelper>> helpers;
  const auto process = ql::ext::make_shared<ql::HestonProcess>(
      flat(rate), flat(dividend), quote(100), 0.04, 1.5, 0.04, 0.5, -0.5);
  const auto model = ql::ext::make_shared<ql::HestonModel>(process);
  const auto engine = ql::ext::make_shared<ql::AnalyticHestonEngine>(model, 144);
  std::vector<ql::ext::shared_ptr<ql::HestonModelHelper>> black;
  for (std::size_t i = 0; i < days.size(); ++i)
    for (std::size_t j = 0; j < strikes.size(); ++j) {
      const double t = days[i] / 365.0;
      quotes.push_back({t, 100 * std::exp((rate - dividend) * t), strikes[j], volatilities[i][j]});
      black.push_back(ql::ext::make_shared<ql::HestonModelHelper>(
          ql::Period(days[i], ql::Days), ql::NullCalendar(), quote(100), strikes[j],
          quote(volatilities[i][j]), flat(rate), flat(dividend),
          ql::BlackCalibrationHelper::ImpliedVolError));
      black.back()->setPricingEngine(engine);
      helpers.push_back(black.back());
    }
  ql::LevenbergMarquardt solver(1e-10, 1e-10, 1e-10);
  model->calibrate(helpers, solver, ql::EndCriteria(500, 50, 1e-10, 1e-10, 1e-10));
  std::vector<double> ours, theirs;
  HestonTerms none;
  none.v0 = none.kappa = none.theta = none.sigma = none.rho = std::nan("");
  const HestonFit fit = calibrate_heston(quotes, none);
  for (std::size_t i = 0; i < quotes.size(); ++i) {
    ours.push_back(fit.volatilities[i] - quotes[i].volatility);
    theirs.push_back(black[i]->calibrationError());
  }
  CAPTURE(root_mean_square(ours));
  CAPTURE(root_mean_square(theirs));
  // QuantLib minimises these errors themselves, gsim their approximation by vegas.
  CHECK(root_mean_square(ours) < 1.05 * root_mean_square(theirs));
  CHECK(fit.terms.rho == doctest::Approx(model->rho()).epsilon(0.05));
  CHECK(fit.terms.v0 == doctest::Approx(model->v0()).epsilon(0.05));
}

TEST_CASE("Hull and White calibrated to swaptions as QuantLib does") {
  ql::Settings::instance().evaluationDate() = today;
  struct Row {
    int expiry, length;
    double volatility;
  };
  const std::vector<Row> rows = {{1, 5, 0.0080}, {2, 5, 0.0079}, {3, 5, 0.0077},
                                 {5, 5, 0.0072}, {2, 3, 0.0082}, {3, 7, 0.0073}};
  const auto curve = flat(0.03);
  const auto index = ql::ext::make_shared<ql::IborIndex>(
      "index", ql::Period(12, ql::Months), 0, ql::EURCurrency(), ql::NullCalendar(), ql::Unadjusted,
      false, ql::Actual365Fixed(), curve);
  const auto model = ql::ext::make_shared<ql::HullWhite>(curve, 0.03, 0.01);
  const auto engine = ql::ext::make_shared<ql::JamshidianSwaptionEngine>(model);
  std::vector<ql::ext::shared_ptr<ql::CalibrationHelper>> helpers;
  std::string text = "[market]\ndate = 2026-11-27\nrate = 0.03\n[market.rates.R]\n";
  for (const Row& row : rows) {
    const auto helper = ql::ext::make_shared<ql::SwaptionHelper>(
        ql::Period(row.expiry, ql::Years), ql::Period(row.length, ql::Years), quote(row.volatility),
        index, ql::Period(1, ql::Years), ql::Actual365Fixed(), ql::Actual365Fixed(), curve,
        ql::BlackCalibrationHelper::ImpliedVolError, ql::Null<ql::Real>(), 1.0, ql::Normal);
    helper->setPricingEngine(engine);
    helpers.push_back(helper);
    text += fmt::format(
        "[[market.rates.R.swaptions]]\nexpiry = {}\nlength = {}\nfloat_period = 1.0\n"
        "normal_volatility = {}\n",
        row.expiry, row.length, row.volatility);
  }
  ql::LevenbergMarquardt solver(1e-10, 1e-10, 1e-10);
  model->calibrate(helpers, solver, ql::EndCriteria(500, 50, 1e-10, 1e-10, 1e-10));
  const PricingConfig config =
      read(text +
           "[[trades]]\nid = \"T\"\nproduct = \"swaption\"\nrate = \"R\"\ntype = \"payer\"\n"
           "strike = 0.03\nmaturity = 1.0\nend = 3.0\n");
  const ShortRate& rate = *config.market.assets.front().short_rate;
  // QuantLib's periods are calendar years, some of 366 days.
  CHECK(rate.mean_reversion == doctest::Approx(model->params()[0]).epsilon(0.02));
  CHECK(rate.volatility == doctest::Approx(model->params()[1]).epsilon(0.003));
  CHECK(rate.mean_reversion > 0.01);
}
