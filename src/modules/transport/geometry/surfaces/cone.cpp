#include "src/modules/transport/geometry/surfaces/surface_keys.hpp"

namespace gsim::transport {
namespace {

SurfaceShape describe_cone(Section& s) {
  const Vector3 apex = read_point(s, "apex", "apex, where both halves of the cone meet");
  const AxisVector axis = read_axis(s, "axis", "direction of the axis");
  return axial_quadric(apex, axis.direction, 1 + read_squared_tangent(s), 0);
}

}  // namespace

void register_cone(Registry& registry) {
  registry.extend(SurfaceKind{"cone", "a double cone about any axis, positive outside",
                              describe_cone, validate_cone_angle});
}

}  // namespace gsim::transport
