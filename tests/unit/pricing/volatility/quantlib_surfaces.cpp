// Smiles and local volatilities beside QuantLib's. This source is left out of builds without
// QuantLib.

#include <cmath>
#include <ql/experimental/volatility/svismilesection.hpp>
#include <ql/quotes/simplequote.hpp>
#include <ql/settings.hpp>
#include <ql/termstructures/volatility/equityfx/blackvoltermstructure.hpp>
#include <ql/termstructures/volatility/equityfx/localvolsurface.hpp>
#include <ql/termstructures/volatility/sabr.hpp>
#include <ql/termstructures/yield/flatforward.hpp>
#include <ql/time/calendars/nullcalendar.hpp>
#include <ql/time/daycounters/actual365fixed.hpp>

#include <doctest/doctest.h>

#include "src/modules/pricing/volatility/local_volatility_grid.hpp"
#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/volatility/surface_markets.hpp"

using namespace gsim::pricing;
using namespace gsim::pricing::test;
namespace ql = QuantLib;

namespace {

const ql::Date today(27, ql::November, 2026);

/// gsim's surface as QuantLib's term structure of Black variances.
class BlackSurface : public ql::BlackVarianceTermStructure {
 public:
  explicit BlackSurface(const VolatilitySurface& surface)
      : ql::BlackVarianceTermStructure(today, ql::NullCalendar(), ql::Following,
                                       ql::Actual365Fixed()),
        surface_(surface) {}
  ql::Date maxDate() const override { return ql::Date::maxDate(); }
  ql::Real minStrike() const override { return 0; }
  ql::Real maxStrike() const override { return 1e9; }

 protected:
  ql::Real blackVarianceImpl(ql::Time t, ql::Real strike) const override {
    return t == 0 ? 0 : surface_.total_variance(t, strike);
  }

 private:
  const VolatilitySurface& surface_;
};

}  // namespace

TEST_CASE("SABR and SVI agree with QuantLib's") {
  for (const double beta : {0.0, 0.5, 0.9, 1.0})
    for (const double rho : {-0.7, 0.0, 0.4})
      for (const double strike : {40.0, 79.999, 80.0, 83.0, 130.0}) {
        const SabrTerms terms{0.2 * std::pow(80.0, 1 - beta), beta, rho, 0.5};
        const double k = std::log(strike / 80.0);
        CHECK(sabr_volatility(terms, 80, 1.5, k).value ==
              doctest::Approx(ql::sabrVolatility(strike, 80, 1.5, terms.alpha, beta, 0.5, rho))
                  .epsilon(1e-9));
      }
  const SviSmile svi({0.01, 0.12, -0.4, 0.05, 0.15});
  const ql::SviSmileSection section(2.0, 80.0, {0.01, 0.12, 0.15, -0.4, 0.05});
  for (const double strike : {40.0, 80.0, 110.0})
    CHECK(svi.total_variance(std::log(strike / 80.0)).value ==
          doctest::Approx(section.variance(strike)).epsilon(1e-12));
}

TEST_CASE("local volatilities agree with QuantLib's LocalVolSurface") {
  const PricingConfig config = read(index_surface + local + one_trade);
  const AssetConfig& asset = config.market.assets.front();
  const VolatilitySurface& surface = *asset.surface;
  ql::Settings::instance().evaluationDate() = today;
  // QuantLib's forwards with flat rates until half a year, where gsim's zero rate is flat, too.
  const auto flat = [](double rate) {
    return ql::Handle<ql::YieldTermStructure>(
        ql::ext::make_shared<ql::FlatForward>(today, rate, ql::Actual365Fixed()));
  };
  const ql::LocalVolSurface reference(
      ql::Handle<ql::BlackVolTermStructure>(ql::ext::make_shared<BlackSurface>(surface)),
      flat(0.03), flat(0.015), 100.0);
  int compared = 0;
  for (std::size_t i = 0; i < asset.local.times.size(); ++i) {
    const double t = asset.local.times[i];
    // QuantLib differentiates numerically, which needs a day or so on both sides without a jump.
    if (t < 0.02 || std::fabs(t - 0.25) < 0.02 || t > 0.48) continue;
    for (std::size_t j = 0; j < asset.local.spots.size(); ++j) {
      const double spot = asset.local.spots[j];
      if (spot < 72 || spot > 118) continue;
      CAPTURE(t);
      CAPTURE(spot);
      CHECK(asset.local.volatility[i][j] ==
            doctest::Approx(reference.localVol(t, spot, true)).epsilon(2e-3));
      ++compared;
    }
  }
  CHECK(compared > 100);
}
