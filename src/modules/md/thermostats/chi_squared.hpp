#pragma once
// Sums of squares of any number of standard normals from a few random numbers.

#include <cstdint>

#include "gsim/core/types.hpp"
#include "gsim/random/philox.hpp"

namespace gsim::md {

/// A number with the chi-squared distribution of `freedom` >= 0 degrees of freedom (0: zero), from
/// the blocks `first_block`, first_block + 1, … of (key, entity, step): twice a gamma number of
/// shape freedom / 2 by the rejection of G. Marsaglia and W. W. Tsang, ACM Trans. Math. Softw. 26
/// (2000) 363, each attempt from one block.
double chi_squared(PhiloxKey key, std::uint64_t entity, std::uint64_t step,
                   std::uint32_t first_block, Index freedom);

}  // namespace gsim::md
