#pragma once
// The initial state of a run: atoms and velocities.

#include "gsim/md/observers/observer.hpp"
#include "gsim/md/units.hpp"
#include "src/modules/md/integrators/groups.hpp"
#include "src/modules/md/long_range/charge_sums.hpp"
#include "src/modules/md/setup/start_config.hpp"

namespace gsim::md {

/// Gives each rank the atoms of its part of the ids (partition), wherever they are in the box:
/// positions, image flags, types, charges, molecules, atom classes from `classes`, and
/// velocities. Velocities are those of the initial configuration, or random ones at the temperature
/// of `config` for all atoms that are not frozen. `degrees_of_freedom`: the number of degrees of
/// freedom in the definition of this temperature. Collective.
void fill_particles(const Communicator& communicator, const StartSystem& system,
                    const StartConfig& config, const Units& units, std::uint64_t seed,
                    const Classification& classes, std::span<const GroupConfig> groups,
                    Index degrees_of_freedom, Particles& particles);

/// The atom classes of the system, and those of the atoms that fill_particles() gives this rank.
/// Collective. InputError for a group without atoms.
Classification classify_start(const Communicator& communicator, const StartSystem& system,
                              const StartConfig& config, std::span<const GroupConfig> groups);

/// Sums of the charges that fill_particles() gives to all atoms. Collective.
ChargeSums start_charges(const Communicator& communicator, const StartSystem& system,
                         const StartConfig& config);

}  // namespace gsim::md
