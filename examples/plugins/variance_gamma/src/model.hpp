#pragma once
// The constants of a time step from the parameters of the model.

#include <span>
#include <vector>

#include <gsim/pricing/path_model_kind.hpp>

#include "terms.hpp"

namespace variance_gamma {

/// E[e^X]^(-nu) of the process X after a year: 1 - theta nu - sigma^2 nu / 2. If it is not
/// positive, the mean of the spot is infinite.
double mean_factor(std::span<const double> numbers);

/// The numbers of a step, in the order of StepNumber, from the parameters `numbers` of the model.
std::vector<double> numbers_of_step(std::span<const double> numbers,
                                    const gsim::pricing::PathStep& step);

}  // namespace variance_gamma
