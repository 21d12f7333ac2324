#pragma once
// Thermostats whose time step can be computed on a device.

#include "gsim/md/thermostats/thermostat.hpp"
#include "kernels/md/thermostats/thermostat_state.hpp"

namespace gsim::md {

/// A thermostat that md_kernels::scale_group() computes, too, with the same bits: a run on a device
/// need not wait for kinetic energies.
class DeviceThermostat : public Thermostat {
 public:
  /// Copies the state of this object to that of a device, and back.
  virtual void copy_to(ThermostatState& state) const = 0;
  virtual void copy_from(const ThermostatState& state) = 0;
};

}  // namespace gsim::md
