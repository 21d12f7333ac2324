#include "src/modules/md/many_body/eam_kinds.hpp"

namespace gsim::md {

void register_builtin_many_body_eam_kinds(Registry& registry);  // GsimBuiltinParts.cmake

void register_eam_kinds(Registry& registry) { register_builtin_many_body_eam_kinds(registry); }

const std::vector<const EamKind*>& builtin_eam_kinds() {
  static const Registry registry = [] {
    Registry builtin;
    register_eam_kinds(builtin);
    return builtin;
  }();
  static const std::vector<const EamKind*> kinds = registry.all<EamKind>();
  return kinds;
}

}  // namespace gsim::md
