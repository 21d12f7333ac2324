#pragma once
// The parts of a simulation that configurations choose by name: gsim's own and those of plugins.

#include <vector>

#include "gsim/engine/registry.hpp"
#include "gsim/md/barostats/barostat.hpp"
#include "gsim/md/bonded/bonded_kind.hpp"
#include "gsim/md/many_body/triplet_kind.hpp"
#include "gsim/md/observers/observer.hpp"
#include "gsim/md/pair_potentials/potential_kind.hpp"
#include "gsim/md/thermostats/thermostat.hpp"

namespace gsim::md {

/// The kinds must outlive the module that uses them.
struct Extensions {
  std::vector<const PotentialKind*> pairs;  ///< besides gsim's own
  std::vector<const TripletKind*> triplets;
  std::vector<const BondKind*> bonds;
  std::vector<const AngleKind*> angles;
  std::vector<const ObserverKind*> observers;
  std::vector<const ThermostatKind*> thermostats;
  std::vector<const BarostatKind*> barostats;
};

/// Registers gsim's own parts, one source each in the folders thermostats, barostats, ….
void register_builtin_parts(Registry& registry);

/// All parts of `registry`, which must outlive the result.
Extensions extensions_of(const Registry& registry);

/// gsim's own parts alone.
const Extensions& builtin_extensions();

}  // namespace gsim::md
