#pragma once
// What goes wrong with single atoms, said to people.

#include <string>
#include <vector>

#include "kernels/md/integrate.hpp"

namespace gsim::md {

/// Empty where nothing is wrong; else which atom, and what to try. `given_ids`: as MotionSetup
/// says.
std::string message_of(const Faults& faults, const std::vector<Index>* given_ids);

}  // namespace gsim::md
