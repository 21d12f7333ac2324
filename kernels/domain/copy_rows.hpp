#pragma once
// Copies rows of several columns: packing, unpacking, permuting and reallocating particle columns
// all use this kernel.

#include <cstddef>
#include <cstdint>

#include "gsim/exec/launch.hpp"
#include "gsim/exec/view.hpp"

namespace gsim::domain {

/// One column: row r consists of `bytes` bytes (a multiple of 4) at from + r * from_stride in the
/// source and at to + r * to_stride in the target. Addresses, strides and sizes are multiples of
/// the alignment of the elements.
struct ColumnCopy {
  const std::byte* from = nullptr;
  std::byte* to = nullptr;
  Index from_stride = 0, to_stride = 0;
  Index bytes = 0;
};

/// Copies, for every i in [0, rows), row (from_rows ? from_rows[i] : i) of each column's source to
/// row (to_rows ? to_rows[i] : i) of its target. Sources and targets must not overlap.
struct CopyRowsArgs {
  static constexpr int max_columns = 12;
  const std::int32_t* from_rows = nullptr;
  const std::int32_t* to_rows = nullptr;
  Index rows = 0;
  int columns = 0;
  ColumnCopy column[max_columns];
};

/// Copies of two sets of rows in one launch. No row is both a source and a target.
struct CopyTwoRowSetsArgs {
  CopyRowsArgs first, second;
};

}  // namespace gsim::domain

GSIM_DECLARE_LAUNCHER(domain_copy_rows, domain::CopyRowsArgs)
GSIM_DECLARE_LAUNCHER(domain_copy_two_row_sets, domain::CopyTwoRowSetsArgs)
