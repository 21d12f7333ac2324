#include "src/modules/transport/geometry/surfaces/surface_keys.hpp"

namespace gsim::transport {
namespace {

SurfaceShape describe_sphere(Section& s) {
  const Vector3 centre = read_point(s, "center", "centre of the sphere");
  const double radius = read_radius(s, "radius", "radius of the sphere");
  return shape_of(SurfaceForm::sphere, {centre.x, centre.y, centre.z, radius * radius});
}

}  // namespace

void register_sphere(Registry& registry) {
  registry.extend(SurfaceKind{"sphere", "a sphere, positive outside", describe_sphere});
}

}  // namespace gsim::transport
