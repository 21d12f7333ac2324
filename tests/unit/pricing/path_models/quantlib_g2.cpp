// The model G2++ beside QuantLib's: options on bonds, caplets, swaptions, a Bermudan swaption on
// its tree, and a calibration. This source is left out of builds without QuantLib.

#include <cmath>
#include <ql/currencies/europe.hpp>
#include <ql/exercise.hpp>
#include <ql/indexes/iborindex.hpp>
#include <ql/instruments/swaption.hpp>
#include <ql/instruments/vanillaswap.hpp>
#include <ql/math/optimization/levenbergmarquardt.hpp>
#include <ql/models/shortrate/calibrationhelpers/swaptionhelper.hpp>
#include <ql/models/shortrate/twofactormodels/g2.hpp>
#include <ql/pricingengines/swaption/g2swaptionengine.hpp>
#include <ql/pricingengines/swaption/treeswaptionengine.hpp>
#include <ql/quotes/simplequote.hpp>
#include <ql/settings.hpp>
#include <ql/termstructures/yield/flatforward.hpp>
#include <ql/time/calendars/nullcalendar.hpp>
#include <ql/time/daycounters/thirty360.hpp>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "src/modules/pricing/risk/revaluation.hpp"
#include "support/test_executor.hpp"
#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/module_run.hpp"
#include "tests/unit/pricing/risk/risk_run.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;
namespace ql = QuantLib;

namespace {

const ql::Date today(27, ql::November, 2026);
const ql::Thirty360 years_of_360(ql::Thirty360::BondBasis);  // whole years are whole numbers

struct Parameters {
  double a, sigma, b, eta, rho;
};
const Parameters typical{0.5, 0.012, 0.05, 0.009, -0.7};

ql::Handle<ql::YieldTermStructure> curve() {
  ql::Settings::instance().evaluationDate() = today;
  ql::Handle<ql::YieldTermStructure> flat(
      ql::ext::make_shared<ql::FlatForward>(today, 0.03, years_of_360));
  // A curve computes its rate when it is first read, which the threads of a tree must not do.
  flat->discount(1.0);
  return flat;
}

ql::ext::shared_ptr<ql::G2> quantlib_model(const Parameters& p) {
  return ql::ext::make_shared<ql::G2>(curve(), p.a, p.sigma, p.b, p.eta, p.rho);
}

ql::ext::shared_ptr<ql::IborIndex> index_of(int months) {
  return ql::ext::make_shared<ql::IborIndex>("index", ql::Period(months, ql::Months), 0,
                                             ql::EURCurrency(), ql::NullCalendar(), ql::Unadjusted,
                                             false, years_of_360, curve());
}

/// A payer swaption with yearly periods.
ql::Swaption quantlib_swaption(double strike, int first, int end, const std::vector<int>& dates) {
  const auto at = [](int year) { return today + ql::Period(year, ql::Years); };
  const ql::Schedule schedule(at(first), at(end), ql::Period(1, ql::Years), ql::NullCalendar(),
                              ql::Unadjusted, ql::Unadjusted, ql::DateGeneration::Forward, false);
  const auto swap = ql::ext::make_shared<ql::VanillaSwap>(ql::VanillaSwap::Payer, 1.0, schedule,
                                                          strike, years_of_360, schedule,
                                                          index_of(12), 0.0, years_of_360);
  std::vector<ql::Date> exercise;
  for (const int year : dates) exercise.push_back(at(year));
  return {swap, ql::ext::make_shared<ql::BermudanExercise>(exercise)};
}

std::string market(const Parameters& p) {
  return fmt::format(
      "[market]\nrate = 0.03\n[market.rates.R]\nmodel = \"g2\"\na = {}\nsigma = {}\nb = {}\n"
      "eta = {}\nrho = {}\n",
      p.a, p.sigma, p.b, p.eta, p.rho);
}

double value_of(const Parameters& p, const std::string& terms) {
  const PricingConfig config =
      read(market(p) + "[[trades]]\nid = \"T\"\nrate = \"R\"\n" + terms + "\n");
  return Revaluation(config, gsim::test::test_executor(1), Arithmetic::strict, 1, 1024)
      .today()
      .front()
      .value;
}

}  // namespace

