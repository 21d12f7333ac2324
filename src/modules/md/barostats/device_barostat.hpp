#pragma once
// Barostats whose time step can be computed on a device.

#include "gsim/md/barostats/barostat.hpp"
#include "kernels/md/barostats/barostat_state.hpp"

namespace gsim::md {

/// A barostat that md_kernels::begin_step() and end_step() compute, too, with the same bits: a run
/// on a device need not wait for the pressure.
class DeviceBarostat : public Barostat {
 public:
  /// Copies the state of this object to that of a device, and back.
  virtual void copy_to(BarostatState& state) const = 0;
  virtual void copy_from(const BarostatState& state) = 0;
};

}  // namespace gsim::md
