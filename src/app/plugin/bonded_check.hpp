#pragma once
// What bonds and angles must keep: gsim plugin check.

#include <string>

#include "gsim/md/bonded/bonded_kind.hpp"

namespace gsim::app {

/// What is wrong with the slope, which must be that of the energy, for parameters near those of the
/// kind's example; empty: nothing.
std::string bond_problem(const md::BondKind& kind);
std::string angle_problem(const md::AngleKind& kind);

}  // namespace gsim::app
