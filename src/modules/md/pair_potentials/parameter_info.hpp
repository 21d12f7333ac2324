#pragma once
// The parameters of potentials as keys of configurations.

#include <string>

#include "gsim/config/section.hpp"
#include "gsim/md/pair_potentials/pair_potential.hpp"

namespace gsim::md {

/// "energy length^6", "energy/length^2", "1/length"; empty for a number without a unit.
std::string unit_name(const ParameterUnit& unit);

/// Documentation, unit and range of the key of a parameter.
KeyInfo parameter_info(const PotentialParameter& parameter);

/// Why a value is out of the parameter's range, such as "not positive"; null where it is not.
const char* range_problem(const PotentialParameter& parameter, double value);

}  // namespace gsim::md
