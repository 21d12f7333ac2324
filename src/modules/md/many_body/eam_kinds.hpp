#pragma once
// The kinds of embedded-atom potentials that a configuration can name.

#include <vector>

#include "gsim/engine/registry.hpp"
#include "gsim/md/many_body/eam_kind.hpp"

namespace gsim::md {

/// Registers gsim's own kinds (src/modules/md/many_body/eam_kinds).
void register_eam_kinds(Registry& registry);
/// gsim's own kinds, without those of plugins.
const std::vector<const EamKind*>& builtin_eam_kinds();

}  // namespace gsim::md