TEST_CASE("G2++: bonds, options on them, and caps as QuantLib's") {
  for (const Parameters& p :
       {typical, Parameters{0.773511777, 0.022284644, 0.082013014, 0.010382461, -0.701985206}}) {
    const auto model = quantlib_model(p);
    CHECK(value_of(p, "product = \"bond\"\nend = 7.0") ==
          doctest::Approx(model->discount(7)).epsilon(1e-12));
    for (const double strike : {0.8, 0.9}) {
      const std::string terms = fmt::format(
          "product = \"bond_option\"\nstrike = {}\nmaturity = 2.0\nend = 6.0\n", strike);
      CHECK(
          value_of(p, terms + "type = \"call\"") ==
          doctest::Approx(model->discountBondOption(ql::Option::Call, strike, 2, 6)).epsilon(1e-9));
      CHECK(
          value_of(p, terms + "type = \"put\"") ==
          doctest::Approx(model->discountBondOption(ql::Option::Put, strike, 2, 6)).epsilon(1e-9));
    }
    // Caplets are puts on bonds.
    double cap = 0;
    for (int i = 1; i < 10; ++i)
      cap += (1 + 0.035 / 2) * model->discountBondOption(ql::Option::Put, 1 / (1 + 0.035 / 2),
                                                         0.5 * i, 0.5 * (i + 1));
    CHECK(value_of(p,
                   "product = \"cap_floor\"\ntype = \"cap\"\nstrike = 0.035\nend = 5.0\n"
                   "float_period = 0.5") == doctest::Approx(cap).epsilon(1e-9));
  }
}

TEST_CASE("G2++: European swaptions as QuantLib's integral") {
  for (const Parameters& p : {typical, Parameters{0.54, 0.0058, 0.076, 0.0117, -0.99},
                              Parameters{0.1, 0.01, 0.1, 0.01, -0.75}})
    for (const int expiry : {1, 5})
      for (const double strike : {0.02, 0.031, 0.05}) {
        ql::Swaption swaption = quantlib_swaption(strike, expiry, expiry + 5, {expiry});
        swaption.setPricingEngine(
            ql::ext::make_shared<ql::G2SwaptionEngine>(quantlib_model(p), 8.0, 1000));
        CAPTURE(p.rho);
        CAPTURE(expiry);
        CAPTURE(strike);
        CHECK(std::fabs(value_of(p, fmt::format("product = \"swaption\"\ntype = \"payer\"\n"
                                                "strike = {}\nmaturity = {:.1f}\nend = {:.1f}\n"
                                                "float_period = 1.0",
                                                strike, static_cast<double>(expiry),
                                                static_cast<double>(expiry + 5))) -
                        swaption.NPV()) < 1e-10);
      }
}

TEST_CASE("G2++: a Bermudan swaption between its bounds, on QuantLib's tree") {
  ql::Swaption swaption = quantlib_swaption(0.03, 1, 6, {1, 2, 3, 4, 5});
  const auto tree = [&](ql::Size steps) {
    swaption.setPricingEngine(
        ql::ext::make_shared<ql::TreeSwaptionEngine>(quantlib_model(typical), steps));
    return swaption.NPV();
  };
  const double coarse = tree(30), fine = tree(60), tree_error = 2 * std::fabs(fine - coarse);
  const ModuleResult r = run_module_alone(
      {.config = "[pricing.exercise]\nouter_paths = 512\n" + market(typical) +
                 "[[trades]]\nid = \"T\"\nrate = \"R\"\nproduct = \"swaption\"\ntype = \"payer\"\n"
                 "strike = 0.03\nfloat_period = 1.0\nstart = 1.0\nmaturity = 5.0\nend = 6.0\n"
                 "exercise = \"bermudan\"\nexercise_dates = [1.0, 2.0, 3.0, 4.0]\n",
       .stop = samples(1 << 17)});
  const double price = r.estimates[0].mean, error = r.estimates[0].standard_error;
  const double bound = column_of(r, "trades/upper_bound")[0];
  const double bound_error = column_of(r, "trades/upper_bound_error")[0];
  CAPTURE(coarse);
  CAPTURE(fine);
  CAPTURE(price);
  CAPTURE(error);
  CAPTURE(bound);
  CHECK(tree_error < 0.01 * fine);
  CHECK(price < fine + tree_error + 4 * error);
  CHECK(price > fine - tree_error - 4 * error - 0.003 * fine);
  CHECK(bound > fine - tree_error - 4 * bound_error);
  CHECK(bound < fine + tree_error + 4 * bound_error + 0.01 * fine);
}

