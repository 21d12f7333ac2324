#pragma once
// What plugins bring to module transport.

#include <vector>

#include "gsim/engine/registry.hpp"
#include "gsim/transport/score_kind.hpp"
#include "gsim/transport/source_kind.hpp"
#include "gsim/transport/surface_kind.hpp"

namespace gsim::transport {

/// They must outlive what is made with them.
struct Extensions {
  std::vector<const SourceKind*> sources;
  std::vector<const SurfaceKind*> surfaces;
  std::vector<const ScoreKind*> scores;

  static Extensions of(const Registry& registry) {
    return {registry.all<SourceKind>(), registry.all<SurfaceKind>(), registry.all<ScoreKind>()};
  }
};

}  // namespace gsim::transport
