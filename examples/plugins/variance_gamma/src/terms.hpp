#pragma once
// The order of the numbers that plugin.cpp stores and variance_gamma.cu reads.

namespace variance_gamma {

/// Parameters of the model.
enum Number {
  sigma,   ///< volatility of the Brownian motion
  theta,   ///< drift of the Brownian motion
  nu,      ///< variance rate of the gamma time, years
  numbers  ///< number of parameters
};

/// Parameters of a step, whose gamma time has shape a = dt / nu; b is a, or a + 1 if a < 1.
enum StepNumber {
  drift,          ///< of the log-spot
  offset,         ///< d = b - 1/3 of Marsaglia and Tsang
  scale,          ///< c = 1 / sqrt(9 d)
  inverse_shape,  ///< 1 / a if a < 1, otherwise 0
  step_numbers    ///< number of parameters of a step
};

}  // namespace variance_gamma
