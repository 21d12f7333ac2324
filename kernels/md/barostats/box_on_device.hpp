#pragma once
// The time step of a barostat on a device, from kinetic sums and virials in its memory: the host
// need not wait for these.

#include "gsim/core/exact_sum.hpp"
#include "gsim/md/neighbour_lists/device_box.hpp"
#include "kernels/md/barostats/barostat_state.hpp"
#include "kernels/md/integrators/advance.hpp"

namespace gsim::md {

/// Sums of forces of one kind that kernels leave in device memory: an energy, then the virial xx,
/// yy, zz, xy, xz, yz.
struct DeviceSums {
  static constexpr int most = 8, count = 7;
  WideInteger* sums = nullptr;
  std::int32_t shift = 0;   ///< a unit of the sums is 2^shift energy quanta
  std::int32_t copies = 1;  ///< twice the virial is `copies` times the sum
};

/// The tail correction of pair potentials, by pairs of types (TailFunction::at).
struct DeviceTail {
  View<const double> pairs;     ///< numbers of pairs
  View<const double> pressure;  ///< the integrals of -u' r^3
};

/// What the forces of a run leave in device memory, and what they expect of its box.
struct DeviceForces {
  DeviceSums sums[DeviceSums::most];
  int kinds = 0;
  DeviceTail tail;
  double energy_quantum = 1;
  double listed[6] = {};        ///< Box::matrix(0) when the lists were made
  double cutoff = 0, skin = 0;  ///< of md_kernels::allowed_move()
  double least_width = 0;       ///< the box must be at least as wide as this along each axis
};

/// A barostat, the thermostat of the atoms and the box, in device memory.
struct BoxMemory {
  BarostatState barostat;
  ThermostatState thermostat;
  Vector3 lengths{}, tilts{};
  Vector3 kinetic{}, virial{};  ///< at the end of the last step
  ChangingBox step;             ///< the kicks and the drift of the present step
  DeviceBox box;                ///< after the drift of the present step
  /// The step in whose beginning a host reports an error; later steps do nothing. -1: none.
  Index failed_step = -1;
};

/// Ends a step, or begins one, or both.
struct BoxStepArgs {
  BoxMemory* memory;
  WideInteger* kinetic;  ///< the sums of KineticSumsArgs; set to zero at the end of a step
  DeviceForces forces;
  View<VelocityScale> scale;  ///< by class; receives the factor of the thermostat
  double kinetic_quantum;     ///< of the sums of m v v, in energy units
  double time_step;
  bool ends = false, begins = false;
  Index ended_step = 0, begun_step = 0;
  /// Targets at the end of a step, and at the beginning of one.
  double end_thermal = 0, end_pressure = 0, thermal = 0, pressure = 0;
};

}  // namespace gsim::md

GSIM_DECLARE_LAUNCHER(md_step_box, md::BoxStepArgs)
