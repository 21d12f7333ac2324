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

/// The potential that pushes: between atoms of two types a Gaussian of `energy` (0: twice the force
/// of their own potential at that distance, times it) which ends smoothly at `distance` (0: where
/// their own potential has as much left as Lennard-Jones at sigma). None where they may lie on top
/// of each other. InputError where nothing says how far atoms are to be pushed apart.
PairTable push_off_table(const PushOffConfig& config, const MdConfig& run, const PairTable* own);

/// What pushing needs of the run.
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
  /// Into the columns that fill_particles() has filled.
  void put(Particles& particles) const;
};

/// Whether push_off_table() knows of potentials how far they push.
bool has_contacts(const PairTable& table);
/// Pushes the system's atoms apart. Frozen atoms stay. The same at any number of ranks. Collective;
/// InputError as push_off_table(), NumericalError when it goes wrong.
Places push_off(const PushOffConfig& config, const PushOffSetup& setup);

}  // namespace gsim::md
