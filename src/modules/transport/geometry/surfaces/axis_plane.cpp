#include "src/modules/transport/geometry/surfaces/surface_keys.hpp"

namespace gsim::transport {
namespace {

/// The plane across `form`'s axis.
SurfaceShape plane_across(Section& s, SurfaceForm form, const char* key) {
  double position = 0;
  s.required(key, position, {.doc = "where it cuts the axis", .unit = "cm"});
  return shape_of(form, {position});
}
SurfaceShape x_plane(Section& s) { return plane_across(s, SurfaceForm::x_plane, "x"); }
SurfaceShape y_plane(Section& s) { return plane_across(s, SurfaceForm::y_plane, "y"); }
SurfaceShape z_plane(Section& s) { return plane_across(s, SurfaceForm::z_plane, "z"); }

}  // namespace

void register_axis_plane(Registry& registry) {
  registry.extend(SurfaceKind{"x_plane", "positive where x is larger", x_plane});
  registry.extend(SurfaceKind{"y_plane", "positive where y is larger", y_plane});
  registry.extend(SurfaceKind{"z_plane", "positive where z is larger", z_plane});
}

}  // namespace gsim::transport
