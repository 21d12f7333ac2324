#pragma once
// What host code and the kernels that build full neighbour lists share: the grid of cells, and the
// arguments of the kernels.

#include <cstdint>

#include "gsim/core/fixed_position.hpp"
#include "gsim/exec/launch.hpp"
#include "gsim/md/neighbour_lists/full_list.hpp"

namespace gsim::md {

/// A grid of cells over the range of integer coordinates. Cells are as wide as the list radius
/// along x and y, or half as wide, and shorter along z. Cells whose indices along every axis are
/// equal modulo `bins`, which divides `cells`, share a bin. A rank therefore needs bins for its own
/// subdomain only, and periodic neighbours are also neighbours modulo `bins`.
///
/// The atoms of a column of bins along z are consecutive. The neighbours of an atom are in the
/// columns around its own, each within the part of the column that its sphere of neighbours covers.
struct FullListGrid {
  std::uint32_t cells[3];
  std::uint32_t bins[3];
  /// Number of columns before and after that of an atom, along x and y, that may contain atoms
  /// within the list radius.
  std::int32_t before[2], after[2];
  /// Width of a cell along x and y in list radii. 0 if the distance from a column along this axis
  /// is not used: in a triclinic box, and in a box with too few columns.
  float width[2];
  float extent;  ///< the list radius along z, in units of the integer coordinate
  bool whole_z;  ///< columns are searched from end to end
};

/// Atoms sorted by bin. Those of bin b are records[first[b]] … records[first[b + 1] - 1], whose
/// `type` is the row of the atom.
struct BinnedRows {
  const std::int32_t* first;
  const PairRecord<float>* records;
};

/// Computes the records of rows [first, first + count) from their positions. If `reference` is not
/// null, raises status->age to that of each atom, from its distance to its position in `reference`.
template <class Real>
struct PackJob {
  const FixedPosition* positions;
  const std::int32_t* types;  ///< null: all atoms have type 0
  PairRecord<Real>* records;
  Index first, count;
  const PairRecord<float>* reference;
  float box_matrix[6];     ///< Box::matrix(32)
  float aging2, allowed2;  ///< squared distances
  FullListStatus* status;
  const DeviceBox* device_box = nullptr;  ///< unless null, has aging2 and allowed2
};

/// Counts rows [first, first + count) in counts[bin], which must be 0 before, and stores the
/// index of each row within its bin in `places`. The indices depend on the order of threads.
struct BinCountJob {
  FullListGrid grid;
  const PairRecord<float>* records;
  Index first, count;
  std::int32_t* counts;
  std::int32_t* places;
};

/// Writes the rows, and their records (BinnedRows), sorted by bin.
struct BinFillJob {
  BinCountJob counted;
  const std::int32_t* first_of_bin;
  std::int32_t* rows;  ///< null: not written
  PairRecord<float>* sorted;
};

/// Lists the neighbours of rows [0, rows) within sqrt(radius2), the list radius of `grid`. A row
/// that exceeds the capacity sets status->longest; every 64th row adds its length to
/// status->neighbours.
struct FullSearchJob {
  FullListGrid grid;
  const PairRecord<float>* records;
  Index rows;
  BinnedRows local_rows, ghost_rows;  ///< ghost_rows.first null: there are no ghosts
  float box_matrix[6];
  float radius2;
  /// The rows excluded from the neighbours of row i are excluded[excluded_first[i]] …
  /// excluded[excluded_first[i + 1] - 1], where -1 is no row. Null: no exclusions.
  const std::int32_t* excluded_first;
  const std::int32_t* excluded;
  NeighbourRows list;
  FullListStatus* status;
};

}  // namespace gsim::md

GSIM_DECLARE_LAUNCHER(full_list_pack_f32, md::PackJob<float>)
GSIM_DECLARE_LAUNCHER(full_list_pack_f64, md::PackJob<double>)
GSIM_DECLARE_LAUNCHER(full_list_count, md::BinCountJob)
GSIM_DECLARE_LAUNCHER(full_list_fill, md::BinFillJob)
GSIM_DECLARE_LAUNCHER(full_list_search, md::FullSearchJob)
