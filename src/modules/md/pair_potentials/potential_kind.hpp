#pragma once
// The pair potentials of gsim (kernels/md/pair_potentials).

#include <span>
#include <string_view>
#include <vector>

#include "gsim/engine/registry.hpp"
#include "gsim/md/pair_potentials/potential_kind.hpp"

namespace gsim::md {

/// Those with kernels, potentials between charges included.
std::span<const PotentialKind> potential_kinds();
/// Registers those that configurations name as kinds of [[pair.potential]]: potentials of their
/// parameters alone, and those with keys of their own (src/modules/md/pair_potentials/kinds).
void register_pair_kinds(Registry& registry);
/// Those that register_pair_kinds() registers.
const std::vector<const PotentialKind*>& builtin_pair_kinds();
/// The kind of that name with kernels, which must exist.
const PotentialKind& potential_kind(std::string_view name);

}  // namespace gsim::md
