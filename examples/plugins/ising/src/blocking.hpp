#pragma once
// The mean of a correlated series and its standard error.

#include <span>

#include <gsim/core/types.hpp>

namespace ising {

struct BlockedMean {
  double mean = 0;
  double standard_error = 0;  ///< infinite below 2 values
  gsim::Index blocks = 0;     ///< number of blocks of the level of the error
};

/// By blocking (Flyvbjerg and Petersen 1989, equation 26): neighbours are averaged repeatedly, and
/// the error of the mean is the largest of all levels with 32 blocks or more. Where blocks are
/// longer than the correlation time the error no longer grows, apart from its relative noise of 1 /
/// sqrt(2 (blocks - 1)).
BlockedMean blocked_mean(std::span<const double> values);

}  // namespace ising
