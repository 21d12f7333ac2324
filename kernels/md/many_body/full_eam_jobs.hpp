#pragma once
// The arguments of the passes of the embedded-atom method over full neighbour lists (full_eam.hpp):
// densities; from these -F' of every local, which is then sent to where the atom is a ghost;
// forces.

#include "gsim/md/neighbour_lists/full_list.hpp"
#include "kernels/md/many_body/eam_embedding.hpp"

namespace gsim::md {

template <class Real>
struct FullEamPass : FullListPass<Real> {
  const Four<Real>* table;  ///< EamDensityJob::table, one cubic after the other
  Real inverse_step;        ///< rows per length
  std::int32_t table_rows;  ///< of one pair of types
  std::int32_t types;       ///< 1: the types of atoms are not read
  Real cutoff2;
  std::uint32_t limit;  ///< of a pair's density, or its |F/r|, in quanta: the high 32 bits of its
                        ///< representation
  bool with_sums;
  /// Where with_sums: every pair counts once for each of its rows in [0, locals), that is, twice
  /// for a pair of locals. In host memory.
  ExactSum* sums;
};

/// Sets `densities` of all rows to the sums over local neighbours; or adds those over ghosts.
/// `sums`: the pair energy.
template <class Real>
struct FullEamDensityJob : FullEamPass<Real> {
  typename PairIntegers<Real>::Force* densities;  ///< in quanta
  Real energy_scale;  ///< energy quanta in minus a force quantum times a length
};

template <class Real>
struct FullEamEmbedJob {
  EamEmbedding embedding;
  const std::int32_t* types;
  const typename PairIntegers<Real>::Force* densities;
  Real* slopes;  ///< -F' of rows [0, locals)
  Index locals;
  bool with_sums;
  ExactSum* sums;  ///< twice the embedding energy
};

/// `sums`: the virial, xx, yy, zz, xy, xz, yz.
template <class Real>
struct FullEamForceJob : FullEamPass<Real> {
  const Real* slopes;  ///< of rows of locals and ghosts
  Real virial_scale;   ///< energy quanta in a force quantum times a length
  int force_shift;     ///< a quantum of this pass is 2^force_shift of those of `forces`
  std::int64_t* forces;
};

}  // namespace gsim::md

GSIM_DECLARE_LAUNCHER(full_eam_densities_f32, md::FullEamDensityJob<float>)
GSIM_DECLARE_LAUNCHER(full_eam_densities_f64, md::FullEamDensityJob<double>)
GSIM_DECLARE_LAUNCHER(full_eam_embed_f32, md::FullEamEmbedJob<float>)
GSIM_DECLARE_LAUNCHER(full_eam_embed_f64, md::FullEamEmbedJob<double>)
GSIM_DECLARE_LAUNCHER(full_eam_forces_f32, md::FullEamForceJob<float>)
GSIM_DECLARE_LAUNCHER(full_eam_forces_f64, md::FullEamForceJob<double>)
