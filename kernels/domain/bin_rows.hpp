#pragma once
// Sorting of rows into bins of cells: counts per bin, their exclusive scan, scattering of rows to
// the bins, and sorting by id within each bin.

#include "gsim/exec/cell_grid.hpp"
#include "gsim/exec/launch.hpp"
#include "gsim/exec/view.hpp"

namespace gsim::domain {

/// Sets counts[bin], which must be 0 before, to the number of rows in the bin, and places[row] to
/// the place of the row within its bin, from 0, which depends on the order of threads.
struct BinCountArgs {
  CellGrid grid;
  View<const FixedPosition> positions;
  std::int32_t* counts = nullptr;
  std::int32_t* places = nullptr;
};

/// Writes the rows of bin b to rows[first_of_bin[b]] … rows[first_of_bin[b + 1] - 1], in the order
/// of BinCountArgs::places; first_of_bin is the exclusive scan of the counts.
struct BinFillArgs {
  BinCountArgs counted;
  const std::int32_t* first_of_bin = nullptr;
  std::int32_t* rows = nullptr;
};

/// Sorts the rows of each bin by ascending id.
struct BinSortArgs {
  Index bins = 0;
  const std::int32_t* first_of_bin = nullptr;
  std::int32_t* rows = nullptr;
  const std::int64_t* ids = nullptr;
};

}  // namespace gsim::domain

GSIM_DECLARE_LAUNCHER(domain_bin_count, domain::BinCountArgs)
GSIM_DECLARE_LAUNCHER(domain_bin_fill, domain::BinFillArgs)
GSIM_DECLARE_LAUNCHER(domain_bin_sort, domain::BinSortArgs)
