#pragma once
// The pair potentials of gsim (kernels/md/pair_potentials).

#include <span>
#include <string_view>
#include <vector>

#include "gsim/engine/registry.hpp"
#include "gsim/md/pair_potentials/potential_kind.hpp"

namespace gsim::md {

/// The kinds that have kernels, potentials between charges included.
std::span<const PotentialKind> potential_kinds();
/// Registers the kinds that configurations select in [[pair.potential]]: those that only have
/// parameters, and those with further keys (src/modules/md/pair_potentials/kinds).
void register_pair_kinds(Registry& registry);
/// The kinds that register_pair_kinds() registers.
const std::vector<const PotentialKind*>& builtin_pair_kinds();
/// The kind with kernels that has this name; it must exist.
const PotentialKind& potential_kind(std::string_view name);

}  // namespace gsim::md
