#pragma once
// First velocities: Maxwell's distribution, addressed by atom, so that they do not depend on how
// atoms are spread over ranks.

#include <cstdint>
#include <span>

#include "gsim/comm/communicator.hpp"
#include "gsim/domain/box.hpp"
#include "gsim/md/units.hpp"

namespace gsim::md {

/// Velocities of the atoms with indices `ids` and the given masses at temperature T: each component
/// is normal with variance kB T / m (Maxwell 1860).
void draw_velocities(std::uint64_t seed, double temperature, const Units& units,
                     std::span<const std::int64_t> ids, std::span<const double> masses,
                     std::span<Vector3> velocities);

struct VelocityAdjustment {
  bool zero_momentum = true;      ///< subtract the velocity of the centre of mass
  bool exact_temperature = true;  ///< scale to the temperature itself
  Index degrees_of_freedom = 0;   ///< for the temperature; 0: 3N - 3 with zero momentum, else 3N
};

/// Makes the velocities of all ranks' atoms what `adjustment` says; the same bits however atoms are
/// spread over ranks. Collective. InputError where one atom alone shall have a temperature and no
/// momentum.
void adjust_velocities(const Communicator& communicator, double temperature, const Units& units,
                       const VelocityAdjustment& adjustment, std::span<const double> masses,
                       std::span<Vector3> velocities);

}  // namespace gsim::md
