#include "gsim/engine/registry.hpp"
#include "src/modules/md/many_body/eam_kinds/setfl.hpp"

namespace gsim::md {

void register_eam_alloy(Registry& registry) {
  registry.extend(EamKind{"eam.alloy", "setfl: tables of all elements in one file",
                          [](Section& s) { return describe_setfl(s, EamFormat::alloy); }});
}

}  // namespace gsim::md
