#pragma once
// Calibration of Heston's model to implied volatilities.

#include <cstddef>
#include <span>
#include <vector>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"

namespace gsim::pricing {

/// The implied volatility of a European option.
struct VolatilityQuote {
  double expiry = 0, forward = 0, strike = 0, volatility = 0;
};

/// Bounds of the parameters; |rho| is at most `largest_rho`.
struct HestonBounds {
  double smallest_variance = 1e-6, largest_variance = 4;  ///< v0, theta
  double smallest_kappa = 1e-2, largest_kappa = 20;
  double smallest_sigma = 1e-2, largest_sigma = 5;
  double largest_rho = 0.99;
};

struct HestonFit {
  HestonTerms terms;                 ///< without jumps and maturity
  std::vector<double> volatilities;  ///< of the model, one per quote; NaN: its price has none
  bool has_converged = false;
};

inline constexpr std::size_t heston_parameters = 5;

/// The parameters that minimise the sum of squared differences of prices, each divided by Black's
/// vega of the quote, which are differences of implied volatilities to first order (Christoffersen,
/// Heston and Jacobs 2009, "The shape and term structure of the index option smirk", Management
/// Science 55, 1914). Vegas below a hundredth of forward sqrt(expiry) count as that. It is the best
/// of fits from several starts, with the parameters of `start` that are not NaN in place of the
/// defaults. The quotes are in the order of their expiries.
HestonFit calibrate_heston(std::span<const VolatilityQuote> quotes, const HestonTerms& start);

/// The volatility with which Black's formula gives the price of the option (discount 1), by a root
/// of its out-of-the-money price; NaN if there is none.
double implied_volatility(double sign, double forward, double strike, double expiry, double price);

}  // namespace gsim::pricing
