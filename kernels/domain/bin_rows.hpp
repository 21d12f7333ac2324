#pragma once
// Rows sorted into bins of cells: counts of bins, their exclusive scan, rows where their bins
// begin, and the rows of a bin in the order of ids.

#include "gsim/exec/cell_grid.hpp"
#include "gsim/exec/launch.hpp"
#include "gsim/exec/view.hpp"

namespace gsim::domain {

/// Counts the rows of `positions` into counts[bin], which are 0 before; places[row] becomes the
/// place that the row has in its bin, which depends on the order of threads.
struct BinCountArgs {
  CellGrid grid;
  View<const FixedPosition> positions;
  std::int32_t* counts = nullptr;
  std::int32_t* places = nullptr;
};

/// values[i] becomes the sum of those before it. `scratch` has room for values.size / 32 + 8.
struct ExclusiveScanArgs {
  View<std::int32_t> values;
  std::int32_t* scratch = nullptr;
};

/// Puts the rows where their bins begin.
struct BinFillArgs {
  BinCountArgs counted;
  const std::int32_t* first_of_bin = nullptr;
  std::int32_t* rows = nullptr;
};

/// Puts the rows of each bin in ascending order of their ids.
struct BinSortArgs {
  Index bins = 0;
  const std::int32_t* first_of_bin = nullptr;
  std::int32_t* rows = nullptr;
  const std::int64_t* ids = nullptr;
};

}  // namespace gsim::domain

GSIM_DECLARE_LAUNCHER(domain_bin_count, domain::BinCountArgs)
GSIM_DECLARE_LAUNCHER(domain_exclusive_scan, domain::ExclusiveScanArgs)
GSIM_DECLARE_LAUNCHER(domain_bin_fill, domain::BinFillArgs)
GSIM_DECLARE_LAUNCHER(domain_bin_sort, domain::BinSortArgs)
