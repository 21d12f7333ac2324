#pragma once
// The pair potentials of gsim itself (kernels/md/potentials).

#include <span>
#include <string_view>

#include "gsim/md/pair_potentials/potential_kind.hpp"

namespace gsim::md {

std::span<const PotentialKind> potential_kinds();
/// The kind of that name, which exists.
const PotentialKind& potential_kind(std::string_view name);

}  // namespace gsim::md
