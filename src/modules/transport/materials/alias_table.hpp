#pragma once
// Construction of alias tables (kernels/transport/materials/alias_table.hpp).

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/transport/materials/alias_table.hpp"

namespace gsim::transport {

/// An alias table over outcomes 0 … n - 1 with probabilities proportional to `weights`, which are
/// finite, not negative and not all 0. Slot i's first outcome is i. Outcomes of weight 0 are never
/// drawn.
std::vector<AliasSlot> make_alias_table(std::span<const double> weights);

}  // namespace gsim::transport