TEST_CASE("G2++ calibrated to swaptions: errors as QuantLib's") {
  struct Row {
    int expiry, length;
    double volatility;
  };
  const std::vector<Row> rows = {{1, 1, 0.0066},  {1, 2, 0.0062},  {1, 5, 0.0061},
                                 {1, 10, 0.0059}, {3, 2, 0.0063},  {5, 1, 0.0064},
                                 {5, 5, 0.0063},  {5, 10, 0.0059}, {10, 5, 0.0059}};
  const auto model = quantlib_model({0.1, 0.01, 0.1, 0.01, -0.75});
  std::vector<ql::ext::shared_ptr<ql::CalibrationHelper>> helpers;
  std::vector<ql::ext::shared_ptr<ql::SwaptionHelper>> swaptions;
  std::string text = "[market]\nrate = 0.03\n[market.rates.R]\nmodel = \"g2\"\n";
  for (const Row& row : rows) {
    swaptions.push_back(ql::ext::make_shared<ql::SwaptionHelper>(
        ql::Period(row.expiry, ql::Years), ql::Period(row.length, ql::Years),
        ql::Handle<ql::Quote>(ql::ext::make_shared<ql::SimpleQuote>(row.volatility)), index_of(12),
        ql::Period(1, ql::Years), years_of_360, years_of_360, curve(),
        ql::BlackCalibrationHelper::ImpliedVolError, ql::Null<ql::Real>(), 1.0, ql::Normal));
    swaptions.back()->setPricingEngine(ql::ext::make_shared<ql::G2SwaptionEngine>(model, 6.0, 16));
    helpers.push_back(swaptions.back());
    text += fmt::format(
        "[[market.rates.R.swaptions]]\nexpiry = {:.1f}\nlength = {:.1f}\nfloat_period = 1.0\n"
        "normal_volatility = {}\n",
        static_cast<double>(row.expiry), static_cast<double>(row.length), row.volatility);
  }
  ql::LevenbergMarquardt solver(1e-8, 1e-8, 1e-8);
  model->calibrate(helpers, solver, ql::EndCriteria(400, 100, 1e-8, 1e-8, 1e-8));
  const PricingConfig config =
      read(text +
           "[[trades]]\nid = \"T\"\nproduct = \"swaption\"\nrate = \"R\"\ntype = \"payer\"\n"
           "strike = 0.03\nmaturity = 1.0\nend = 3.0\n");
  const ShortRate& rate = *config.market.assets.front().short_rate;
  // gsim's parameters in QuantLib's model give the errors of the report.
  const auto check_model =
      quantlib_model({rate.mean_reversion, rate.volatility, rate.second->mean_reversion,
                      rate.second->volatility, rate.second->correlation});
  double theirs = 0, ours = 0;
  const auto& errors = config.market.assets.front().calibration->errors;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double error = swaptions[i]->calibrationError();
    theirs += error * error;
    swaptions[i]->setPricingEngine(
        ql::ext::make_shared<ql::G2SwaptionEngine>(check_model, 8.0, 400));
    const double own = errors[i].model - errors[i].quote;
    ours += own * own;
    // QuantLib's volatility has the time to the expiry in days of a year of 365: in ten years 0.04
    // %.
    CHECK(std::fabs(own - swaptions[i]->calibrationError()) < 5e-6);
  }
  CAPTURE(std::sqrt(theirs / 9));
  CAPTURE(std::sqrt(ours / 9));
  CHECK(std::sqrt(ours) < 1.02 * std::sqrt(theirs));
  CHECK(std::sqrt(ours / 9) < 1e-4);
}
