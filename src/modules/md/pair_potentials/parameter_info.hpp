#pragma once
// A potential's parameters as keys of configurations.

#include <string>

#include "gsim/config/section.hpp"
#include "gsim/md/pair_potentials/pair_potential.hpp"

namespace gsim::md {

/// "energy length^6", "energy/length^2", "1/length"; empty for a number without a unit.
std::string unit_name(const ParameterUnit& unit);

/// What is said of the key of a parameter.
KeyInfo parameter_info(const PotentialParameter& parameter);

}  // namespace gsim::md
