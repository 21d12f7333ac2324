#pragma once
// The configuration of a whole molecular dynamics run.

#include "gsim/config/section.hpp"
#include "gsim/md/units.hpp"
#include "src/modules/md/bonded/bonded_config.hpp"
#include "src/modules/md/extensions.hpp"
#include "src/modules/md/integrators/motion_config.hpp"
#include "src/modules/md/many_body/eam_config.hpp"
#include "src/modules/md/many_body/three_body_config.hpp"
#include "src/modules/md/neighbour_lists/pair_atoms.hpp"
#include "src/modules/md/observers/observe_config.hpp"
#include "src/modules/md/pair_potentials/pair_config.hpp"
#include "src/modules/md/sampling/thermo_table.hpp"
#include "src/modules/md/setup/start_config.hpp"
#include "src/modules/md/simulation/domain.hpp"
#include "src/modules/md/trajectories/trajectory_config.hpp"

namespace gsim::md {

/// [push_off]
struct PushOffConfig {
  double distance = 0, energy = 0;  ///< 0: derived from the potentials
  double max_displacement = 0;      ///< of an atom in one step; 0: derived from `distance`
  Index steps = 1000;
};

struct MdConfig {
  KeyLocations keys;  ///< locations of the keys of the top level
  UnitSystem units = UnitSystem::lj;
  Index steps = 0;
  double time_step = 0;
  PairPrecision precision = PairPrecision::mixed;
  double skin = 0;  ///< 0: the default of the system of units
  StartConfig start;
  bool pushes_off = false;  ///< the configuration contains [push_off]
  PushOffConfig push_off;
  PairConfig pairs;
  bool has_eam = false;  ///< [eam] in place of pair potentials
  EamConfig eam;
  std::string eam_warning;      ///< the text of mass_warning(), or empty
  bool has_three_body = false;  ///< [triplet] in place of pair potentials
  ThreeBodyConfig three_body;
  BondedConfig bonded;
  MotionConfig motion;
  ThermoConfig thermo;
  std::vector<ObserveConfig> observe;
  std::vector<TrajectoryConfig> trajectories;
  BalanceConfig balance;
};

/// Describes, and while reading fills, all of the module's keys. `parts`: the extensions that
/// configurations may select by name; they must outlive `config`.
void describe_md(Section& top, MdConfig& config, const Extensions& parts = builtin_extensions());

/// Checks across tables, and masses that an embedded-atom potential gives, after the whole
/// configuration was read. ConfigError.
void validate_md(MdConfig& config);

}  // namespace gsim::md
