#pragma once
// The parts of a simulation that configurations choose by name: gsim's own and those of plugins.

#include <vector>

#include "gsim/engine/registry.hpp"
#include "gsim/md/barostats/barostat.hpp"
#include "gsim/md/integrators/integrator.hpp"
#include "gsim/md/many_body/three_body_kind.hpp"
#include "gsim/md/observers/observer.hpp"
#include "gsim/md/thermostats/thermostat.hpp"
#include "src/modules/md/bonded/bonded_kinds.hpp"
#include "src/modules/md/many_body/eam_kinds.hpp"
#include "src/modules/md/pair_potentials/potential_kind.hpp"

namespace gsim::md {

/// The kinds must outlive the module that uses them.
struct Extensions {
  std::vector<const PotentialKind*> pairs;
  std::vector<const EamKind*> eam;
  std::vector<const ThreeBodyKind*> three_body;
  BondedKinds bonded;
  std::vector<const ObserverKind*> observers;
  std::vector<const IntegratorKind*> integrators;
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
