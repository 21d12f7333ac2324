#pragma once
// Conformance check of bonds and angles.

#include <string>

#include "gsim/md/bonded/bonded_kind.hpp"

namespace gsim::md {

/// Checks that the slope is the derivative of the energy for parameters near those of the example
/// of `kind`. Returns a description of the first difference, or an empty text.
std::string bond_problem(const BondKind& kind);
std::string angle_problem(const AngleKind& kind);

}  // namespace gsim::md
