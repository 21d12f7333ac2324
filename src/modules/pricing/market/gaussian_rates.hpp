#pragma once
// What the Gaussian models of short rates with one and with two factors share.

#include <cmath>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"

namespace gsim::pricing {

/// amount e^(-loading x - second_loading y), where x is ln S of a model with one factor
/// (short_rate_model.hpp), and x and y are the factors of one with two (two_factors.hpp).
struct RateTerm {
  double amount = 0, loading = 0, second_loading = 0;
};

/// (e^(a t) - 1) / a, by its series where a t is small.
inline double integrated_exponential(double a, double t) {
  const double x = a * t;
  if (std::fabs(x) < 1e-4) return t * (1 + x / 2 * (1 + x / 3 * (1 + x / 4)));
  return (exponential(x) - 1) / a;
}

}  // namespace gsim::pricing
