#include "src/modules/pricing/calibration/asset_calibration.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/calibration/heston_calibration.hpp"
#include "src/modules/pricing/market/model_keys.hpp"

namespace gsim::pricing {
namespace {

std::vector<VolatilityQuote> quotes_of(const AssetSurface& given) {
  std::vector<VolatilityQuote> quotes;
  for (const SurfacePoint& p : given.points) {
    const double expiry = given.surface->expiries()[p.expiry];
    quotes.push_back({expiry, given.surface->forwards().forward(expiry), p.strike,
                      std::isnan(p.quote) ? p.volatility : p.quote});
  }
  return quotes;
}

std::string instrument_of(const VolatilityQuote& q) {
  return fmt::format("{:g} years, strike {:.6g}", q.expiry, q.strike);
}

void warn_of_fit(const AssetInput& a, const HestonFit& fit,
                 const std::vector<VolatilityQuote>& quotes) {
  constexpr double poor = 0.01;
  const auto warn = [&](const std::string& text) {
    a.market->warnings.push_back(fmt::format("asset `{}`, calibrated to `{}`: {}", excerpt(a.name),
                                             excerpt(a.calibrate_to), text));
  };
  if (!fit.has_converged) warn("the fit has not converged");
  std::size_t worst = 0;
  double largest = 0;
  for (std::size_t i = 0; i < quotes.size(); ++i) {
    const double error = std::fabs(fit.volatilities[i] - quotes[i].volatility);
    if (error <= largest) continue;  // false for NaN
    worst = i;
    largest = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
  }
  if (largest > poor)
    warn(fmt::format(
        "the model's volatility {:.4g} differs from the quote {:.4g} at {}; see "
        "market/calibration of the results",
        fit.volatilities[worst], quotes[worst].volatility, instrument_of(quotes[worst])));
  const HestonBounds bounds;
  for (const auto& [name, value, lower, upper] :
       {std::tuple{"v0", a.v0, bounds.smallest_variance, bounds.largest_variance},
        std::tuple{"kappa", a.kappa, bounds.smallest_kappa, bounds.largest_kappa},
        std::tuple{"theta", a.theta, bounds.smallest_variance, bounds.largest_variance},
        std::tuple{"sigma", a.sigma, bounds.smallest_sigma, bounds.largest_sigma},
        std::tuple{"rho", a.rho, -bounds.largest_rho, bounds.largest_rho}})
    if (value <= lower || value >= upper)
      warn(fmt::format("{} = {:g} is at the bound of the fit: the quotes do not determine it", name,
                       value));
}

}  // namespace

void calibrate_heston_asset(const Section& s, AssetInput& a) {
  SurfaceInput input = require_surface(s, "calibrate_to", a.market->surfaces, a.calibrate_to);
  input.is_arbitrage_error = false;  // the fit uses the quotes alone
  a.given_surface = std::make_shared<AssetSurface>(
      make_surface(input, forwards_of(a), a.name, a.market->warnings));
  const std::vector<VolatilityQuote> quotes = quotes_of(*a.given_surface);
  if (quotes.size() < heston_parameters)
    s.fail("calibrate_to", fmt::format("surface `{}` has {} quotes, and the model {} parameters",
                                       excerpt(a.calibrate_to), quotes.size(), heston_parameters));
  HestonTerms start;
  start.v0 = a.v0;
  start.kappa = a.kappa;
  start.theta = a.theta;
  start.sigma = a.sigma;
  start.rho = a.rho;
  const HestonFit fit = calibrate_heston(quotes, start);
  a.v0 = fit.terms.v0;
  a.kappa = fit.terms.kappa;
  a.theta = fit.terms.theta;
  a.sigma = fit.terms.sigma;
  a.rho = fit.terms.rho;
  CalibrationReport report;
  report.target = a.calibrate_to;
  for (const auto& [name, value] :
       {std::pair{"v0", a.v0}, std::pair{"kappa", a.kappa}, std::pair{"theta", a.theta},
        std::pair{"sigma", a.sigma}, std::pair{"rho", a.rho}})
    report.parameters.push_back({std::numeric_limits<double>::quiet_NaN(), name, value});
  for (std::size_t i = 0; i < quotes.size(); ++i)
    report.errors.push_back({instrument_of(quotes[i]), quotes[i].volatility, fit.volatilities[i]});
  a.calibration = std::make_shared<CalibrationReport>(std::move(report));
  warn_of_fit(a, fit, quotes);
}

}  // namespace gsim::pricing
