#pragma once
// Full neighbour lists: for every owned atom all atoms near it, locals and ghosts. Each thread
// computes one atom. GPUs use these lists; the same source runs on the host. Every pair is computed
// for both of its atoms. The integer sums of forces are the same as those of the loop over cluster
// pairs (gsim/md/pair_forces/cluster_forces.hpp).

#include <cstdint>

#include "gsim/core/exact_sum.hpp"
#include "gsim/core/fixed_position.hpp"
#include "gsim/exec/launch.hpp"
#include "gsim/exec/view.hpp"
#include "gsim/md/neighbour_lists/cluster_list.hpp"

namespace gsim::md {

/// The position and type of an atom for pair kernels: 16 bytes in float, 32 in double.
template <class Real>
struct alignas(16) PairRecord {
  typename PairIntegers<Real>::Position x[3], type;
};

/// How far an atom has moved since the lists were made.
enum ListAge : std::uint32_t {
  list_is_new = 0,
  list_is_aging = 1,  ///< farther than PackJob::aging2
  list_is_stale = 2   ///< farther than PackJob::allowed2
};

/// Status flags that kernels set and the host reads, in one copy a step.
struct FullListStatus {
  std::uint64_t
      overlap;        ///< the lowest id of an atom that overlaps with another one, or no_particle
  std::uint32_t age;  ///< the larger one of the ListAge of all atoms
  std::uint32_t longest;  ///< length of the longest row that exceeds the capacity, or 0
};

/// A grid of cells over the range of integer coordinates; cells are half as wide as the list
/// radius. Cells whose indices along every axis are equal modulo `bins`, which divides `cells`,
/// share a bin. A rank therefore needs bins for its own subdomain only, and periodic neighbours are
/// also neighbours modulo `bins`.
struct FullListGrid {
  std::uint32_t cells[3];
  std::uint32_t bins[3];
  /// Number of cells on either side that may contain atoms within the list radius.
  std::uint32_t reach[3];
};

/// Atoms sorted by bin. Those of bin b are records[first[b]] … records[first[b + 1] - 1], whose
/// `type` is the row of the atom.
struct BinnedRows {
  const std::int32_t* first;
  const PairRecord<float>* records;
};

/// The neighbours of row i: local ones in entries[i], entries[stride + i], …; ghosts, from the end
/// backwards, in entries[(capacity - 1) * stride + i], entries[(capacity - 2) * stride + i], …
struct NeighbourRows {
  std::int32_t* entries;
  std::int32_t* locals;  ///< number of local neighbours of each row
  std::int32_t* ghosts;  ///< number of ghost neighbours of each row
  Index stride;
  std::int32_t capacity;
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

/// Lists the neighbours of rows [0, rows) within sqrt(radius2). A row that exceeds the capacity
/// sets status->longest.
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

/// The common arguments of all passes over rows and their neighbours. Most passes are over the rows
/// [0, locals).
template <class Real>
struct FullListPass {
  const PairRecord<Real>* records;
  NeighbourRows list;
  Index locals;
  bool ghosts;  ///< the pass is over ghost neighbours, else over local ones
  Real box_matrix[6];
  const double* charges;    ///< null: no atom has a charge
  const std::int64_t* ids;  ///< null: the ids are the rows
  FullListStatus* status;
};

/// Adds the forces of one potential to `forces`. Members without a comment are those of
/// ClusterForceJob.
template <class Real>
struct FullForceJob : FullListPass<Real> {
  const Real* coefficients;
  Index row_length;
  std::int32_t types;
  bool smoothed;
  bool with_energy;
  const Real* data;
  Real energy_scale;
  std::uint32_t limit;  ///< largest allowed value, defined as ClusterForceJob::largest
  int force_shift;      ///< a quantum of this pass is 2^force_shift quanta of `forces`
  std::int64_t* forces;
  /// 7 sums in host memory, used if with_energy: energy and virial of each pair are added once for
  /// each of its rows in [0, locals), so twice for a pair of locals.
  ExactSum* sums;
  /// 7 numbers for each row, used if with_energy: energy and virial of the pairs of the row are
  /// added. May be null.
  std::int64_t* row_terms;
};

}  // namespace gsim::md

GSIM_DECLARE_LAUNCHER(full_list_pack_f32, md::PackJob<float>)
GSIM_DECLARE_LAUNCHER(full_list_pack_f64, md::PackJob<double>)
GSIM_DECLARE_LAUNCHER(full_list_count, md::BinCountJob)
GSIM_DECLARE_LAUNCHER(full_list_fill, md::BinFillJob)
GSIM_DECLARE_LAUNCHER(full_list_search, md::FullSearchJob)
