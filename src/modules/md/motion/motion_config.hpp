#pragma once
// How atoms shall move, as the configuration says it: [motion], [thermostat], [barostat],
// [[group]].

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"

namespace gsim::md {

/// A value that runs linearly from the beginning of the run to its end.
struct Ramp {
  double start = 0, end = 0;
  /// The value after `step` of `steps` steps.
  double at(Index step, Index steps) const {
    return steps > 0
               ? start + (end - start) * (static_cast<double>(step) / static_cast<double>(steps))
               : start;
  }
};

enum class MotionKind { velocity_verlet, minimise };
enum class ThermostatKind { langevin, nose_hoover, bussi };
enum class BarostatKind { mtk, stochastic_cell_rescaling };
enum class Coupling { isotropic, xyz };

struct ThermostatConfig {
  ThermostatKind kind = ThermostatKind::bussi;
  Ramp temperature;
  double time = 0;      ///< nose_hoover, bussi
  double friction = 0;  ///< langevin, 1/time
  Index chain = 3;      ///< nose_hoover
};

struct BarostatConfig {
  BarostatKind kind = BarostatKind::stochastic_cell_rescaling;
  Ramp pressure;
  double time = 0;
  double compressibility = 0;  ///< 1/pressure; stochastic_cell_rescaling
  Coupling coupling = Coupling::isotropic;
  Index chain = 3;  ///< mtk: thermostats of the piston
};

struct MinimiseConfig {
  double force_tolerance = 0;   ///< ends the run when no atom feels a larger force
  double max_displacement = 0;  ///< of an atom in one step
};

struct GroupConfig {
  std::string name;
  std::vector<std::string> types;    ///< names of atom types; empty: any
  Index first_id = 0, last_id = -1;  ///< ids in this range, last included; last < first: any
  bool has_region = false;           ///< in the box between two corners, at the start
  std::vector<double> lower, upper;
  bool frozen = false;
  std::optional<ThermostatConfig> thermostat;  ///< its own
};

struct MotionConfig {
  MotionKind kind = MotionKind::velocity_verlet;
  Index momentum_removal = 0;  ///< steps between removals; 0: never
  MinimiseConfig minimise;
  /// Of all atoms that move and have no thermostat of their group.
  std::optional<ThermostatConfig> thermostat;
  std::optional<BarostatConfig> barostat;
  std::vector<GroupConfig> groups;
};

}  // namespace gsim::md
