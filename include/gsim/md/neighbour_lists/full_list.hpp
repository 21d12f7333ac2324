#pragma once
// Full neighbour lists: for every owned atom all atoms near it, locals and ghosts, one thread an
// atom. What a GPU computes pairs from; the same source runs on the host. Every pair is computed
// from both sides, with the same integers as over clusters (cluster_forces.hpp).

#include <cstdint>

#include "gsim/core/exact_sum.hpp"
#include "gsim/core/fixed_position.hpp"
#include "gsim/exec/launch.hpp"
#include "gsim/exec/view.hpp"
#include "gsim/md/neighbour_lists/cluster_list.hpp"

namespace gsim::md {

/// An atom as pair kernels read it: 16 bytes in float, 32 in double.
template <class Real>
struct alignas(16) PairRecord {
  typename PairIntegers<Real>::Position x[3], type;
};

/// What kernels tell the host, in one copy a step.
struct FullListWords {
  std::uint64_t overlap;  ///< the lowest id of an atom that another one overlaps, or no_particle
  std::uint32_t stale;    ///< not 0: an atom has moved farther than allowed
  std::uint32_t longest;  ///< atoms in the longest row that had no room, or 0
};

/// Cells of the box's integers. Many cells share a bin: those whose numbers along every axis are
/// the same modulo `bins`, which divides `cells`. So a rank needs bins for its own brick only, and
/// periodic neighbours are neighbours modulo `bins`, too.
struct CellGrid {
  std::uint32_t cells[3];
  std::uint32_t bins[3];
  std::uint32_t reach[3];  ///< cells to either side that may hold atoms within the lists' radius
};

/// Rows sorted by bin: those of bin b are rows[first[b]] … rows[first[b + 1] - 1].
struct BinnedRows {
  const std::int32_t* first;
  const std::int32_t* rows;
};

/// Neighbours of row i: locals in entries[i], entries[stride + i], …; ghosts from the far end,
/// entries[(capacity - 1) * stride + i], entries[(capacity - 2) * stride + i], …
struct NeighbourRows {
  std::int32_t* entries;
  std::int32_t* locals;  ///< how many of each
  std::int32_t* ghosts;
  Index stride;
  std::int32_t capacity;
};

/// Records of rows [first, first + count) from their positions; where `reference` is given, sets
/// words->stale if a row is farther than sqrt(allowed2) from there.
template <class Real>
struct PackJob {
  const FixedPosition* positions;
  const std::int32_t* types;  ///< null: all of type 0
  PairRecord<Real>* records;
  Index first, count;
  const PairRecord<float>* reference;
  float metric[6];  ///< Box::metric(32)
  float allowed2;
  FullListWords* words;
};

/// Counts rows [first, first + count) into counts[bin], which are 0 before; and the place that each
/// has in its bin, which depends on the order of threads.
struct BinCountJob {
  CellGrid grid;
  const PairRecord<float>* records;
  Index first, count;
  std::int32_t* counts;
  std::int32_t* places;
};

/// values[i] becomes the sum of those before it. `scratch` has room for values.size / 32 + 8.
struct ExclusiveScanJob {
  View<std::int32_t> values;
  std::int32_t* scratch;
};

/// Puts the rows where their bins begin.
struct BinFillJob {
  BinCountJob counted;
  const std::int32_t* first_of_bin;
  std::int32_t* rows;
};

/// Lists the neighbours of rows [0, rows) within sqrt(radius2). A row without room sets
/// words->longest.
struct FullSearchJob {
  CellGrid grid;
  const PairRecord<float>* records;
  Index rows;
  BinnedRows local_rows, ghost_rows;  ///< ghost_rows.first null: there are no ghosts
  float metric[6];
  float radius2;
  const Index* excluded_first;  ///< null: no exclusions; else of row i the excluded rows
  const std::int32_t* excluded;
  NeighbourRows list;
  FullListWords* words;
};

/// What every pass over rows and their neighbours reads; most are over [0, locals).
template <class Real>
struct FullListPass {
  const PairRecord<Real>* records;
  NeighbourRows list;
  Index locals;
  bool ghosts;  ///< the pass is over ghost neighbours, else over local ones
  Real metric[6];
  const double* charges;    ///< null: atoms have none
  const std::int64_t* ids;  ///< null: rows
  FullListWords* words;
};

/// One potential's forces, added to `forces`. Coefficients as in ClusterForceJob.
template <class Real>
struct FullForceJob : FullListPass<Real> {
  const Real* coefficients;
  Index row;
  std::int32_t types;
  bool smoothed;
  bool with_energy;
  const Real* data;
  Real energy_scale;
  std::uint32_t limit;  ///< of |F/r| or F^2, in quanta: the high word of its bits
  int force_shift;      ///< a quantum of this pass is 2^force_shift of those of `forces`
  std::int64_t* forces;
  /// Where with_energy: every pair's energy and virial are added, seen from rows [0, locals), so
  /// twice for a pair of locals. 7, in host memory.
  ExactSum* sums;
  /// Where with_energy: of each row, its pairs' energy and virial are added, 7 a row; null: not.
  std::int64_t* row_terms;
};

}  // namespace gsim::md

GSIM_DECLARE_LAUNCHER(full_list_pack_f32, md::PackJob<float>)
GSIM_DECLARE_LAUNCHER(full_list_pack_f64, md::PackJob<double>)
GSIM_DECLARE_LAUNCHER(full_list_count, md::BinCountJob)
GSIM_DECLARE_LAUNCHER(full_list_scan, md::ExclusiveScanJob)
GSIM_DECLARE_LAUNCHER(full_list_fill, md::BinFillJob)
GSIM_DECLARE_LAUNCHER(full_list_search, md::FullSearchJob)
