#include "model.hpp"

#include <gsim/math/elementary.hpp>

namespace variance_gamma {

double mean_factor(std::span<const double> n) {
  return 1 - n[theta] * n[nu] - 0.5 * n[sigma] * n[sigma] * n[nu];
}

std::vector<double> numbers_of_step(std::span<const double> n,
                                    const gsim::pricing::PathStep& step) {
  const double dt = step.to - step.from, shape = dt / n[nu];
  // Compensator of the drift: minus the growth rate of the mean of e^X (Madan, Carr and Chang 1998,
  // eq. 22).
  const double compensator = gsim::log<gsim::Strict>(mean_factor(n)) / n[nu];
  const double d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3;
  std::vector<double> step_values(step_numbers);
  step_values[drift] = step.carry + compensator * dt;
  step_values[offset] = d;
  step_values[scale] = 1 / gsim::sqrt(9 * d);
  step_values[inverse_shape] = shape < 1 ? 1 / shape : 0;
  return step_values;
}

}  // namespace variance_gamma
