#pragma once
// The parts that module transport consists of, gsim's own and those of plugins, which are
// registered in the same way.

#include <vector>

#include "gsim/engine/registry.hpp"
#include "gsim/transport/filter_kind.hpp"
#include "gsim/transport/score_kind.hpp"
#include "gsim/transport/surface_kind.hpp"
#include "src/modules/transport/sources/source_config.hpp"

namespace gsim::transport {

/// Registers gsim's own parts.
void register_builtin_parts(Registry& registry);

/// Pointers to the records of a registry, which must outlive them.
struct Extensions {
  SourceParts sources;
  std::vector<const SurfaceKind*> surfaces;
  std::vector<const ScoreKind*> scores;
  std::vector<const FilterKind*> filters;  ///< in ascending order of FilterKind::position

  static Extensions of(const Registry& registry);
  /// The records of gsim's own parts, without those of plugins.
  static const Extensions& builtin();
};

}  // namespace gsim::transport
