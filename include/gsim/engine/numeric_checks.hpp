#pragma once
// Numerical tools for conformance checks of functions.

#include <cstdint>
#include <functional>

#include "gsim/random/stream.hpp"
#include "gsim/random/uniform.hpp"

namespace gsim {

/// df/dx by the central difference of eighth order with step `h`.
inline double numeric_slope(const std::function<double(double)>& f, double x, double h) {
  constexpr double weight[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  double sum = 0;
  for (int k = 0; k < 4; ++k) sum += weight[k] * (f(x + (k + 1) * h) - f(x - (k + 1) * h));
  return sum / h;
}

/// A sequence of uniform random numbers, a different one for each `entity`.
class UniformSequence {
 public:
  explicit UniformSequence(std::uint64_t entity) : entity_(entity) {}
  double operator()(double lower, double upper) {
    const auto u =
        uniforms<double>(philox_block(stream_key({1, Purpose::test}), entity_, next_++, 0));
    return lower + (upper - lower) * u[0];
  }

 private:
  std::uint64_t entity_, next_ = 0;
};

}  // namespace gsim
