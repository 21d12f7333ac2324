#pragma once
// The passes of a step with thermostats or a barostat. Half a kick while the box changes is
// v = decay v + kick f F along each axis; a thermostat's factor waits until the next pass that
// touches velocities anyway.

#include "gsim/md/barostats/kick_shape.hpp"
#include "gsim/random/philox.hpp"
#include "kernels/md/integrators/integrate.hpp"

namespace gsim::md {

/// A velocity becomes (v - shift) * factor, by motion class.
struct VelocityScale {
  double factor = 1;
  double shift[3] = {};
};

/// Langevin's part of a step, by motion class: v becomes memory v + noise R with standard normals
/// R. 1 and 0: nothing happens.
struct LangevinClass {
  double memory = 1;
  double noise = 0;
};

/// The kick that ends a step, and the sums of KineticSumsArgs.
struct KickSumsArgs {
  MovingParticles particles;
  View<const double> factor;  ///< by class, as in KickArgs
  KickShape shape;
  View<const double> mass_in_quanta;
  ExactSum* sums;
};

/// Velocities are scaled.
struct ScaleArgs {
  MovingParticles particles;
  View<const VelocityScale> scale;
};

/// A scale that was left from the last step, if there is one; kicks; a drift.
struct AdvanceArgs {
  MovingParticles particles;
  View<const double> factor;
  int halves = 1;                   ///< as in KickArgs; 2 only where the shape is 1 and 1
  KickShape shape;                  ///< of the last half
  View<const VelocityScale> scale;  ///< empty: none
  double advance[6];                ///< as in KickDriftArgs
  bool periodic[3];
  Faults* faults;
};

/// The same with Langevin's part in the middle of the drift: half a drift (`advance` is for half a
/// step), noise, and half a drift whose velocities count `later` times as much. Adds what it gives
/// to the atoms, sum of m (v'^2 - v^2), to `heat` in quanta. The normals of an atom have the
/// address (key, id, step, block 0).
struct AdvanceLangevinArgs {
  AdvanceArgs advance;
  double later[3] = {1, 1, 1};
  View<const LangevinClass> langevin;
  View<const double> mass_in_quanta;
  PhiloxKey key;
  std::uint64_t step = 0;
  ExactSum* heat;  ///< one, in host memory
};

}  // namespace gsim::md

GSIM_DECLARE_LAUNCHER(md_kick_sums, md::KickSumsArgs)
GSIM_DECLARE_LAUNCHER(md_scale, md::ScaleArgs)
GSIM_DECLARE_LAUNCHER(md_advance, md::AdvanceArgs)
GSIM_DECLARE_LAUNCHER(md_advance_langevin, md::AdvanceLangevinArgs)
