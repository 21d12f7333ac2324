#include "src/modules/transport/geometry/surfaces/surface_keys.hpp"

namespace gsim::transport {
namespace {

SurfaceShape describe_cylinder(Section& s) {
  const Vector3 point = read_point(s, "center", "a point of the axis");
  const AxisVector axis = read_axis(s, "axis", "direction of the axis");
  const double radius = read_radius(s, "radius", "radius of the cylinder");
  return axial_quadric(point, axis.direction, 1, radius * radius);
}

}  // namespace

void register_cylinder(Registry& registry) {
  registry.extend(SurfaceKind{"cylinder", "an infinite cylinder about any axis, positive outside",
                              describe_cylinder});
}

}  // namespace gsim::transport
