#pragma once
// Bins between increasing bounds.

#include <cstdint>

#include "gsim/math/scalar.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// The bin of increasing bounds edges[0 … bins] that contains x: edges[i] <= x < edges[i + 1]; the
/// last bound belongs to the last bin. -1: none.
GSIM_HD std::int32_t bin_of(const double* edges, std::int32_t bins, double x) {
  if (!(x >= edges[0] && x <= edges[bins])) return -1;
  std::int32_t low = 0, high = bins;
  while (high - low > 1) {
    const std::int32_t middle = low + (high - low) / 2;
    if (edges[middle] <= x)
      low = middle;
    else
      high = middle;
  }
  return low;
}

}  // namespace transport_kernels
GSIM_TARGET_END
