#pragma once
// The kernels of a time step with thermostats or a barostat. Along each axis a half kick while a
// barostat changes the box is v = decay v + kick factor F (HalfKick). The velocity scaling of a
// thermostat is applied by the next kernel that changes velocities.

#include "gsim/md/barostats/half_kick.hpp"
#include "gsim/random/philox.hpp"
#include "kernels/md/integrators/integrate.hpp"

namespace gsim::md {

/// The scaling of velocities, v = (v - shift) factor, by atom class.
struct VelocityScale {
  double factor = 1;
  double shift[3] = {};
};

/// The thermostat part of a Langevin step, by atom class: v = decay v + noise R with standard
/// normals R. decay = 1 and noise = 0 mean no thermostat.
struct LangevinClass {
  double decay = 1;
  double noise = 0;
  friend bool operator==(const LangevinClass&, const LangevinClass&) = default;
};

/// The kicks and the drift of a step in a box that a barostat on a device changes, in its memory.
/// They replace those of the arguments of kernels.
struct ChangingBox {
  HalfKick kick, end_kick;
  double advance[6] = {}, half_advance[6] = {};  ///< as in KickDriftArgs, of a step and half of it
  double second_half_factor[3] = {1, 1, 1};
};

/// The second half kick of a step, and the sums of KineticSumsArgs.
struct KickSumsArgs {
  MovingParticles particles;
  View<const double> factor;  ///< by class, as in KickArgs
  HalfKick half_kick;
  View<const double> mass_in_quanta;
  ExactSum* sums;
  WideInteger* device_sums = nullptr;  ///< as in KineticSumsArgs
  const ChangingBox* box = nullptr;    ///< on a device, with device_sums; null: a constant box
};

/// Scales velocities.
struct ScaleArgs {
  MovingParticles particles;
  View<const VelocityScale> scale;
};

/// Applies the pending scaling of the last step, if there is one, then half kicks and a drift.
struct AdvanceArgs {
  MovingParticles particles;
  View<const double> factor;
  int halves = 1;  ///< as in KickArgs; 2 only if all decay and kick factors of `half_kick` are 1
  HalfKick half_kick;               ///< the last of the half kicks
  View<const VelocityScale> scale;  ///< empty: none
  double advance[6];                ///< as in KickDriftArgs
  bool periodic[3];
  Faults* faults;
  const ChangingBox* box = nullptr;  ///< on a device; null: the members above
};

/// AdvanceArgs with the thermostat part in the middle of the drift: half a drift (`advance` is that
/// of half a step), the Langevin update, and half a drift with velocities multiplied by
/// `second_half_factor`. Adds the energy that the thermostat gives to the atoms, sum of m (v'^2 -
/// v^2), to *heat in energy quanta. The normals of an atom are drawn at the Philox address (key,
/// id, step, block 0).
struct AdvanceLangevinArgs {
  AdvanceArgs advance;
  double second_half_factor[3] = {1, 1, 1};
  View<const LangevinClass> langevin;
  View<const double> mass_in_quanta;
  PhiloxKey key;
  std::uint64_t step = 0;
  WideInteger* heat;  ///< in executor memory
};

}  // namespace gsim::md

GSIM_DECLARE_LAUNCHER(md_kick_sums, md::KickSumsArgs)
GSIM_DECLARE_LAUNCHER(md_scale, md::ScaleArgs)
GSIM_DECLARE_LAUNCHER(md_advance, md::AdvanceArgs)
GSIM_DECLARE_LAUNCHER(md_advance_langevin, md::AdvanceLangevinArgs)
