#include "src/modules/md/pair_potentials/potential_kind.hpp"

#include <algorithm>

#include "gsim/core/error.hpp"
#include "kernels/md/pair_potentials/list.hpp"  // written by the build: scripts/cmake/GsimMdParts.cmake

GSIM_PAIR_POTENTIALS(GSIM_DECLARE_PAIR_LAUNCHERS)

namespace gsim::md {

std::span<const PotentialKind> potential_kinds() {
#define GSIM_KIND(name, Potential) GSIM_PAIR_POTENTIAL(name, Potential),
  static const PotentialKind kinds[] = {GSIM_PAIR_POTENTIALS(GSIM_KIND)};
  return kinds;
}

void register_builtin_pair_potentials_kinds(Registry& registry);  // GsimBuiltinParts.cmake

void register_pair_kinds(Registry& registry) {
  for (const PotentialKind& kind : potential_kinds())
    if (!kind.is_charged && !kind.reads_data) registry.extend(kind);
  register_builtin_pair_potentials_kinds(registry);
}

const std::vector<const PotentialKind*>& builtin_pair_kinds() {
  static const Registry registry = [] {
    Registry registry;
    register_pair_kinds(registry);
    return registry;
  }();
  static const std::vector<const PotentialKind*> kinds = registry.all<PotentialKind>();
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
