#pragma once
// Integrator, thermostats, barostat and groups of atoms as configured: [motion], [thermostat],
// [barostat], [[group]]. Lengths, times, temperatures and so on are in the simulation's own units
// (md/units.hpp).

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gsim/config/location.hpp"
#include "gsim/md/barostats/barostat.hpp"
#include "gsim/md/integrators/integrator.hpp"
#include "gsim/md/thermostats/thermostat.hpp"

namespace gsim::md {

/// A value that changes linearly from the first step of the run to the last.
struct Ramp {
  double start = 0, end = 0;
  /// The value after `step` of `steps` steps; `end` if there are no steps.
  double at(Index step, Index steps) const {
    if (step >= steps) return end;
    return start + (end - start) * (static_cast<double>(step) / static_cast<double>(steps));
  }
};

struct ThermostatConfig {
  std::string kind;  ///< ThermostatKind::name
  Ramp temperature;
  ThermostatPlan plan = {};
  SourceLocation where = {}, time_at = {};

  bool is_langevin() const { return plan.friction > 0; }
};

struct BarostatConfig {
  std::string kind;  ///< BarostatKind::name
  Coupling coupling = Coupling::isotropic;
  Ramp pressure;
  BarostatPlan plan = {};
  SourceLocation where = {}, time_at = {}, coupling_at = {};
};

/// A group of the atoms that match all of types, ids and region in the initial configuration.
struct GroupConfig {
  std::string name;
  std::vector<std::string> types;    ///< names; empty: any
  std::vector<Index> ids;            ///< {first, last}; empty: any
  std::vector<double> lower, upper;  ///< corners of a region; empty: anywhere
  bool frozen = false;
  std::optional<ThermostatConfig> thermostat;  ///< replaces [thermostat] for the group
  KeyLocations keys = {}, region_keys = {};
  SourceLocation where = {};  ///< location of the key that selects the atoms
};

inline constexpr std::size_t max_groups = 32;  ///< number of bits of AtomClass::groups

/// Whether atoms of the class do not move.
inline bool is_frozen(std::span<const GroupConfig> groups, const AtomClass& atom_class) {
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (groups[g].frozen && (atom_class.groups >> g & 1) != 0) return true;
  return false;
}

struct MotionConfig {
  std::string kind = "velocity_verlet";  ///< IntegratorKind::name
  IntegratorPlan plan = velocity_verlet();
  Index momentum_removal = 0;  ///< steps between removals; 0: never
  /// The thermostat of all atoms that are not frozen and not in a group with a thermostat.
  std::optional<ThermostatConfig> thermostat;
  std::optional<BarostatConfig> barostat;
  std::vector<GroupConfig> groups;
  KeyLocations keys = {};  ///< locations of the keys of the top level

  /// Whether a target temperature or pressure changes over the run.
  bool has_ramp() const {
    const auto changes = [](const std::optional<ThermostatConfig>& t) {
      return t && t->temperature.start != t->temperature.end;
    };
    return changes(thermostat) ||
           (barostat && barostat->pressure.start != barostat->pressure.end) ||
           std::any_of(groups.begin(), groups.end(),
                       [&](const GroupConfig& g) { return changes(g.thermostat); });
  }
};

}  // namespace gsim::md
