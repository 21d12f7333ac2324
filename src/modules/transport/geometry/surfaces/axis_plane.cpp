#include "src/modules/transport/geometry/surfaces/surface_keys.hpp"

namespace gsim::transport {
namespace {

/// The plane perpendicular to the axis of `form`.
SurfaceShape perpendicular_plane(Section& s, SurfaceForm form, const char* key) {
  double position = 0;
  s.required(key, position, {.doc = "position of the plane on the axis", .unit = "cm"});
  return shape_of(form, {position});
}
SurfaceShape x_plane(Section& s) { return perpendicular_plane(s, SurfaceForm::x_plane, "x"); }
SurfaceShape y_plane(Section& s) { return perpendicular_plane(s, SurfaceForm::y_plane, "y"); }
SurfaceShape z_plane(Section& s) { return perpendicular_plane(s, SurfaceForm::z_plane, "z"); }

}  // namespace

void register_axis_plane(Registry& registry) {
  registry.extend(
      SurfaceKind{"x_plane", "a plane perpendicular to x, positive at larger x", x_plane});
  registry.extend(
      SurfaceKind{"y_plane", "a plane perpendicular to y, positive at larger y", y_plane});
  registry.extend(
      SurfaceKind{"z_plane", "a plane perpendicular to z, positive at larger z", z_plane});
}

}  // namespace gsim::transport
