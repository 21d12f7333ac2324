#pragma once
// Sums, norms and extrema of one component of a field, or of the difference of two fields, over a
// block of cells.

#include "gsim/core/superaccumulator.hpp"
#include "gsim/exec/launch.hpp"
#include "gsim/exec/min_reduce.hpp"

namespace gsim::domain {

/// The cell (x, y, z) of the block, 0 <= x < size_x and so on, is row first + x + y stride_y + z
/// stride_z of the field, and has the number x + size_x (y + size_y z) in the block.
struct FieldValues {
  const void* elements = nullptr;
  const void* subtracted = nullptr;  ///< elements of the field to subtract; null: none
  Index element_bytes = 8;           ///< 8: double, 4: float
  Index components = 1, component = 0;
  Index first = 0;
  Index size_x = 0, size_y = 0, size_z = 0;
  Index stride_y = 0, stride_z = 0;
};

/// Adds the values to sums[0].
struct AddValuesArgs {
  FieldValues values;
  Superaccumulator* sums = nullptr;
};
/// Adds the values to sums[0], their magnitudes to sums[1] and their squares to sums[2].
struct AddNormsArgs {
  FieldValues values;
  Superaccumulator* sums = nullptr;
};
/// Computes the smallest key_of_minimum() and the smallest key_of_maximum() of the values
/// (core/ordered_real.hpp), and the numbers of their cells.
struct ExtremesArgs {
  FieldValues values;
  MinimalKey* minima = nullptr;  ///< 2 elements
};

}  // namespace gsim::domain

GSIM_DECLARE_LAUNCHER(domain_add_values, domain::AddValuesArgs)
GSIM_DECLARE_LAUNCHER(domain_add_norms, domain::AddNormsArgs)
GSIM_DECLARE_LAUNCHER(domain_find_extremes, domain::ExtremesArgs)
