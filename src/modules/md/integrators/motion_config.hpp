#pragma once
// Reads [motion], [thermostat], [barostat] and [[group]], and makes the parts that they describe.

#include <memory>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/md/integrators/motion_config.hpp"

namespace gsim::md {

/// The integrators, thermostats and barostats that a configuration may choose.
struct MotionKinds {
  std::vector<const IntegratorKind*> integrators;
  std::vector<const ThermostatKind*> thermostats;
  std::vector<const BarostatKind*> barostats;
};

/// Describes and reads the four tables at the top level.
void describe_motion(Section& top, MotionConfig& config, const MotionKinds& kinds);

/// Checks the four tables against each other, in a run with these types of atoms. ConfigError.
void validate_motion(const MotionConfig& config, const std::vector<std::string>& types);

/// ConfigError where the time of a thermostat or barostat is too short for steps of `time_step`.
void check_times(const MotionConfig& config, double time_step);

/// ConfigError for a box that the barostat cannot change: one with an open axis, or a triclinic one
/// where each length changes by its own factor.
void check_barostat_box(const BarostatConfig& config, const Box& box);

/// The integrator of the atoms of `setup`. InputError for impossible settings; Error where its kind
/// returned none.
std::unique_ptr<Integrator> make_integrator(const MotionConfig& config,
                                            const IntegratorSetup& setup);
/// The thermostat that scales velocities of a group of atoms. Error where its kind returned none.
std::unique_ptr<Thermostat> make_thermostat(const ThermostatConfig& config,
                                            const ThermostatSetup& setup);
/// The barostat of the run. Error where its kind returned none.
std::unique_ptr<Barostat> make_barostat(const BarostatConfig& config, const BarostatSetup& setup);

}  // namespace gsim::md
