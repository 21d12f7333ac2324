#pragma once
// Rows of several columns from one place to another: packing, unpacking, permuting and growing
// particle columns are all this one kernel.

#include <cstddef>
#include <cstdint>

#include "gsim/exec/launch.hpp"
#include "gsim/exec/view.hpp"

namespace gsim::domain {

/// Row r of the column is `bytes` bytes (a multiple of 4) at from + r * from_stride; all are
/// multiples of the alignment that the rows' elements need.
struct ColumnCopy {
  const std::byte* from = nullptr;
  std::byte* to = nullptr;
  Index from_stride = 0, to_stride = 0;
  Index bytes = 0;
};

/// For every i in [0, rows): row (from_rows ? from_rows[i] : i) of each column's source becomes row
/// (to_rows ? to_rows[i] : i) of its target. Sources and targets must not overlap.
struct CopyRowsArgs {
  static constexpr int most_columns = 12;
  const std::int32_t* from_rows = nullptr;
  const std::int32_t* to_rows = nullptr;
  Index rows = 0;
  int columns = 0;
  ColumnCopy column[most_columns];
};

}  // namespace gsim::domain

GSIM_DECLARE_LAUNCHER(domain_copy_rows, domain::CopyRowsArgs)
