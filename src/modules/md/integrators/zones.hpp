#pragma once
// Zones: sets of moving atoms with a common thermostat.

#include <span>
#include <vector>

#include "src/modules/md/integrators/motion.hpp"
#include "src/modules/md/integrators/motion_config.hpp"

namespace gsim::md {

struct Zone {
  int group = -1;  ///< group with a thermostat of its own; -1: that of the top level, or none
  const ThermostatConfig* thermostat = nullptr;  ///< or null; belongs to the configuration
  Index atoms = 0;
  double mass = 0;
  double freedom = 0;  ///< degrees of freedom
};

struct Zones {
  std::vector<Zone> list;
  std::vector<int> of_class;      ///< index into the list; -1: frozen
  bool is_momentum_kept = false;  ///< the total momentum is conserved
  double freedom = 0;             ///< of all

  bool is_frozen(std::size_t motion_class) const { return of_class[motion_class] < 0; }
};

/// The zones of a configuration. A zone has three degrees of freedom an atom; where nothing changes
/// the total momentum (no frozen atoms, no Langevin thermostat, one zone, forces that add up to
/// zero: `is_momentum_kept`), three fewer. ConfigError where no atom moves, a thermostat has no
/// atom, or atoms have two.
Zones make_zones(const MotionConfig& config, std::span<const MotionClass> classes,
                 bool is_momentum_kept);

}  // namespace gsim::md
