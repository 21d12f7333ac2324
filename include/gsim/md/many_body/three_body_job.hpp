#pragma once
// The arguments of the kernels of three-body potentials (three_body_potential.hpp) over full
// neighbour lists.

#include "gsim/md/neighbour_lists/full_list.hpp"

namespace gsim::md {

/// Maximum number of neighbours of an atom within the cutoff of a three-body potential.
inline constexpr int max_three_body_neighbours = 64;
/// The number of sums: energy of pairs, three-body energy, virial xx, yy, zz, xy, xz, yz.
inline constexpr int three_body_sums = 8;

/// One pass over the rows [first, first + count) as centres of triplets with their local and ghost
/// neighbours. Rows after those of locals are ghosts: the forces of their triplets on locals are
/// added, and their energies are counted by the rank that owns the centre.
template <class Real>
struct ThreeBodyForceJob : FullListPass<Real> {
  Index first, count;
  /// The coefficients of the potential, scaled so that its energies are in force quanta times the
  /// unit of length.
  const Real* coefficients;
  Real cutoff2;
  bool with_sums;
  Real energy_scale;  ///< number of energy quanta in a force quantum times the unit of length
  /// The largest allowed square of a force in force quanta: the high 32 bits of this number's
  /// representation as a Real.
  std::uint32_t max_squared_force_bits;
  int force_shift;       ///< a force quantum of this pass is 2^force_shift quanta of `forces`
  std::int64_t* forces;  ///< the forces on locals, to which the pass adds atomically
  /// If with_sums: twice the energies and the virial of the centres that are locals, since a pair
  /// is counted from both sides. In host memory.
  ExactSum* sums;
};

}  // namespace gsim::md

#define GSIM_DECLARE_THREE_BODY_LAUNCHERS(name)                                       \
  GSIM_DECLARE_LAUNCHER(three_body_forces_##name##_f32, md::ThreeBodyForceJob<float>) \
  GSIM_DECLARE_LAUNCHER(three_body_forces_##name##_f64, md::ThreeBodyForceJob<double>)
