#include "src/modules/md/bonded/bonded_kinds.hpp"

#include "kernels/md/bonded/list.hpp"  // written by the build: scripts/cmake/GsimMdParts.cmake

#define GSIM_DECLARE(name, Style) GSIM_DECLARE_BOND(name)
GSIM_BONDS(GSIM_DECLARE)
#undef GSIM_DECLARE
#define GSIM_DECLARE(name, Style) GSIM_DECLARE_ANGLE(name)
GSIM_ANGLES(GSIM_DECLARE)
#undef GSIM_DECLARE

namespace gsim::md {

void register_builtin_bonded_dihedrals(Registry& registry);  // scripts/cmake/GsimBuiltinParts.cmake

void register_bonded_kinds(Registry& registry) {
#define GSIM_EXTEND(name, Style) registry.extend(GSIM_BOND(name, Style));
  GSIM_BONDS(GSIM_EXTEND)
#undef GSIM_EXTEND
#define GSIM_EXTEND(name, Style) registry.extend(GSIM_ANGLE(name, Style));
  GSIM_ANGLES(GSIM_EXTEND)
#undef GSIM_EXTEND
  register_builtin_bonded_dihedrals(registry);
}

BondedKinds bonded_kinds(const Registry& registry) {
  return {registry.all<BondKind>(), registry.all<AngleKind>(), registry.all<DihedralKind>()};
}

const BondedKinds& builtin_bonded_kinds() {
  static const Registry registry = [] {
    Registry builtin;
    register_bonded_kinds(builtin);
    return builtin;
  }();
  static const BondedKinds kinds = bonded_kinds(registry);
  return kinds;
}

}  // namespace gsim::md
