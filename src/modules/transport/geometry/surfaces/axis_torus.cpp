#include "src/modules/transport/geometry/surfaces/surface_keys.hpp"

namespace gsim::transport {
namespace {

/// A torus about an axis.
SurfaceShape torus_about(Section& s, SurfaceForm form) {
  const Vector3 centre = read_point(s, "center", "centre of the torus");
  const double major =
      read_radius(s, "major_radius", "distance from the axis to the centre of the tube");
  double minor = -1;
  std::vector<double> radii;
  s.optional("minor_radius", minor,
             {.doc = "radius of the tube, in place of minor_radii",
              .unit = "cm",
              .minimum = 0,
              .exclusive_minimum = true});
  s.optional("minor_radii", radii,
             {.doc = "semi-axes of the elliptic section of the tube: along the axis of the "
                     "torus, and across it",
              .unit = "cm",
              .minimum = 0,
              .exclusive_minimum = true,
              .min_size = 2,
              .max_size = 2});
  if (radii.empty()) radii = {minor, minor};
  return shape_of(form, {centre.x, centre.y, centre.z, major, radii[0], radii[1]});
}
void validate_torus(const Section& s, const SurfaceShape&) {
  if (s.has("minor_radius") == s.has("minor_radii"))
    s.fail("kind", "a torus has either a minor_radius or minor_radii", "give one of them");
}

SurfaceShape x_torus(Section& s) { return torus_about(s, SurfaceForm::x_torus); }
SurfaceShape y_torus(Section& s) { return torus_about(s, SurfaceForm::y_torus); }
SurfaceShape z_torus(Section& s) { return torus_about(s, SurfaceForm::z_torus); }

}  // namespace

void register_axis_torus(Registry& registry) {
  registry.extend(SurfaceKind{"x_torus", "a torus about an axis along x, positive outside", x_torus,
                              validate_torus});
  registry.extend(SurfaceKind{"y_torus", "a torus about an axis along y, positive outside", y_torus,
                              validate_torus});
  registry.extend(SurfaceKind{"z_torus", "a torus about an axis along z, positive outside", z_torus,
                              validate_torus});
}

}  // namespace gsim::transport
