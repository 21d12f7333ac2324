#pragma once
// Temperature-coupling groups: sets of moving atoms with a common thermostat.

#include <span>
#include <vector>

#include "gsim/md/integrators/integrator.hpp"
#include "src/modules/md/integrators/motion_config.hpp"

namespace gsim::md {

struct CouplingGroup {
  int group = -1;  ///< index of the [[group]] with a thermostat; -1: [thermostat], or none
  const ThermostatConfig* thermostat = nullptr;  ///< or null; belongs to the configuration
  Index atoms = 0;                               ///< number of its atoms
  double mass = 0;                               ///< of all its atoms
  double freedom = 0;                            ///< degrees of freedom
};

struct CouplingGroups {
  std::vector<CouplingGroup> list;
  std::vector<int> of_class;      ///< by atom class: index into the list; -1: frozen
  bool is_momentum_kept = false;  ///< the total momentum is conserved
  double freedom = 0;             ///< degrees of freedom of all groups

  bool is_frozen(std::size_t atom_class) const { return of_class[atom_class] < 0; }
};

/// The temperature-coupling groups of a configuration. A group has three degrees of freedom per
/// atom; where nothing changes the total momentum (no frozen atoms, no Langevin thermostat, one
/// group, forces that add up to zero: `is_momentum_kept`), three fewer. ConfigError if no atom
/// moves, a thermostat acts on no atom, or an atom has two thermostats.
CouplingGroups make_coupling_groups(const MotionConfig& config, std::span<const AtomClass> classes,
                                    bool is_momentum_kept);

}  // namespace gsim::md
