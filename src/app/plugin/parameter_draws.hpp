#pragma once
// Parameters that the functions of a plugin's potential are tried with: near such as users give.

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "gsim/md/pair_potentials/pair_potential.hpp"
#include "gsim/random/stream.hpp"
#include "gsim/random/uniform.hpp"

namespace gsim::app {

/// Uniform numbers, one after the other.
class Draws {
 public:
  explicit Draws(std::uint64_t entity) : entity_(entity) {}
  double operator()(double lower, double upper) {
    const auto u =
        uniforms<double>(philox_block(stream_key({1, Purpose::test}), entity_, next_++, 0));
    return lower + (upper - lower) * u[0];
  }

 private:
  std::uint64_t entity_, next_ = 0;
};

/// `usual` with each number a tenth off at most. A whole number without a unit may be an exponent:
/// it stays whole, and itself or the next.
inline std::vector<double> drawn_near(std::span<const double> usual,
                                      std::span<const md::PotentialParameter> parameters,
                                      Draws& draw) {
  std::vector<double> values;
  for (std::size_t k = 0; k < usual.size(); ++k) {
    const bool is_count =
        parameters[k].unit == md::ParameterUnit::none && usual[k] == std::floor(usual[k]);
    const double u = draw(-0.1, 0.1);
    values.push_back(is_count ? usual[k] + (u > 0 ? 1 : 0) : usual[k] * (1 + u));
  }
  return values;
}

}  // namespace gsim::app
