#pragma once
// Sums of one component of a field over a block of its cells.

#include "gsim/core/exact_sum.hpp"
#include "gsim/exec/launch.hpp"

namespace gsim::domain {

/// The cell (x, y, z) of the block, 0 <= x < size_x and so on, is row first + x + y stride_y + z
/// stride_z of the field.
struct SumCellsArgs {
  const void* elements = nullptr;
  Index element_bytes = 8;  ///< 8: double, 4: float
  Index components = 1, component = 0;
  Index first = 0;
  Index size_x = 0, size_y = 0, size_z = 0;
  Index stride_y = 0, stride_z = 0;
  double quanta_per_unit = 1;  ///< a power of two
  /// in host memory: the sum of quanta, and the number of values out of range
  ExactSum* sums = nullptr;
};

}  // namespace gsim::domain

GSIM_DECLARE_LAUNCHER(domain_sum_cells, domain::SumCellsArgs)
