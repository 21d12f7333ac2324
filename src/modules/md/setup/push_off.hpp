#pragma once
// [push_off]: before the first step, atoms that overlap are pushed apart. As in the slow push-off
// of melts by R. Auhl, R. Everaers, G. S. Grest, K. Kremer and S. J. Plimpton, J. Chem. Phys. 119
// (2003) 12718, pairs repel each other by a potential that has no pole and grows stage by stage,
// while bonds hold; here the minimiser finds the minimum of each stage.

#include <cstddef>
#include <vector>

#include "src/modules/md/integrators/groups.hpp"
#include "src/modules/md/setup/assembly.hpp"

namespace gsim::md {

void describe_push_off(Section& s, PushOffConfig& config);

/// The soft repulsive potential: between atoms of two types a Gaussian of height `energy` (0: twice
/// the force of their own potential at `distance`, times `distance`) which ends smoothly at
/// `distance` (0: where their own potential corresponds to Lennard-Jones at sigma). None between
/// types that may overlap. InputError where neither the configuration nor the potentials give a
/// distance.
PairTable push_off_table(const PushOffConfig& config, const MdConfig& run, const PairTable* own);

/// The run whose atoms are pushed apart.
struct PushOffSetup {
  const Context& context;
  const MdConfig& config;
  const StartSystem& system;
  const Assembly& assembly;
  const Classification& classes;
};

/// Positions and images of this rank's part of the atoms (partition of ids), byte by byte.
struct Places {
  std::vector<std::byte> position, image;
  /// Copies them into the columns that fill_particles() has filled.
  void put(Particles& particles) const;
};

/// Whether the potentials give a distance to push_off_table().
bool has_contacts(const PairTable& table);
/// Pushes the system's atoms apart. Frozen atoms stay. The same at any number of ranks. Collective;
/// InputError as push_off_table(), NumericalError where the minimiser fails.
Places push_off(const PushOffConfig& config, const PushOffSetup& setup);

}  // namespace gsim::md
