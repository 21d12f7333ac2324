#pragma once
// What a barostat reads, and how it changes a step.

#include "gsim/math/vector3.hpp"
#include "gsim/md/barostats/half_kick.hpp"

namespace gsim::md {

/// The state of the system at the end of a step, by axes x, y and z.
struct PressureState {
  Vector3 kinetic{};    ///< sum of m v_a^2
  Vector3 virial{};     ///< sum of r_a F_a
  Vector3 lengths{};    ///< box lengths
  double thermal = 0;   ///< kB T
  double pressure = 0;  ///< target, energy per volume
  GSIM_HD double volume() const { return lengths[0] * lengths[1] * lengths[2]; }
};

/// The beginning of a step: half a kick, a drift, a new box.
struct BoxStep {
  HalfKick kick;
  /// A velocity v moves atoms by drift v dt / L, in fractions of the length L before the step.
  Vector3 drift{1, 1, 1};
  /// half_drift is `drift` for the first half of the step; the second half has second_half_factor *
  /// half_drift.
  Vector3 half_drift{1, 1, 1}, second_half_factor{1, 1, 1};
  Vector3 stretch{1, 1, 1};  ///< scaling factors of the box lengths in this step
};

}  // namespace gsim::md
