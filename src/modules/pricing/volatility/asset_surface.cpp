#include "src/modules/pricing/volatility/asset_surface.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/pricing/calibration/smile_fit.hpp"
#include "src/modules/pricing/volatility/arbitrage_checks.hpp"

namespace gsim::pricing {
namespace {

[[noreturn]] void fail_quotes(const SurfaceInput& input, double expiry, const std::string& asset,
                              const std::string& problem, const std::string& suggestion = {}) {
  input.keys.fail(input.key,
                  fmt::format("surface `{}` of asset `{}`, expiry {:g} years: {}",
                              excerpt(input.name), excerpt(asset), expiry, problem),
                  suggestion);
}

/// k where Black's delta is that of the quote; NaN if no strike has it.
double moneyness_of_delta(double delta, double scale, double deviation) {
  const double unsigned_delta = scale * std::fabs(delta);
  if (unsigned_delta >= 1) return std::numeric_limits<double>::quiet_NaN();
  double d1 = 0;
  if (delta > 0) d1 = normal_quantile(unsigned_delta);
  if (delta < 0) d1 = -normal_quantile(unsigned_delta);
  return 0.5 * deviation * deviation - d1 * deviation;
}

/// The quotes of one expiry in the order of their strikes.
std::vector<MoneynessQuote> quotes_of(const SurfaceInput& input, const SmileInput& smile,
                                      const ForwardCurve& forwards, const std::string& asset) {
  std::vector<MoneynessQuote> list;
  for (const SmileQuote& quote : smile.quotes) {
    list.push_back({log_moneyness(input, forwards, smile.expiry, quote), quote.volatility});
    if (!std::isfinite(list.back().k))
      fail_quotes(input, smile.expiry, asset,
                  fmt::format("no strike has a spot delta of {:g} %", 100 * quote.coordinate),
                  "is it a forward delta? Then set delta = \"forward\"");
  }
  std::sort(list.begin(), list.end(),
            [](const MoneynessQuote& a, const MoneynessQuote& b) { return a.k < b.k; });
  for (std::size_t i = 1; i < list.size(); ++i)
    if (list[i].k <= list[i - 1].k)
      fail_quotes(input, smile.expiry, asset,
                  fmt::format("two quotes have the strike {:.6g}",
                              forwards.forward(smile.expiry) * exponential(list[i].k)));
  return list;
}

std::shared_ptr<const Smile> make_spline(const std::vector<MoneynessQuote>& quotes, double expiry) {
  std::vector<double> k, variances;
  for (const MoneynessQuote& quote : quotes) {
    k.push_back(quote.k);
    variances.push_back(square(quote.volatility) * expiry);
  }
  return std::make_shared<SplineSmile>(std::move(k), std::move(variances));
}

void check_number_of_quotes(const SurfaceInput& input, const SmileInput& smile,
                            const std::string& asset, std::size_t needed) {
  if (smile.quotes.size() < needed)
    fail_quotes(input, smile.expiry, asset,
                fmt::format("the smile has {} parameters, but there {} {} {}", needed,
                            smile.quotes.size() == 1 ? "is" : "are", smile.quotes.size(),
                            smile.quotes.size() == 1 ? "quote" : "quotes"),
                "give more quotes, or set smile = \"spline\"");
}

void add_parameters(AssetSurface& result, double expiry,
                    std::initializer_list<std::pair<const char*, double>> list) {
  for (const auto& [name, value] : list) result.parameters.push_back({expiry, name, value});
}

/// Hagan's formula is an expansion, whose volatility may become negative, which its square hides.
void check_sabr(const SurfaceInput& input, const SabrTerms& terms, double forward, double expiry,
                const std::string& asset) {
  const double deviation =
      std::fabs(sabr_volatility(terms, forward, expiry, 0.0).value) * std::sqrt(expiry);
  for (double x = -5; x <= 5; x += 0.25) {
    const double k = x * deviation;
    const double volatility = sabr_volatility(terms, forward, expiry, k).value;
    if (!(volatility > 0))
      fail_quotes(input, expiry, asset,
                  fmt::format("SABR's expansion gives the volatility {:.4g} at strike {:.6g}",
                              volatility, forward * exponential(k)),
                  "check the parameters and quotes; the expansion is for small nu^2 expiry");
  }
}

/// Warns of a fit that may not be the best one, or whose quotes do not determine all parameters.
void warn_of_fit(const SurfaceInput& input, double expiry, const FitRemarks& remarks,
                 const std::string& asset, std::vector<std::string>& warnings) {
  const auto warn = [&](const std::string& text) {
    warnings.push_back(fmt::format("surface `{}` of asset `{}`, smile at {:g} years: {}",
                                   excerpt(input.name), excerpt(asset), expiry, text));
  };
  if (!remarks.has_converged) warn("the fit has not converged");
  for (const std::string& name : remarks.at_bounds)
    warn(fmt::format("{} is at the bound of the fit", name));
}

/// The smile of one expiry, whose formula is fitted to the quotes if there are any.
std::shared_ptr<const Smile> make_smile(const SurfaceInput& input, const SmileInput& smile,
                                        const std::vector<MoneynessQuote>& quotes, double forward,
                                        const std::string& asset, AssetSurface& result,
                                        std::vector<std::string>& warnings) {
  if (input.smile == SmileKind::spline) return make_spline(quotes, smile.expiry);
  FitRemarks remarks;
  if (input.smile == SmileKind::svi) {
    if (input.has_quotes) check_number_of_quotes(input, smile, asset, svi_parameters);
    const SviTerms p = input.has_quotes ? fit_svi(quotes, smile.expiry, &remarks) : smile.svi;
    warn_of_fit(input, smile.expiry, remarks, asset, warnings);
    add_parameters(result, smile.expiry,
                   {{"a", p.a}, {"b", p.b}, {"rho", p.rho}, {"m", p.m}, {"sigma", p.sigma}});
    return std::make_shared<SviSmile>(p);
  }
  if (input.has_quotes) check_number_of_quotes(input, smile, asset, sabr_parameters);
  const SabrTerms p =
      input.has_quotes ? fit_sabr(quotes, forward, smile.expiry, input.beta, &remarks) : smile.sabr;
  warn_of_fit(input, smile.expiry, remarks, asset, warnings);
  check_sabr(input, p, forward, smile.expiry, asset);
  add_parameters(result, smile.expiry,
                 {{"alpha", p.alpha}, {"beta", p.beta}, {"rho", p.rho}, {"nu", p.nu}});
  return std::make_shared<SabrSmile>(p, forward, smile.expiry);
}

/// Warns of the quote that a fitted formula misses most, if it misses it by much.
void warn_of_poor_fit(const SurfaceInput& input, const AssetSurface& result,
                      const std::string& asset, std::vector<std::string>& warnings) {
  constexpr double poor = 0.005;
  const auto error = [](const SurfacePoint& p) { return std::fabs(p.volatility - p.quote); };
  const auto worst = std::max_element(
      result.points.begin(), result.points.end(),
      [&](const SurfacePoint& a, const SurfacePoint& b) { return error(a) < error(b); });
  if (!input.has_quotes || !(error(*worst) > poor)) return;
  warnings.push_back(fmt::format(
      "surface `{}` of asset `{}`: the fitted volatility {:.4g} differs from the quote {:.4g} at "
      "{:g} years, strike {:.6g}; see market/volatility_surfaces of the results",
      excerpt(input.name), excerpt(asset), worst->volatility, worst->quote,
      result.surface->expiries()[worst->expiry], worst->strike));
}

/// A spline may overshoot.
void check_is_positive(const SurfaceInput& input, const VolatilitySurface& surface, std::size_t i,
                       const std::string& asset) {
  const double deviation = surface.deviation(i);
  for (double k = -5; k <= 5; k += 0.25)
    if (!(surface.at_expiry(i, k * deviation).value > 0))
      fail_quotes(input, surface.expiries()[i], asset,
                  fmt::format("the total variance at strike {:.6g} is not positive",
                              surface.forwards().forward(surface.expiries()[i]) *
                                  exponential(k * deviation)),
                  "check the parameters and quotes");
}

void report_arbitrage(const SurfaceInput& input, const AssetSurface& result,
                      const std::string& asset, std::vector<std::string>& warnings) {
  std::string problem;
  std::size_t others = 0;
  for (const ExpiryCheck& check : result.checks) {
    if (!check.has_arbitrage()) continue;
    if (problem.empty())
      problem = describe_arbitrage(*result.surface, check);
    else
      ++others;
  }
  if (problem.empty()) return;
  problem = fmt::format("surface `{}` of asset `{}` has {}", excerpt(input.name), excerpt(asset),
                        problem);
  if (others > 0)
    problem += fmt::format("; {} further {}", others,
                           others == 1 ? "expiry has arbitrage" : "expiries have arbitrage");
  if (input.is_arbitrage_error)
    input.keys.fail(
        input.key, problem,
        "correct the quotes or parameters there, or set arbitrage = \"warn\", with which "
        "local variances are cut off there");
  warnings.push_back(problem);
}

}  // namespace

double log_moneyness(const SurfaceInput& input, const ForwardCurve& forwards, double expiry,
                     const SmileQuote& quote) {
  switch (input.strike_kind) {
    case StrikeKind::strike:
      return logarithm(quote.coordinate) - forwards.log_forward(expiry);
    case StrikeKind::moneyness:
      return logarithm(quote.coordinate);
    case StrikeKind::delta:
      break;
  }
  const double scale =
      input.delta_kind == DeltaKind::spot ? exponential(forwards.dividend.integral(expiry)) : 1.0;
  return moneyness_of_delta(quote.coordinate, scale, quote.volatility * std::sqrt(expiry));
}

AssetSurface make_surface(const SurfaceInput& input, const ForwardCurve& forwards,
                          const std::string& asset, std::vector<std::string>& warnings) {
  AssetSurface result;
  std::vector<double> expiries;
  std::vector<std::shared_ptr<const Smile>> smiles;
  std::vector<std::vector<MoneynessQuote>> quotes;
  for (const SmileInput& smile : input.smiles) {
    expiries.push_back(smile.expiry);
    quotes.push_back(quotes_of(input, smile, forwards, asset));
    smiles.push_back(make_smile(input, smile, quotes.back(), forwards.forward(smile.expiry), asset,
                                result, warnings));
  }
  result.surface =
      std::make_shared<VolatilitySurface>(input.name, forwards, expiries, std::move(smiles));
  std::vector<QuotedRange> quoted(expiries.size());
  for (std::size_t i = 0; i < expiries.size(); ++i) {
    if (!quotes[i].empty()) quoted[i] = {quotes[i].front().k, quotes[i].back().k};
    check_is_positive(input, *result.surface, i, asset);
    const double forward = forwards.forward(expiries[i]);
    const auto add = [&](double k, double quote) {
      result.points.push_back({i, forward * exponential(k), quote,
                               std::sqrt(result.surface->at_expiry(i, k).value / expiries[i])});
    };
    for (const MoneynessQuote& quote : quotes[i]) add(quote.k, quote.volatility);
    if (!input.has_quotes)
      for (int j = -2; j <= 2; ++j)
        add(j * result.surface->deviation(i), std::numeric_limits<double>::quiet_NaN());
  }
  result.checks = check_arbitrage(*result.surface, quoted);
  report_arbitrage(input, result, asset, warnings);
  warn_of_poor_fit(input, result, asset, warnings);
  return result;
}

}  // namespace gsim::pricing
