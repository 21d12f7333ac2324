// Bootstrapped curves beside QuantLib's, from the same quotes. This source is left out of builds
// without QuantLib.

#include <cmath>
#include <ql/indexes/iborindex.hpp>
#include <ql/math/interpolations/loginterpolation.hpp>
#include <ql/settings.hpp>
#include <ql/termstructures/yield/bootstraptraits.hpp>
#include <ql/termstructures/yield/oisratehelper.hpp>
#include <ql/termstructures/yield/piecewiseyieldcurve.hpp>
#include <ql/termstructures/yield/ratehelpers.hpp>
#include <ql/time/calendars/target.hpp>
#include <ql/time/calendars/unitedkingdom.hpp>
#include <ql/time/calendars/unitedstates.hpp>
#include <ql/time/daycounters/actual360.hpp>
#include <ql/time/daycounters/actual365fixed.hpp>
#include <ql/time/daycounters/thirty360.hpp>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/unit/pricing/fixtures.hpp"

using namespace gsim::pricing;
using namespace gsim::pricing::test;
namespace ql = QuantLib;

namespace {

using Helpers = std::vector<ql::ext::shared_ptr<ql::RateHelper>>;
using Yield = ql::ext::shared_ptr<ql::YieldTermStructure>;

const ql::Date today(27, ql::November, 2026);
constexpr double bootstrap_accuracy = 1e-15;

struct Row {
  const char* type;
  int start, maturity;  // months
  double rate;
};

// A curve of euro deposits, FRAs and swaps against Euribor.
const std::vector<Row> euro = {
    {"deposit", 0, 1, 0.0214}, {"deposit", 0, 3, 0.0221}, {"deposit", 0, 6, 0.0229},
    {"fra", 3, 9, 0.0231},     {"fra", 6, 12, 0.0226},    {"swap", 0, 24, 0.0221},
    {"swap", 0, 36, 0.0229},   {"swap", 0, 60, 0.0243},   {"swap", 0, 84, 0.0256},
    {"swap", 0, 120, 0.0271},  {"swap", 0, 180, 0.0289},  {"swap", 0, 240, 0.0291},
    {"swap", 0, 360, 0.0276},
};
const std::vector<Row> negative = {
    {"deposit", 0, 3, -0.0053}, {"deposit", 0, 6, -0.0051}, {"swap", 0, 24, -0.0048},
    {"swap", 0, 60, -0.0031},   {"swap", 0, 120, 0.0004},   {"swap", 0, 360, 0.0021},
};
const std::vector<Row> overnight = {
    {"ois", 0, 1, 0.0432},  {"ois", 0, 3, 0.0427},  {"ois", 0, 12, 0.0394},  {"ois", 0, 24, 0.0357},
    {"ois", 0, 60, 0.0346}, {"ois", 0, 120, 0.037}, {"ois", 0, 360, 0.0391},
};

std::string quotes(const std::string& curve, const std::vector<Row>& rows) {
  std::string text;
  for (const Row& row : rows) {
    text +=
        fmt::format("[[market.curves.{}.quotes]]\ntype = \"{}\"\nmaturity = \"{}M\"\nrate = {}\n",
                    curve, row.type, row.maturity, row.rate);
    if (row.start > 0) text += fmt::format("start = \"{}M\"\n", row.start);
  }
  return text;
}

std::vector<MarketCurve> curves(const std::string& tables) {
  return read(
             "[market]\ndate = 2026-11-27\nrate = 0.0\n[market.assets.A]\nspot = 1.0\n"
             "volatility = 0.2\n" +
             tables +
             "[[trades]]\nid = \"T\"\nproduct = \"european\"\nasset = \"A\"\ntype = \"call\"\n"
             "strike = 1.0\nmaturity = 1.0\n")
      .market.curves;
}

ql::ext::shared_ptr<ql::IborIndex> term_index(int months, const ql::Calendar& calendar,
                                              ql::Natural days, const ql::DayCounter& day_count) {
  return ql::ext::make_shared<ql::IborIndex>("Term", months * ql::Months, days, ql::Currency(),
                                             calendar, ql::ModifiedFollowing, true, day_count);
}

Helpers euro_helpers(const std::vector<Row>& rows,
                     ql::Handle<ql::YieldTermStructure> discount = {}) {
  Helpers helpers;
  const ql::TARGET calendar;
  for (const Row& row : rows) {
    const std::string type = row.type;
    if (type == "deposit")
      helpers.push_back(ql::ext::make_shared<ql::DepositRateHelper>(
          row.rate, term_index(row.maturity, calendar, 2, ql::Actual360())));
    else if (type == "fra")
      helpers.push_back(ql::ext::make_shared<ql::FraRateHelper>(
          row.rate, static_cast<ql::Natural>(row.start), static_cast<ql::Natural>(row.maturity), 2,
          calendar, ql::ModifiedFollowing, true, ql::Actual360(), ql::Pillar::LastRelevantDate,
          ql::Date(), false));
    else
      helpers.push_back(ql::ext::make_shared<ql::SwapRateHelper>(
          row.rate, row.maturity * ql::Months, calendar, ql::Annual, ql::ModifiedFollowing,
          ql::Thirty360(ql::Thirty360::BondBasis), term_index(6, calendar, 2, ql::Actual360()),
          ql::Handle<ql::Quote>(), 0 * ql::Days, discount));
  }
  return helpers;
}

Helpers dollar_overnight_helpers() {
  const auto index = ql::ext::make_shared<ql::OvernightIndex>(
      "SOFR", 0, ql::Currency(), ql::UnitedStates(ql::UnitedStates::Settlement), ql::Actual360());
  Helpers helpers;
  for (const Row& row : overnight)
    helpers.push_back(ql::ext::make_shared<ql::OISRateHelper>(
        2, row.maturity * ql::Months,
        ql::Handle<ql::Quote>(ql::ext::make_shared<ql::SimpleQuote>(row.rate)), index,
        ql::Handle<ql::YieldTermStructure>(), true, 2, ql::Following, ql::Annual,
        ql::UnitedStates(ql::UnitedStates::Settlement), 0 * ql::Days, 0.0,
        ql::Pillar::LastRelevantDate, ql::Date(), ql::RateAveraging::Compound, false));
  return helpers;
}

template <class Traits, class Interpolator>
Yield bootstrapped(const Helpers& helpers, const Interpolator& interpolator) {
  using Curve = ql::PiecewiseYieldCurve<Traits, Interpolator>;
  return ql::ext::make_shared<Curve>(today, helpers, ql::Actual365Fixed(), interpolator,
                                     typename Curve::bootstrap_type(bootstrap_accuracy));
}

Yield bootstrapped(Interpolation interpolation, const Helpers& helpers) {
  switch (interpolation) {
    case Interpolation::linear_zero:
      return bootstrapped<ql::ZeroYield>(helpers, ql::Linear());
    case Interpolation::monotone_cubic:
      return bootstrapped<ql::Discount>(helpers,
                                        ql::LogCubic(ql::CubicInterpolation::Parabolic, true));
    case Interpolation::log_linear:
      break;
  }
  return bootstrapped<ql::Discount>(helpers, ql::LogLinear());
}

// Discount factors, zero rates, and forward rates over a quarter, at pillars and between them.
void check_equal(const MarketCurve& curve, const ql::YieldTermStructure& expected) {
  const std::vector<double>& pillars = curve.curve.times();
  const double last = pillars.back();
  std::vector<double> times = pillars;
  for (double t = 0.01; t < last; t += 0.27) times.push_back(t);
  double discount_error = 0, zero_error = 0, forward_error = 0;
  for (const double t : times) {
    const double d = curve.curve.discount(t);
    discount_error = std::fmax(discount_error, std::fabs(d - expected.discount(t)));
    zero_error = std::fmax(zero_error, std::fabs(curve.curve.zero_rate(t) -
                                                 expected.zeroRate(t, ql::Continuous).rate()));
    if (t + 0.25 > last) continue;
    const double forward = (curve.curve.total(t + 0.25) - curve.curve.total(t)) / 0.25;
    forward_error =
        std::fmax(forward_error,
                  std::fabs(forward - expected.forwardRate(t, t + 0.25, ql::Continuous).rate()));
  }
  CHECK(discount_error < 1e-12);
  CHECK(zero_error < 1e-12);
  CHECK(forward_error < 1e-12);
  for (const double error : curve.quote_errors) CHECK(std::fabs(error) < 1e-12);
}

struct EvaluationDate {
  EvaluationDate() { ql::Settings::instance().evaluationDate() = today; }
};

}  // namespace

