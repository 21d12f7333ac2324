#pragma once
// A kind of surface that a plugin brings: f(x, y, z) = 0 of a polynomial up to the fourth degree,
// positive on one side. gsim finds where flights cross it, on whatever the run is on; a plugin says
// which polynomial its keys mean, and needs no kernel:
//
//   SurfaceShape describe_ball(gsim::Section& s) {
//     double radius = 1;
//     s.required("radius", radius, {.doc = "of the ball", .unit = "cm"});
//     const auto [x, y, z] = gsim::transport::coordinates();
//     return {{}, x * x + y * y + z * z - radius * radius};
//   }
//   registry.extend(gsim::transport::SurfaceKind{"ball", "positive outside", describe_ball,
//   example});
//
// A configuration has it as [[surface]] kind = "ball", radius = ….

#include <string_view>

#include "gsim/transport/polynomial.hpp"
#include "gsim/transport/vector3.hpp"

namespace gsim {
class Section;
}

namespace gsim::transport {

struct SurfaceShape {
  Vector3 centre;  ///< cm; from which f counts: of the shape, so that f loses no digits
  Polynomial f;    ///< of the position from the centre; of degree 1 at least
};

struct SurfaceKind {
  static constexpr char extends[] = "surface", module[] = "transport";  // Registry::extend
  /// `name`: none of gsim's own. `doc`: which side is positive.
  std::string_view name, doc;
  /// Describes the keys beside name, kind and boundary. While Section::describing() any shape of
  /// the kind will do.
  SurfaceShape (*describe)(Section& section) = nullptr;
  /// A whole configuration of module transport with it, that runs within seconds.
  std::string_view example = {};

  /// What it lacks (Registry::Extension).
  const char* missing() const { return describe != nullptr ? nullptr : "describe"; }
};

}  // namespace gsim::transport
