#pragma once
// The kernels of the minimiser FIRE (src/modules/md/minimizers/fire.hpp). Forces are
// integers in units of the force quantum. Particles of atom classes with weight 0 do not move and
// do not contribute to the sums.

#include "kernels/md/integrators/integrate.hpp"

namespace gsim::md {

/// The largest |force|^2 and |velocity|^2 of all particles, as bit patterns of doubles, which for
/// values >= 0 are ordered like integers. The caller sets both to 0 before the launch.
struct FireLargest {
  std::int64_t force, velocity;
};
struct FireLargestArgs {
  MovingParticles particles;
  View<const double> weight;  ///< by atom class: 1 (moves) or 0 (frozen)
  FireLargest* largest;
};

/// Adds the dot products f.f, f.v and v.v of all particles to sums[0 … 2], in units of 2^-60. f is
/// the force times `per_force`, v the velocity times `per_velocity`; both have at most length 1.
struct FireSumsArgs {
  MovingParticles particles;
  View<const double> weight;
  double per_force, per_velocity;
  ExactSum* sums;  ///< 3, in host memory
};

/// The new velocity is v' = keep v + push f, with the force f in quanta. The displacement is
/// advance (v' + back v), where `advance` is the matrix of KickDriftArgs.
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
