#pragma once
// Sums of bonds whose terms of equal loadings are one.

#include <vector>

#include "src/modules/pricing/market/gaussian_rates.hpp"

namespace gsim::pricing {

/// The sum with the terms of equal loadings joined, and without those that have cancelled.
std::vector<RateTerm> joined_terms(std::vector<RateTerm> terms);

}  // namespace gsim::pricing
