#include "src/modules/transport/geometry/surfaces/surface_keys.hpp"

namespace gsim::transport {
namespace {

SurfaceShape describe_ellipsoid(Section& s) {
  const Vector3 centre = read_point(s, "center", "centre of the ellipsoid");
  std::vector<double> radii{1, 1, 1};
  s.required("radii", radii,
             {.doc = "semi-axes along x, y, z",
              .unit = "cm",
              .minimum = 0,
              .exclusive_minimum = true,
              .min_size = 3,
              .max_size = 3});
  const auto [x, y, z] = coordinates();
  const auto squared = [&](std::size_t axis, const Polynomial& along) {
    return along * along * (radii[0] / radii[axis]) * (radii[0] / radii[axis]);
  };
  return {centre, squared(0, x) + squared(1, y) + squared(2, z) - radii[0] * radii[0]};
}

}  // namespace

void register_ellipsoid(Registry& registry) {
  registry.extend(SurfaceKind{"ellipsoid", "an ellipsoid with axes along x, y, z, positive outside",
                              describe_ellipsoid});
}

}  // namespace gsim::transport
