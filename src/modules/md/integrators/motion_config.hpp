#pragma once
// Integrator, thermostats, barostat and groups of atoms as configured: [motion], [thermostat],
// [barostat], [[group]]. Lengths, times, temperatures and so on are in the simulation's own units
// (md/units.hpp).

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/md/barostats/barostat.hpp"
#include "gsim/md/thermostats/thermostat.hpp"

namespace gsim::md {

/// A value that runs linearly from the beginning of the run to its end.
struct Ramp {
  double start = 0, end = 0;
  /// The value after `step` of `steps` steps; the end's where there are none.
  double at(Index step, Index steps) const {
    if (step >= steps) return end;
    return start + (end - start) * (static_cast<double>(step) / static_cast<double>(steps));
  }
};

enum class MotionKind { velocity_verlet, minimise };

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

struct MinimiseConfig {
  double force_tolerance = 0;   ///< the run ends when the force on every atom is smaller
  double max_displacement = 0;  ///< of an atom in one step
};

/// Atoms that all of the given marks fit, at the start.
struct GroupConfig {
  std::string name;
  std::vector<std::string> types;    ///< names; empty: any
  std::vector<Index> ids;            ///< {first, last}; empty: any
  std::vector<double> lower, upper;  ///< corners of a region; empty: anywhere
  bool frozen = false;
  std::optional<ThermostatConfig> thermostat;  ///< its own
  KeyLocations keys = {}, region_keys = {};
  SourceLocation where = {};  ///< of the key that selects the atoms
};

inline constexpr std::size_t max_groups = 32;

struct MotionConfig {
  MotionKind kind = MotionKind::velocity_verlet;
  Index momentum_removal = 0;  ///< steps between removals; 0: never
  MinimiseConfig minimise;
  /// Of all atoms that move and have no thermostat of their group.
  std::optional<ThermostatConfig> thermostat;
  std::optional<BarostatConfig> barostat;
  std::vector<GroupConfig> groups;
  KeyLocations keys = {};  ///< of the top level

  /// Whether a target changes over the steps of the run.
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

/// The thermostats and barostats that a configuration may choose.
struct CouplingKinds {
  std::vector<const ThermostatKind*> thermostats;
  std::vector<const BarostatKind*> barostats;
};

/// Describes and reads the four tables at the top level.
void describe_motion(Section& top, MotionConfig& config, const CouplingKinds& kinds);

/// Checks the four tables against each other, in a run with these types of atoms. ConfigError.
void validate_motion(const MotionConfig& config, const std::vector<std::string>& types);

/// ConfigError where the time of a thermostat or barostat is too short for steps of `time_step`.
void check_times(const MotionConfig& config, double time_step);

/// ConfigError for a box that the barostat cannot change: one with an open axis, or a triclinic one
/// where each length changes by its own factor.
void check_barostat_box(const BarostatConfig& config, const Box& box);

/// The thermostat that scales velocities of a group of atoms. Error where its kind returned none.
std::unique_ptr<Thermostat> make_thermostat(const ThermostatConfig& config,
                                            const ThermostatSetup& setup);
/// The barostat of the run. Error where its kind returned none.
std::unique_ptr<Barostat> make_barostat(const BarostatConfig& config, const BarostatSetup& setup);

}  // namespace gsim::md
