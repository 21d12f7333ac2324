#pragma once
// The mean of a correlated series and its standard error.

#include <span>

#include <gsim/core/types.hpp>

namespace ising {

struct BlockedMean {
  double mean = 0;
  double standard_error = 0;  ///< infinite below 2 values
  gsim::Index blocks = 0;     ///< number of blocks from which standard_error was computed
};

/// By blocking (Flyvbjerg and Petersen 1989, equation 26): pairs of consecutive values are replaced
/// by their mean repeatedly. The standard error of the mean is the largest of the estimates from
/// the series itself and from each level with at least 32 blocks. Once blocks are longer than the
/// correlation time, the estimates are constant within their relative uncertainty of 1 / sqrt(2
/// (blocks - 1)).
BlockedMean blocked_mean(std::span<const double> values);

}  // namespace ising
