#pragma once
// A potential's parameters as keys of configurations.

#include "gsim/config/section.hpp"
#include "gsim/md/potential.hpp"

namespace gsim::md {

/// What is said of the key of a parameter.
KeyInfo parameter_info(const PotentialParameter& parameter);

}  // namespace gsim::md
