#pragma once
// What plugins add to molecular dynamics.

#include <vector>

#include "gsim/md/bonded_kind.hpp"
#include "gsim/md/potential_kind.hpp"
#include "gsim/md/triplet_kind.hpp"
#include "gsim/modules/md/atom_observer.hpp"
#include "gsim/modules/md/thermostat.hpp"

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
