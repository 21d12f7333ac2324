#pragma once
// What goes wrong with single atoms, said to people.

#include <string>

#include "kernels/md/integrate.hpp"

namespace gsim::md {

/// Empty where nothing is wrong; else which atom, and what to try.
std::string message_of(const Faults& faults);

}  // namespace gsim::md
