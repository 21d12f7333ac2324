#pragma once
// The integration of particles with fixed-point forces and positions. Forces are integers in units
// of the force quantum (the resolution of the fixed-point numbers), positions are integers in units
// of 2^-64 of the box length. Velocity Verlet (W. C. Swope, H. C. Andersen, P. H. Berens and K. R.
// Wilson, J. Chem. Phys. 76 (1982) 637, Eq. 19-22, in its kick-drift-kick form) is half kick,
// drift, new forces, half kick.

#include <cstdint>

#include "gsim/core/exact_sum.hpp"
#include "gsim/core/fixed_position.hpp"
#include "gsim/exec/launch.hpp"
#include "gsim/exec/view.hpp"

namespace gsim::md {

/// The particles of the kernels below; element i of each view belongs to particle i.
struct MovingParticles {
  View<FixedPosition> position;
  View<std::int32_t> image;        ///< 3 per particle
  View<double> velocity;           ///< 3 per particle
  View<const std::int64_t> force;  ///< 3 per particle, in quanta
  View<const std::int32_t> type;   ///< the index of the atom class, in a run (Particles::moving())
  View<const std::int64_t> id;
};

/// v += factor[type] * force, `halves` (1 or 2) times. The last half kick of one step and the first
/// of the next are two separate additions, so that the result does not depend on whether the run is
/// stopped between them.
struct KickArgs {
  MovingParticles particles;
  View<const double>
      factor;  ///< by type: the change of velocity by one force quantum in half a step
  int halves = 1;
};

/// The lowest id of the particles with each fault, or no_particle. These particles are not moved.
struct Faults {
  /// The displacement is not finite, or is an eighth of an axis's integer range (2^64) or more.
  std::uint64_t too_fast;
  std::uint64_t lost;  ///< the particle would be more than half a box beyond an open face
};

/// The half kicks of KickArgs, then a drift: position += velocity times the time step.
struct KickDriftArgs {
  KickArgs kick;
  /// The matrix that converts velocities to the displacements of one step, in units of 2^-64 of the
  /// box lengths; upper triangular, in the order of Box::matrix: xx, yy, zz, xy, xz, yz.
  double advance[6];
  bool periodic[3];  ///< crossings of these axes are counted in `image`
  Faults* faults;
};

/// Kinetic sums in quanta, multiples of a fixed-point unit: sums[0 … 5] += m v v (xx, yy, zz, xy,
/// xz, yz), sums[6 … 8] += m v. Terms are limited to 2^62 quanta; health checks detect such fast
/// particles earlier.
struct KineticSumsArgs {
  MovingParticles particles;
  View<const double> mass_in_quanta;  ///< by type: m / unit
  ExactSum* sums;                     ///< 9, in host memory
  /// On a device, unless null: the sums are added to these 9 numbers in its memory instead, and the
  /// host does not wait.
  WideInteger* device_sums = nullptr;
};

}  // namespace gsim::md

GSIM_DECLARE_LAUNCHER(md_kick, md::KickArgs)
GSIM_DECLARE_LAUNCHER(md_kick_drift, md::KickDriftArgs)
GSIM_DECLARE_LAUNCHER(md_kinetic_sums, md::KineticSumsArgs)
