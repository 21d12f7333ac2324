#include "src/modules/md/pair_potentials/potential_kind.hpp"

#include <algorithm>

#include "gsim/core/error.hpp"
#include "kernels/md/pair_potentials/list.hpp"  // which the build writes: GsimPairPotentials.cmake

GSIM_PAIR_POTENTIALS(GSIM_DECLARE_PAIR_LAUNCHERS)

namespace gsim::md {

std::span<const PotentialKind> potential_kinds() {
#define GSIM_KIND(name, Potential) GSIM_PAIR_POTENTIAL(name, Potential),
  static const PotentialKind kinds[] = {GSIM_PAIR_POTENTIALS(GSIM_KIND)};
  return kinds;
}

const PotentialKind& potential_kind(std::string_view name) {
  const auto kinds = potential_kinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(),
                                  [&](const PotentialKind& kind) { return kind.name == name; });
  if (found == kinds.end()) throw Error("no pair potential of that name");
  return *found;
}

}  // namespace gsim::md
