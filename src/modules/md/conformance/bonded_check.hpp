#pragma once
// What bonds and angles must satisfy (conformance check).

#include <string>

#include "gsim/md/bonded/bonded_kind.hpp"

namespace gsim::md {

/// Whether the slope is the derivative of the energy, for parameters near those of the kind's
/// example: a description of the first difference, or an empty text.
std::string bond_problem(const BondKind& kind);
std::string angle_problem(const AngleKind& kind);

}  // namespace gsim::md
