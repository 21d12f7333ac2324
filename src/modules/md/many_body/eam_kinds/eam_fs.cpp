#include "gsim/engine/registry.hpp"
#include "src/modules/md/many_body/eam_kinds/setfl.hpp"

namespace gsim::md {

void register_eam_fs(Registry& registry) {
  registry.extend(EamKind{
      "eam.fs", "setfl with densities that depend on both elements of a pair (Finnis-Sinclair)",
      [](Section& s) { return describe_setfl(s, EamFormat::fs); }});
}

}  // namespace gsim::md
