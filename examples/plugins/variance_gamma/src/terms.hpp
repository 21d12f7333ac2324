#pragma once
// The order of the numbers that plugin.cpp makes and variance_gamma.cu reads.

namespace variance_gamma {

/// Of a model.
enum Number {
  sigma,  ///< volatility of the Brownian motion
  theta,  ///< its drift
  nu,     ///< variance rate of the gamma time, years
  numbers
};

/// Of a step, whose gamma time has shape a = dt / nu; b is a, or a + 1 where a < 1.
enum StepNumber {
  drift,          ///< of the log-spot
  offset,         ///< d = b - 1/3 of Marsaglia and Tsang
  scale,          ///< c = 1 / sqrt(9 d)
  inverse_shape,  ///< 1 / a where a < 1, else 0
  step_numbers
};

}  // namespace variance_gamma
