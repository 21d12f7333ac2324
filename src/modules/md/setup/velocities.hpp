#pragma once
// Initial velocities from Maxwell's distribution. Random numbers are addressed by atom, so that
// velocities do not depend on the distribution of atoms over ranks.

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
  bool exact_temperature = true;  ///< scale to exactly the given temperature
  Index degrees_of_freedom = 0;   ///< for the temperature; 0: 3N - 3 with zero momentum, else 3N
};

/// Applies `adjustment` to the velocities of the atoms of all ranks, with the same bits for every
/// distribution over ranks. Collective. Throws InputError if an exact temperature above 0 cannot be
/// reached: all velocities are zero, or zero_momentum is set and there is a single atom.
void adjust_velocities(const Communicator& communicator, double temperature, const Units& units,
                       const VelocityAdjustment& adjustment, std::span<const double> masses,
                       std::span<Vector3> velocities);

}  // namespace gsim::md
