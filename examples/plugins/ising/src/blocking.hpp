#pragma once
// The mean of a correlated series and its error.

#include <span>

#include <gsim/core/types.hpp>

namespace ising {

struct BlockedMean {
  double mean = 0;
  double standard_error = 0;  ///< infinite below 2 values
  gsim::Index blocks = 0;     ///< that the error was taken from
};

/// By blocking (Flyvbjerg and Petersen 1989, equation 26): neighbours are averaged again and again,
/// and the error of the mean is the largest that any level gives which has 32 blocks or more. Where
/// blocks are longer than the correlations it no longer grows with them, but for its own noise of
/// 1 / sqrt(2 (blocks - 1)).
BlockedMean blocked_mean(std::span<const double> values);

}  // namespace ising
