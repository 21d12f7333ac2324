#pragma once
// How atoms shall move, as the configuration says it: [motion], [thermostat], [barostat],
// [[group]]. Lengths, times, temperatures and so on are in the simulation's own units
// (md/units.hpp).

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
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
enum class ThermostatKind { langevin, nose_hoover, bussi, plugin };
enum class BarostatKind { mtk, stochastic_cell_rescaling };
enum class Coupling { isotropic, xyz };

struct ThermostatConfig {
  ThermostatKind kind = ThermostatKind::langevin;
  Ramp temperature;
  double friction = 0;       ///< langevin, in 1/time
  MakeThermostat make = {};  ///< of all others
  SourceLocation where = {}, time_at = {};
};

struct BarostatConfig {
  BarostatKind kind = BarostatKind::mtk;
  Coupling coupling = Coupling::isotropic;
  Ramp pressure;
  double time = 0;             ///< how fast it takes hold
  double compressibility = 0;  ///< stochastic_cell_rescaling, in 1/pressure
  Index chain = 3;             ///< mtk: links of the piston's own thermostat
  SourceLocation where = {}, time_at = {}, coupling_at = {};
};

struct MinimiseConfig {
  double force_tolerance = 0;   ///< the run ends when no atom feels a larger force
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
  SourceLocation where = {};                   ///< of what says which atoms belong to it
};

inline constexpr std::size_t most_groups = 32;

struct MotionConfig {
  MotionKind kind = MotionKind::velocity_verlet;
  Index momentum_removal = 0;  ///< steps between removals; 0: never
  MinimiseConfig minimise;
  /// Of all atoms that move and have no thermostat of their group.
  std::optional<ThermostatConfig> thermostat;
  std::optional<BarostatConfig> barostat;
  std::vector<GroupConfig> groups;

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

/// ConfigError where a thermostat or barostat takes hold faster than steps of `time_step` allow.
void check_times(const MotionConfig& config, double time_step);

/// Describes and reads the four tables at the top level, of a run with these types of atoms; `more`
/// are thermostats of plugins.
void describe_motion(Section& top, const std::vector<std::string>& types, MotionConfig& config,
                     std::span<const ScalingThermostat* const> more = {});

}  // namespace gsim::md
