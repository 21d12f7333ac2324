#pragma once
// The thermostats of gsim itself that scale velocities, on the interface that plugins' have.

#include <span>

#include "gsim/md/thermostats/thermostat.hpp"

namespace gsim::md {

/// nose_hoover, bussi.
std::span<const ScalingThermostat> scaling_thermostats();

/// A chain of `links` whose temperature swings over `time`.
MakeThermostat nose_hoover_chain(double time, Index links);
/// Stochastic velocity rescaling, with the time in which the kinetic energy forgets its value.
MakeThermostat bussi_thermostat(double time);

}  // namespace gsim::md
