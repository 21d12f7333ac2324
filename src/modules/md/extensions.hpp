#pragma once
// What plugins add to molecular dynamics.

#include <vector>

#include "gsim/md/bonded/bonded_kind.hpp"
#include "gsim/md/many_body/triplet_kind.hpp"
#include "gsim/md/observers/atom_observer.hpp"
#include "gsim/md/pair_potentials/potential_kind.hpp"
#include "gsim/md/thermostats/thermostat.hpp"

namespace gsim::md {

/// They outlive the module that takes them in.
struct Extensions {
  std::vector<const PotentialKind*> pairs;  ///< besides gsim's own
  std::vector<const TripletKind*> triplets;
  std::vector<const BondKind*> bonds;
  std::vector<const AngleKind*> angles;
  std::vector<const AtomObserverKind*> observers;
  std::vector<const ScalingThermostat*> thermostats;  ///< besides gsim's own
};

}  // namespace gsim::md
