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

/// What the host reads of the status in every step. It is in host memory, which kernels write only
/// when a flag changes, so that nothing has to be copied.
struct FullListFlags {
  std::uint64_t overlap;     ///< FullListStatus::overlap before the last PackJob
  std::uint32_t reached[3];  ///< by ListAge: whether FullListStatus::age has reached it
};

/// Positions and types of atoms, by row.
struct PositionsAndTypes {
  const FixedPosition* positions;
  const std::int32_t* types;  ///< null: all atoms have type 0
};

/// Computes the records of rows [first, first + count) from their positions. If `reference` is not
/// null, raises the age in `status` and `flags` to that of each atom, from its distance to its
/// position in `reference`, and copies the overlap from `status` to `flags`.
template <class Real>
struct PackJob {
  PositionsAndTypes atoms;
  PairRecord<Real>* records;
  Index first, count;
  const PairRecord<float>* reference = nullptr;
  float box_matrix[6] = {};        ///< Box::matrix(32)
  float aging2 = 0, allowed2 = 0;  ///< squared distances
  FullListStatus* status = nullptr;
  FullListFlags* flags = nullptr;
  const DeviceBox* device_box = nullptr;  ///< unless null, has aging2 and allowed2
  /// The records of rows sent_rows[0 … sent) are also written to sent_records, for other ranks.
  const std::int32_t* sent_rows = nullptr;
  PairRecord<Real>* sent_records = nullptr;
  Index sent = 0;
};

/// The number of rows in each bin, and the place of each row within its bin.
struct BinningJob {
  FullListGrid grid;
  Index rows;
  PairRecord<float>* records;  ///< by row, without types
  std::int32_t* counts;        ///< by bin; their exclusive scan after BinCountJob
  std::int32_t* places;        ///< by row; depend on the order of threads
};

/// Computes the records of all rows from their positions, sets binning.counts, which must be 0
/// before, to the number of rows in each bin, and sets binning.places. Sets the age in `status` to
/// list_is_new and, with clears_overlap, forgets the overlap there.
template <class Real>
struct BinCountJob {
  PositionsAndTypes atoms;
  PairRecord<Real>* records;
  BinningJob binning;
  FullListStatus* status;
  bool clears_overlap;
};

/// Writes the records of all rows (BinnedRows), or the rows, sorted by bin.
struct BinFillJob {
  BinningJob binning;
  PairRecord<float>* records;  ///< null: not written
  std::int32_t* rows;          ///< null: not written
  View<std::int32_t> cleared;  ///< set to 0: the counts of the next BinCountJob
};

/// Lists the neighbours of rows [0, rows) within the list radius of `grid`. A row that exceeds the
/// capacity sets status->longest; every 64th row adds its length to status->neighbours.
struct FullSearchJob {
  FullListGrid grid;
  const PairRecord<float>* records;
  Index rows;
  BinnedRows binned;    ///< all locals and ghosts
  std::int32_t locals;  ///< rows from this one on are ghosts
  bool has_ghosts, is_orthogonal, has_exclusions;
  /// For differences n of integer coordinates, in steps of the first one: the squared distance is
  /// (n0 + shear[0] n1 + shear[1] n2)^2 + weight[0] (n1 + shear[2] n2)^2 + weight[1] n2^2.
  float shear[3], weight[2];
  float radius2;  ///< the squared list radius, in squares of these steps
  /// The rows excluded from the neighbours of row i are excluded[excluded_first[i]] …
  /// excluded[excluded_first[i + 1] - 1], where -1 is no row; with has_exclusions.
  const std::int32_t* excluded_first;
  const std::int32_t* excluded;
  NeighbourRows list;
  FullListStatus* status;
};

}  // namespace gsim::md

GSIM_DECLARE_LAUNCHER(full_list_pack_f32, md::PackJob<float>)
GSIM_DECLARE_LAUNCHER(full_list_pack_f64, md::PackJob<double>)
GSIM_DECLARE_LAUNCHER(full_list_count_f32, md::BinCountJob<float>)
GSIM_DECLARE_LAUNCHER(full_list_count_f64, md::BinCountJob<double>)
GSIM_DECLARE_LAUNCHER(full_list_fill, md::BinFillJob)
GSIM_DECLARE_LAUNCHER(full_list_search, md::FullSearchJob)
