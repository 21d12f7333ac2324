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
#include "gsim/md/neighbour_lists/device_box.hpp"

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

/// Status flags that kernels set and the host reads.
struct FullListStatus {
  std::uint64_t
      overlap;        ///< the lowest id of an atom that overlaps with another one, or no_particle
  std::uint32_t age;  ///< the larger one of the ListAge of all atoms
  std::uint32_t longest;  ///< length of the longest row that exceeds the capacity, or 0
  /// Sum of the lengths of every 64th row, in all searches so far.
  std::uint64_t neighbours;
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

/// The common arguments of all passes over rows and their neighbours. Most passes are over the rows
/// [0, locals).
template <class Real>
struct FullListPass {
  const PairRecord<Real>* records;
  /// The records of the neighbours, by row. Those of ghosts may be elsewhere than `records`, where
  /// other ranks have written them.
  const PairRecord<Real>* neighbours;
  NeighbourRows list;
  Index locals;
  bool ghosts;  ///< the pass is over ghost neighbours, else over local ones
  Real box_matrix[6];
  const double* charges;    ///< null: no atom has a charge
  const std::int64_t* ids;  ///< null: the ids are the rows
  FullListStatus* status;
  /// Unless null, the box of passes that also compute energies and virials, in place of box_matrix.
  const DeviceBox* device_box = nullptr;
};

/// Adds the forces of one potential to `forces`, or replaces these. Members without a comment are
/// those of ClusterForceJob.
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
  /// The bits of `forces` to which the forces are added: all, or none, so that they replace them. A
  /// mask, for which kernels need fewer registers than for a condition.
  std::int64_t kept;
  /// 7 sums in host memory, used if with_energy: energy and virial of each pair are added once for
  /// each of its rows in [0, locals), so twice for a pair of locals.
  ExactSum* sums;
  /// On a device, unless null: the sums are added to these 7 numbers in its memory instead, and the
  /// host does not wait.
  WideInteger* device_sums = nullptr;
  /// 7 numbers for each row, used if with_energy: energy and virial of the pairs of the row are
  /// added. May be null.
  std::int64_t* row_terms;
};

}  // namespace gsim::md
