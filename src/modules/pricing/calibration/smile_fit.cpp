#include "src/modules/pricing/calibration/smile_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "src/modules/pricing/calibration/levenberg_marquardt.hpp"

namespace gsim::pricing {
namespace {

/// SVI from its smallest variance, the slopes of its wings to the left and right, m and sigma.
SviTerms svi_terms(std::span<const double> p) {
  SviTerms s;
  s.b = 0.5 * (p[1] + p[2]);
  s.rho = (p[2] - p[1]) / (p[1] + p[2]);
  s.m = p[3];
  s.sigma = p[4];
  s.a = p[0] - s.b * s.sigma * std::sqrt(1 - s.rho * s.rho);
  return s;
}

/// The quote with the smallest volatility.
MoneynessQuote lowest(const std::vector<MoneynessQuote>& quotes) {
  return *std::min_element(
      quotes.begin(), quotes.end(),
      [](const MoneynessQuote& a, const MoneynessQuote& b) { return a.volatility < b.volatility; });
}

/// Keeps the better of two fits, with the bounds of its parameters.
struct BestFit {
  std::optional<Fit> fit;
  std::vector<FitParameter> bounds;

  void consider(Fit other, const std::vector<FitParameter>& parameters) {
    if (fit && other.root_mean_square() >= fit->root_mean_square()) return;
    fit = std::move(other);
    bounds = parameters;
  }

  void remark(std::span<const char* const> names, FitRemarks* remarks) const {
    if (remarks == nullptr) return;
    remarks->has_converged = fit->has_converged;
    for (std::size_t i = 0; i < bounds.size(); ++i)
      if (fit->parameters[i] <= bounds[i].lower || fit->parameters[i] >= bounds[i].upper)
        remarks->at_bounds.emplace_back(names[i]);
  }
};

}  // namespace

SviTerms fit_svi(const std::vector<MoneynessQuote>& quotes, double expiry, FitRemarks* remarks) {
  constexpr double smallest_slope = 1e-6, largest_slope = 2;
  constexpr std::array<double, 3> places = {0.5, 0.25, 0.75}, widths = {0.1, 0.5};
  const auto evaluate = [&](std::span<const double> p, std::span<double> residuals) {
    const SviSmile smile(svi_terms(p));
    for (std::size_t i = 0; i < quotes.size(); ++i)
      residuals[i] =
          std::sqrt(smile.total_variance(quotes[i].k).value / expiry) - quotes[i].volatility;
  };
  const double low = quotes.front().k, width = quotes.back().k - low;
  const double variance = square(lowest(quotes).volatility) * expiry;
  double largest = 0;
  for (const MoneynessQuote& q : quotes)
    largest = std::fmax(largest, square(q.volatility) * expiry);
  const double slope = std::fmin(0.5 * std::sqrt(largest), 1.0);
  BestFit best;
  for (const double place : places)
    for (const double share : widths) {
      const std::vector<FitParameter> start = {{0.9 * variance, 1e-4 * variance, largest},
                                               {slope, smallest_slope, largest_slope},
                                               {slope, smallest_slope, largest_slope},
                                               {low + place * width, low - width, low + 2 * width},
                                               {share * width, 1e-3 * width, 4 * width}};
      best.consider(levenberg_marquardt(evaluate, start, quotes.size()), start);
    }
  constexpr std::array<const char*, 5> names = {"the smallest variance", "the slope on the left",
                                                "the slope on the right", "m", "sigma"};
  best.remark(names, remarks);
  return svi_terms(best.fit->parameters);
}

SabrTerms fit_sabr(const std::vector<MoneynessQuote>& quotes, double forward, double expiry,
                   double beta, FitRemarks* remarks) {
  constexpr double largest_rho = 0.9999, largest_nu = 20;
  const auto terms = [&](std::span<const double> p) { return SabrTerms{p[0], beta, p[1], p[2]}; };
  const auto evaluate = [&](std::span<const double> p, std::span<double> residuals) {
    for (std::size_t i = 0; i < quotes.size(); ++i)
      residuals[i] =
          sabr_volatility(terms(p), forward, expiry, quotes[i].k).value - quotes[i].volatility;
  };
  const double alpha = lowest(quotes).volatility * power(forward, 1 - beta);
  BestFit best;
  for (const double rho : {-0.4, 0.0, 0.4}) {
    const std::vector<FitParameter> start = {{alpha, 1e-3 * alpha, 1e2 * alpha},
                                             {rho, -largest_rho, largest_rho},
                                             {0.5 / std::sqrt(expiry), 1e-6, largest_nu}};
    best.consider(levenberg_marquardt(evaluate, start, quotes.size()), start);
  }
  constexpr std::array<const char*, 3> names = {"alpha", "rho", "nu"};
  best.remark(names, remarks);
  return terms(best.fit->parameters);
}

}  // namespace gsim::pricing
