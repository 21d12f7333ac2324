#pragma once
// [push_off]: separation of overlapping atoms before the first step. As in the slow push-off of
// melts by R. Auhl, R. Everaers, G. S. Grest, K. Kremer and S. J. Plimpton, J. Chem. Phys. 119
// (2003) 12718, pair potentials are replaced by a bounded repulsive potential whose height
// increases from stage to stage, while bonded forces act; here each stage is an energy
// minimisation.

#include <cstddef>
#include <vector>

#include "src/modules/md/integrators/groups.hpp"
#include "src/modules/md/setup/assembly.hpp"

namespace gsim::md {

void describe_push_off(Section& s, PushOffConfig& config);

/// The soft repulsive potential: between atoms of two types a Gaussian of height `energy` (0: twice
/// the force of their potential in the run at `distance`, times `distance`) which ends smoothly at
/// `distance` (0: the distance that corresponds to sigma of Lennard-Jones); no potential between
/// types that may overlap. `potentials`: those of the run, or null. InputError where neither the
/// configuration nor the potentials give a distance.
PairTable push_off_table(const PushOffConfig& config, const MdConfig& run,
                         const PairTable* potentials);

/// The run whose atoms are pushed apart.
struct PushOffSetup {
  const Context& context;
  const MdConfig& config;
  const StartSystem& system;
  const Assembly& assembly;
  const Classification& classes;
};

/// Positions and image flags of this rank's atoms (a contiguous range of ids), as the bytes of
/// their columns.
struct Places {
  std::vector<std::byte> position, image;
  /// Copies both to the columns of the particles, which fill_particles() has distributed by id.
  void put(Particles& particles) const;
};

/// Whether push_off_table() can derive a distance from the potentials.
bool has_contacts(const PairTable& table);
/// Pushes the system's atoms apart; frozen atoms do not move. Results are the same for any number
/// of ranks. Collective; InputError as push_off_table(), NumericalError where the minimiser fails.
Places push_off(const PushOffConfig& config, const PushOffSetup& setup);

}  // namespace gsim::md
