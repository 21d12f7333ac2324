#pragma once
// A plugin's thermostat, whose answers are looked at before atoms feel them.

#include <memory>
#include <string>

#include "gsim/md/thermostats/thermostat.hpp"

namespace gsim::md {

/// What `make` makes, under its name: Error where that is nothing. Its scale() is a NumericalError
/// where the factor is not positive or not finite, its energy() where it is not finite.
MakeThermostat sound_thermostat(std::string name, MakeThermostat make);

}  // namespace gsim::md
