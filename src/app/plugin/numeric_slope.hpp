#pragma once
// Slopes by differences, which those that potentials give are held against.

#include <functional>

namespace gsim::app {

/// df/dx by the central difference of eighth order with step `h`.
inline double numeric_slope(const std::function<double(double)>& f, double x, double h) {
  constexpr double weight[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  double sum = 0;
  for (int k = 0; k < 4; ++k) sum += weight[k] * (f(x + (k + 1) * h) - f(x - (k + 1) * h));
  return sum / h;
}

}  // namespace gsim::app
