#include "src/modules/transport/geometry/surfaces/surface_keys.hpp"

namespace gsim::transport {
namespace {

SurfaceShape describe_plane(Section& s) {
  const AxisVector n = read_axis(s, "normal", "normal vector (a, b, c), towards the positive side");
  double offset = 0;
  s.required("offset", offset, {.doc = "d of a x + b y + c z = d", .unit = "cm"});
  return shape_of(SurfaceForm::plane,
                  {n.direction.x, n.direction.y, n.direction.z, offset / n.length});
}

}  // namespace

void register_plane(Registry& registry) {
  registry.extend(SurfaceKind{"plane", "a plane in any orientation", describe_plane});
}

}  // namespace gsim::transport
