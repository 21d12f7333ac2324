#pragma once
// The passes of the minimiser FIRE (src/modules/md/minimizers/fire.hpp). Forces are in quanta;
// classes with weight 0 stay where they are and count nowhere.

#include "kernels/md/integrators/integrate.hpp"

namespace gsim::md {

/// The largest |force|^2 and |velocity|^2 of any particle, as the bits of doubles, which sort like
/// integers. They start as 0.
struct FireLargest {
  std::int64_t force, velocity;
};
struct FireLargestArgs {
  MovingParticles particles;
  View<const double> weight;  ///< by class: 1, or 0
  FireLargest* largest;
};

/// sums[0 … 2] += (f f, f v, v v) in 2^-60, of forces times `per_force` and velocities times
/// `per_velocity`, which bring every particle's to 1 at most.
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
