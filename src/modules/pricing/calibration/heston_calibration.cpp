#include "src/modules/pricing/calibration/heston_calibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "src/modules/pricing/calibration/levenberg_marquardt.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/curves/find_root.hpp"

namespace gsim::pricing {
namespace {

/// The quotes of one expiry.
struct ExpiryQuotes {
  double expiry = 0, forward = 0;
  std::vector<double> strikes, prices, weights;  ///< calls, and 1 / vega
};

std::vector<ExpiryQuotes> by_expiry(std::span<const VolatilityQuote> quotes) {
  constexpr double smallest_vega = 0.01;
  std::vector<ExpiryQuotes> list;
  for (const VolatilityQuote& q : quotes) {
    if (list.empty() || list.back().expiry != q.expiry)
      list.push_back({q.expiry, q.forward, {}, {}, {}});
    const double root = std::sqrt(q.expiry), deviation = q.volatility * root;
    const double d1 = logarithm(q.forward / q.strike) / deviation + 0.5 * deviation;
    list.back().strikes.push_back(q.strike);
    list.back().prices.push_back(black(1, q.forward, q.strike, square(deviation), 1));
    list.back().weights.push_back(1 /
                                  (q.forward * root * std::fmax(normal_pdf(d1), smallest_vega)));
  }
  return list;
}

HestonTerms terms_of(std::span<const double> p) {
  HestonTerms terms;
  terms.v0 = p[0];
  terms.kappa = p[1];
  terms.theta = p[2];
  terms.sigma = p[3];
  terms.rho = p[4];
  return terms;
}

Fit fit_from(const std::vector<ExpiryQuotes>& expiries, std::size_t quotes,
             const HestonTerms& start) {
  const HestonBounds b;
  const auto evaluate = [&](std::span<const double> p, std::span<double> residuals) {
    HestonTerms terms = terms_of(p);
    std::size_t i = 0;
    for (const ExpiryQuotes& e : expiries) {
      terms.maturity = e.expiry;
      const std::vector<double> calls = heston_calls(e.forward, e.strikes, terms);
      for (std::size_t j = 0; j < calls.size(); ++j)
        residuals[i++] = (calls[j] - e.prices[j]) * e.weights[j];
    }
  };
  return levenberg_marquardt(evaluate,
                             {{start.v0, b.smallest_variance, b.largest_variance},
                              {start.kappa, b.smallest_kappa, b.largest_kappa},
                              {start.theta, b.smallest_variance, b.largest_variance},
                              {start.sigma, b.smallest_sigma, b.largest_sigma},
                              {start.rho, -b.largest_rho, b.largest_rho}},
                             quotes);
}

/// Variances as at the first and the last expiry, with slow and fast mean reversion.
std::vector<HestonTerms> default_starts(std::span<const VolatilityQuote> quotes) {
  const auto mean_variance = [&](double expiry) {
    double sum = 0;
    int count = 0;
    for (const VolatilityQuote& q : quotes)
      if (q.expiry == expiry) {
        sum += square(q.volatility);
        ++count;
      }
    return sum / count;
  };
  HestonTerms start;
  start.v0 = mean_variance(quotes.front().expiry);
  start.theta = mean_variance(quotes.back().expiry);
  start.kappa = 1.5;
  start.sigma = 0.5;
  start.rho = -0.5;
  HestonTerms fast = start;
  fast.kappa = 5;
  fast.sigma = 1;
  fast.rho = 0;
  return {start, fast};
}

}  // namespace

HestonFit calibrate_heston(std::span<const VolatilityQuote> quotes, const HestonTerms& start) {
  const std::vector<ExpiryQuotes> expiries = by_expiry(quotes);
  std::optional<Fit> best;
  for (HestonTerms from : default_starts(quotes)) {
    for (const auto parameter : {&HestonTerms::v0, &HestonTerms::kappa, &HestonTerms::theta,
                                 &HestonTerms::sigma, &HestonTerms::rho})
      if (!std::isnan(start.*parameter)) from.*parameter = start.*parameter;
    Fit fit = fit_from(expiries, quotes.size(), from);
    if (!best || fit.root_mean_square() < best->root_mean_square()) best = std::move(fit);
  }
  HestonFit result;
  result.terms = terms_of(best->parameters);
  result.has_converged = best->has_converged;
  HestonTerms terms = result.terms;
  for (const VolatilityQuote& q : quotes) {
    terms.maturity = q.expiry;
    const double sign = q.strike < q.forward ? -1 : 1;
    result.volatilities.push_back(implied_volatility(sign, q.forward, q.strike, q.expiry,
                                                     heston(sign, q.forward, q.strike, terms, 1)));
  }
  return result;
}

double implied_volatility(double sign, double forward, double strike, double expiry, double price) {
  constexpr double lowest = 1e-5, highest = 20;
  const auto difference = [&](double volatility) {
    return black(sign, forward, strike, square(volatility) * expiry, 1) - price;
  };
  return find_root(difference, lowest, highest).value_or(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace gsim::pricing
