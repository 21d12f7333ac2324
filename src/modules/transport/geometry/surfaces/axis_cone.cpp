#include "src/modules/transport/geometry/surfaces/surface_keys.hpp"

namespace gsim::transport {
namespace {

/// A double cone along an axis.
SurfaceShape cone_along(Section& s, SurfaceForm form) {
  const Vector3 apex = read_point(s, "apex", "apex, where both halves of the cone meet");
  return shape_of(form, {apex.x, apex.y, apex.z, read_squared_tangent(s)});
}
SurfaceShape x_cone(Section& s) { return cone_along(s, SurfaceForm::x_cone); }
SurfaceShape y_cone(Section& s) { return cone_along(s, SurfaceForm::y_cone); }
SurfaceShape z_cone(Section& s) { return cone_along(s, SurfaceForm::z_cone); }

}  // namespace

void register_axis_cone(Registry& registry) {
  registry.extend(SurfaceKind{"x_cone", "a double cone along x, positive outside", x_cone,
                              validate_cone_angle});
  registry.extend(SurfaceKind{"y_cone", "a double cone along y, positive outside", y_cone,
                              validate_cone_angle});
  registry.extend(SurfaceKind{"z_cone", "a double cone along z, positive outside", z_cone,
                              validate_cone_angle});
}

}  // namespace gsim::transport
