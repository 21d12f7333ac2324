#pragma once
// The bond styles, angle styles and kinds of dihedrals that a configuration can name: those of gsim
// (kernels/md/bonded/{bonds,angles}, src/modules/md/bonded/dihedrals) and of plugins.

#include <vector>

#include "gsim/engine/registry.hpp"
#include "gsim/md/bonded/bonded_kind.hpp"
#include "gsim/md/bonded/dihedral_kind.hpp"

namespace gsim::md {

struct BondedKinds {
  std::vector<const BondKind*> bonds;
  std::vector<const AngleKind*> angles;
  std::vector<const DihedralKind*> dihedrals;
};

/// Registers gsim's own bonded kinds.
void register_bonded_kinds(Registry& registry);
/// The bonded kinds in a registry, which must outlive the result.
BondedKinds bonded_kinds(const Registry& registry);
/// gsim's own bonded kinds, without those of plugins.
const BondedKinds& builtin_bonded_kinds();

}  // namespace gsim::md
