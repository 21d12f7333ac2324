#pragma once
// The Brownian bridge construction: W at the end of the grid first, then midpoints of successively
// shorter intervals, so that the first coordinates of a quasi-random point, which are distributed
// best, carry most of the variance (Caflisch, Morokoff and Owen 1997; Glasserman 2004, section
// 3.1).

#include <cstdint>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim {

/// The order of construction over n steps; it depends on n alone, so factors with different
/// variances share it. Step k sets the value at grid point middle[k] from those at left[k] and
/// right[k]. Point 0 is the start, where W = 0; points 1 … n are the ends of the steps. Step 0 sets
/// point n, with left = right = 0.
struct BridgeOrder {
  std::vector<std::int32_t> left, right, middle;
  Index steps() const { return static_cast<Index>(middle.size()); }
};

/// Coefficients of one factor: W[middle] = left W[left] + right W[right] + sd z, z standard normal
/// (Glasserman 2004, eq. 3.7). Each vector has one entry per construction step.
struct BridgeWeights {
  std::vector<double> left, right, sd;
};

/// Constructs level by level, halving each interval by index. Throws InputError if steps < 1.
BridgeOrder bridge_order(Index steps);

/// The coefficients on the grid 0, times[0], times[1], …: calendar times for a standard Brownian
/// motion, or the accumulated variance of a factor, in which case W has that variance. Times must
/// be finite, at least 0 and non-decreasing (intervals of length 0 get sd 0); throws InputError
/// otherwise.
BridgeWeights bridge_weights(const BridgeOrder& order, const std::vector<double>& times);

/// The quasi-random coordinate that drives factor `factor` of `factors` in construction step
/// `step`: all factors of a coarse step come before any finer one.
constexpr Index bridge_coordinate(Index step, Index factor, Index factors) {
  return step * factors + factor;
}

}  // namespace gsim
