#pragma once
// Thermostats that act on a set of atoms through its kinetic energy alone: once a step they say by
// which factor velocities are scaled. All quantities are in energy units and replicated: every rank
// computes the same.

#include <cstdint>
#include <memory>
#include <string>

#include "gsim/core/types.hpp"
#include "gsim/io/dataset.hpp"
#include "src/modules/md/motion/motion_config.hpp"

namespace gsim::md {

class Thermostat {
 public:
  virtual ~Thermostat() = default;

  /// One time step of the thermostat's own motion: the factor for velocities whose sum of m v^2 is
  /// `twice_kinetic`, at kB T = `thermal` > 0, in step `step`.
  virtual double scale(double twice_kinetic, double thermal, Index step) = 0;
  /// The thermostat's part of the conserved quantity: what it has taken from the atoms so far, kept
  /// in its own motion or gone. Counted so that a ramp of the temperature conserves it, too.
  virtual double energy() const = 0;

  virtual void save(DatasetWriter& writer, const std::string& path) const = 0;
  virtual void restore(DatasetReader& reader, const std::string& path) = 0;
};

/// The thermostat of `config` (nose_hoover or bussi) for `freedom` > 0 degrees of freedom;
/// `entity` tells its random numbers from those of others.
std::unique_ptr<Thermostat> make_thermostat(const ThermostatConfig& config, double freedom,
                                            double time_step, std::uint64_t seed,
                                            std::uint64_t entity);

}  // namespace gsim::md