TEST_CASE("curves of deposits, FRAs and swaps are those of QuantLib") {
  const EvaluationDate date;
  for (const auto& rows : {euro, negative})
    for (std::size_t i = 0; i < interpolations.size(); ++i) {
      CAPTURE(interpolations[i]);
      const auto curve = curves(fmt::format("[market.curves.E]\ncurrency = \"EUR\"\n"
                                            "interpolation = \"{}\"\n",
                                            interpolations[i]) +
                                quotes("E", rows));
      check_equal(curve[0], *bootstrapped(static_cast<Interpolation>(i), euro_helpers(rows)));
    }
}

TEST_CASE("curves of overnight swaps with a payment lag are those of QuantLib") {
  const EvaluationDate date;
  for (std::size_t i = 0; i < interpolations.size(); ++i) {
    CAPTURE(interpolations[i]);
    const auto curve =
        curves(fmt::format("[market.curves.SOFR]\ninterpolation = \"{}\"\n", interpolations[i]) +
               quotes("SOFR", overnight));
    check_equal(curve[0], *bootstrapped(static_cast<Interpolation>(i), dollar_overnight_helpers()));
  }
}

TEST_CASE("forecast curves with another discount curve are those of QuantLib") {
  const EvaluationDate date;
  const Yield discount = bootstrapped(Interpolation::log_linear, dollar_overnight_helpers());
  const auto both = curves("[market.curves.E]\ncurrency = \"EUR\"\ndiscount = \"OIS\"\n" +
                           quotes("E", euro) + "[market.curves.OIS]\n" + quotes("OIS", overnight));
  check_equal(both[0],
              *bootstrapped(Interpolation::log_linear,
                            euro_helpers(euro, ql::Handle<ql::YieldTermStructure>(discount))));
  check_equal(both[1], *discount);
}
