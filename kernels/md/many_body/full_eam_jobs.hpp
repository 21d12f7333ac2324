#pragma once
// The arguments of the three passes of the embedded-atom method over full neighbour lists
// (full_eam.hpp): densities; the derivatives -F' of the embedding energy of every local atom, which
// are then sent to the ranks on which the atom is a ghost; forces.

#include "gsim/md/neighbour_lists/full_list.hpp"
#include "kernels/md/many_body/eam_embedding.hpp"

namespace gsim::md {

template <class Real>
struct FullEamPass : FullListPass<Real> {
  const Four<Real>* table;  ///< EamDensityJob::table, one cubic after the other
  Real inverse_step;        ///< rows per length
  std::int32_t table_rows;  ///< rows of one pair of types
  std::int32_t types;       ///< 1: the types of atoms are not read
  Real cutoff2;
  std::uint32_t limit;  ///< largest allowed density, or |F/r|, of a pair in quanta: the high 32
                        ///< bits of its representation
  bool with_sums;
  /// Used if with_sums; in host memory. A pair is counted once for each of its atoms in rows
  /// [0, locals), so a pair of local atoms is counted twice.
  ExactSum* sums;
  WideInteger* device_sums = nullptr;  ///< as FullForceJob::device_sums
};

/// Sets `densities` of all rows to the sums over local neighbours, or adds the sums over ghosts.
/// `sums` receives the pair energy.
template <class Real>
struct FullEamDensityJob : FullEamPass<Real> {
  typename PairIntegers<Real>::Force* densities;  ///< in quanta
  Real energy_scale;  ///< converts minus a force quantum times length to energy quanta
};

template <class Real>
struct FullEamEmbedJob {
  EamEmbedding embedding;
  const std::int32_t* types;
  const typename PairIntegers<Real>::Force* densities;
  Real* slopes;  ///< -F' of rows [0, locals)
  Index locals;
  bool with_sums;
  ExactSum* sums;                      ///< twice the embedding energy
  WideInteger* device_sums = nullptr;  ///< as FullForceJob::device_sums
};

/// `sums`: the virial, xx, yy, zz, xy, xz, yz.
template <class Real>
struct FullEamForceJob : FullEamPass<Real> {
  const Real* slopes;  ///< -F' of locals and ghosts, by row
  Real virial_scale;   ///< converts a force quantum times length to energy quanta
  int force_shift;     ///< a force quantum of this pass is 2^force_shift quanta of `forces`
  std::int64_t* forces;
  std::int64_t kept;  ///< as FullForceJob::kept
};

}  // namespace gsim::md

GSIM_DECLARE_LAUNCHER(full_eam_densities_f32, md::FullEamDensityJob<float>)
GSIM_DECLARE_LAUNCHER(full_eam_densities_f64, md::FullEamDensityJob<double>)
GSIM_DECLARE_LAUNCHER(full_eam_embed_f32, md::FullEamEmbedJob<float>)
GSIM_DECLARE_LAUNCHER(full_eam_embed_f64, md::FullEamEmbedJob<double>)
GSIM_DECLARE_LAUNCHER(full_eam_forces_f32, md::FullEamForceJob<float>)
GSIM_DECLARE_LAUNCHER(full_eam_forces_f64, md::FullEamForceJob<double>)
