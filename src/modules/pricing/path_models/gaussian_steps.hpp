#pragma once
// The numbers of a step of one factor of a Gaussian short rate with two (kernels/pricing/
// path_models/gaussian_factor.cu): x' = decay x + own z_0 + further z_1 + shift, with normals z.

#include <cstddef>

#include "src/modules/pricing/paths/simulation.hpp"

namespace gsim::pricing::gaussian_steps {

enum Number : std::size_t { decay, own, further, shift, count };

/// A number of step k of the factor.
inline double number(const AssetDynamics& factor, std::size_t k, Number n) {
  return factor.step_numbers[count * k + n];
}

}  // namespace gsim::pricing::gaussian_steps
