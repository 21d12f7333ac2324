#pragma once
// The kernels of the minimiser FIRE (src/modules/md/minimizers/fire.hpp). Forces are in quanta;
// particles of classes with weight 0 do not move and do not count.

#include "kernels/md/integrators/integrate.hpp"

namespace gsim::md {

/// The largest |force|^2 and |velocity|^2 of all particles, as the bit patterns of doubles, which
/// have the order of integers. They are 0 before.
struct FireLargest {
  std::int64_t force, velocity;
};
struct FireLargestArgs {
  MovingParticles particles;
  View<const double> weight;  ///< by class: 1, or 0
  FireLargest* largest;
};

/// sums[0 … 2] += (f f, f v, v v) in units of 2^-60, of forces times `per_force` and velocities
/// times `per_velocity`, which are at most 1 for every particle.
struct FireSumsArgs {
  MovingParticles particles;
  View<const double> weight;
  double per_force, per_velocity;
  ExactSum* sums;  ///< 3, in host memory
};

/// v' = keep v + push f; a particle moves by v' + back v, in units of `advance`.
struct FireMoveArgs {
  MovingParticles particles;
  View<const double> weight;
  double keep, push, back;
  double advance[6];
  bool periodic[3];
  Faults* faults;
};

}  // namespace gsim::md

GSIM_DECLARE_LAUNCHER(md_fire_largest, md::FireLargestArgs)
GSIM_DECLARE_LAUNCHER(md_fire_sums, md::FireSumsArgs)
GSIM_DECLARE_LAUNCHER(md_fire_move, md::FireMoveArgs)
