#pragma once
// The pair potentials of gsim (kernels/md/pair_potentials).

#include <span>
#include <string_view>
#include <vector>

#include "gsim/md/pair_potentials/potential_kind.hpp"

namespace gsim::md {

std::span<const PotentialKind> potential_kinds();
/// Those among them that configurations name as kinds of [[pair.potential]]: all but the potentials
/// between charges.
const std::vector<const PotentialKind*>& builtin_pair_kinds();
/// The kind of that name, which must exist.
const PotentialKind& potential_kind(std::string_view name);

}  // namespace gsim::md
