#pragma once
// The record of a kind of surface, a value of `kind` in [[surface]]. The built-in kinds
// (src/modules/transport/geometry/surfaces) and those of plugins are registered through it. A
// surface is given by f(x, y, z) = 0 with a polynomial f up to the fourth degree, which is positive
// on one side. The kind computes f from its keys; gsim computes where flights cross the surface, on
// hosts and devices, so that a kind needs no kernel:
//
//   SurfaceShape describe_ball(gsim::Section& s) {
//     double radius = 1;
//     s.required("radius", radius, {.doc = "radius of the ball", .unit = "cm"});
//     const auto [x, y, z] = gsim::transport::coordinates();
//     return {{}, x * x + y * y + z * z - radius * radius};
//   }
//   registry.extend(gsim::transport::SurfaceKind{.name = "ball", .doc = "positive outside",
//                                                .describe = describe_ball, .example = example});
//
// A configuration then has [[surface]] kind = "ball", radius = ….

#include <array>
#include <optional>
#include <string_view>

#include "gsim/math/vector3.hpp"
#include "gsim/transport/polynomial.hpp"
#include "gsim/transport/surface_form.hpp"

namespace gsim {
class Section;
}

namespace gsim::transport {

struct SurfaceShape {
  /// The origin of the coordinates of f, in cm; near the surface, to limit rounding errors of f.
  Vector3 centre;
  Polynomial f;  ///< of the position relative to the centre; of degree 1 at least
  /// If set, the surface has this form with the parameters p, centre and f are not used, and
  /// tracking finds crossings faster than for a polynomial. Must not be quadric or quartic: gsim
  /// sets these forms itself if f is given.
  std::optional<SurfaceForm> form = {};
  std::array<double, 6> p{};
};

struct SurfaceKind {
  static constexpr char extends[] = "surface", module[] = "transport";  // Registry::extend
  /// `name`: the value of `kind`, unique among surfaces. `doc`: one line that says which side is
  /// positive.
  std::string_view name, doc;
  /// Describes the keys beside name, kind and boundary, and returns the surface with their values.
  /// Also called without values, to print the schema; the returned surface is then not used.
  SurfaceShape (*describe)(Section& section) = nullptr;
  /// Checks what describe() returned, and keys that depend on one another; ConfigError
  /// (Section::fail). Called after describe() where there are values. Null: nothing is checked.
  void (*validate)(const Section& section, const SurfaceShape& shape) = nullptr;
  /// A complete configuration of module transport with such a surface that runs within seconds.
  std::string_view example = {};

  /// The name of a required member that is not set (Registry::Extension); null: none.
  const char* missing() const { return describe != nullptr ? nullptr : "describe"; }
};

}  // namespace gsim::transport
