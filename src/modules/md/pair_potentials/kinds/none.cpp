// The declaration that two types of atoms do not interact.

#include "src/modules/md/pair_potentials/potential_kind.hpp"

namespace gsim::md {

void register_none(Registry& registry) {
  PotentialKind kind;
  kind.name = "none";
  kind.doc = "no potential";
  kind.describe = [](Section&, double) -> MakePairPotential {
    return [](const Section&) { return PairPotential{}; };
  };
  registry.extend(kind);
}

}  // namespace gsim::md
