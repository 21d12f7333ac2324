#pragma once
// A kind of surface: what [[surface]] kind = "…" may name. The built-in kinds
// (src/modules/transport/ geometry/surfaces) and those of plugins are registered through this
// record. The simplest surface is f(x, y, z) = 0 of a polynomial up to the fourth degree, positive
// on one side. gsim computes where flights cross it on hosts and devices; the kind computes the
// polynomial from its keys and needs no kernel:
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

#include <array>
#include <optional>
#include <string_view>

#include "gsim/transport/polynomial.hpp"
#include "gsim/transport/surface_form.hpp"
#include "gsim/transport/vector3.hpp"

namespace gsim {
class Section;
}

namespace gsim::transport {

struct SurfaceShape {
  /// The origin of the coordinates of f, in cm; near the surface, so that f keeps its digits.
  Vector3 centre;
  Polynomial f;  ///< of the position relative to the centre; of degree 1 at least
  /// Set: the surface has this form with the parameters p, which tracking solves faster than a
  /// polynomial; centre and f are not read. Neither quadric nor quartic: they follow from f.
  std::optional<SurfaceForm> form = {};
  std::array<double, 6> p{};
};

struct SurfaceKind {
  static constexpr char extends[] = "surface", module[] = "transport";  // Registry::extend
  /// `name`: the value of `kind`, unique among surfaces. `doc`: one line that says which side is
  /// positive.
  std::string_view name, doc;
  /// Describes the keys beside name, kind and boundary, and returns the surface that they give.
  /// While Section::describing() any shape of the kind will do.
  SurfaceShape (*describe)(Section& section) = nullptr;
  /// A complete configuration of module transport with such a surface that runs within seconds.
  std::string_view example = {};

  /// What the record lacks (Registry::Extension); null: nothing.
  const char* missing() const { return describe != nullptr ? nullptr : "describe"; }
};

}  // namespace gsim::transport
