#pragma once
// Constants of a time step of path models that kernels read, in double.

#include <vector>

#include "kernels/pricing/job.hpp"
#include "src/modules/pricing/paths/simulation.hpp"

namespace gsim::pricing {

/// Lengths of the steps of a grid, years.
std::vector<double> step_lengths(const TimeGrid& grid);

/// Andersen (2008), eq. 17, 18 (moments of v') and 33 (K0 … K4), gamma_1 = gamma_2 = 1/2, for a
/// step of `dt` years.
QeStep<double> qe_step(const AssetDynamics& asset, double dt);

/// Expected relative jump e^(jump_mean + jump_sd^2 / 2) - 1.
double mean_jump(const AssetDynamics& asset);

/// The distribution functions of the number of jumps in each step, which is expected to be `means`:
/// [step][terms], until the tail is below the resolution of a uniform number, short ones padded
/// with ones. InputError if more than 200 jumps are expected in a step.
std::vector<double> jump_cdf(const std::vector<double>& means, Index& terms);

}  // namespace gsim::pricing
