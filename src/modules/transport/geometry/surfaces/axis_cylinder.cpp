#include "src/modules/transport/geometry/surfaces/surface_keys.hpp"

namespace gsim::transport {
namespace {

/// A cylinder along an axis; `plane`: the other two coordinates.
SurfaceShape cylinder_along(Section& s, SurfaceForm form, const std::string& plane) {
  const auto centre =
      read_vector(s, "center", "position of the axis in " + plane, 2, KeyUse::optional);
  const double radius = read_radius(s, "radius", "radius of the cylinder");
  return shape_of(form, {centre[0], centre[1], radius * radius});
}
SurfaceShape x_cylinder(Section& s) {
  return cylinder_along(s, SurfaceForm::x_cylinder, "y and z");
}
SurfaceShape y_cylinder(Section& s) {
  return cylinder_along(s, SurfaceForm::y_cylinder, "x and z");
}
SurfaceShape z_cylinder(Section& s) {
  return cylinder_along(s, SurfaceForm::z_cylinder, "x and y");
}

}  // namespace

void register_axis_cylinder(Registry& registry) {
  registry.extend(
      SurfaceKind{"x_cylinder", "an infinite cylinder along x, positive outside", x_cylinder});
  registry.extend(
      SurfaceKind{"y_cylinder", "an infinite cylinder along y, positive outside", y_cylinder});
  registry.extend(
      SurfaceKind{"z_cylinder", "an infinite cylinder along z, positive outside", z_cylinder});
}

}  // namespace gsim::transport
