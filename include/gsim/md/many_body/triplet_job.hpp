#pragma once
// The arguments of the kernels of three-body potentials (triplet_potential.hpp) over full neighbour
// lists.

#include "gsim/md/neighbour_lists/full_list.hpp"

namespace gsim::md {

/// The most neighbours that an atom may have within the cutoff of a three-body potential.
inline constexpr int max_triplet_neighbours = 64;
/// The number of sums: energy of pairs, energy of triplets, virial xx, yy, zz, xy, xz, yz.
inline constexpr int triplet_sums = 8;

/// One pass over the rows [first, first + count) as centres of triplets with their local and ghost
/// neighbours. Rows behind the locals are ghosts: the forces of their triplets on locals are added,
/// and their energies are counted by the rank that owns the centre.
template <class Real>
struct TripletForceJob : FullListPass<Real> {
  Index first, count;
  const Real* coefficients;  ///< of energies in force quanta times a length
  Real cutoff2;
  bool with_sums;
  Real energy_scale;  ///< energy quanta in a force quantum times a length
  std::uint32_t
      limit;        ///< of the square of a force, in quanta: the high 32 bits of its representation
  int force_shift;  ///< a quantum of this pass is 2^force_shift of those of `forces`
  std::int64_t* forces;  ///< of locals; added to atomically
  /// Where with_sums, of centres that are locals: twice the energies and virial, since a pair is
  /// counted from both sides. In host memory.
  ExactSum* sums;
};

}  // namespace gsim::md

#define GSIM_DECLARE_TRIPLET_LAUNCHERS(name)                                     \
  GSIM_DECLARE_LAUNCHER(triplet_forces_##name##_f32, md::TripletForceJob<float>) \
  GSIM_DECLARE_LAUNCHER(triplet_forces_##name##_f64, md::TripletForceJob<double>)
