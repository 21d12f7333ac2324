// Images of point detectors in reflective planes: a particle that reaches a detector after
// reflections corresponds to one that flies straight to an image through the mirrored geometry.

#include <optional>

#include <fmt/format.h>

#include "src/modules/transport/tallies/tally_plan.hpp"

namespace gsim::transport {
namespace {

/// Positions of the reflective planes of constant x, y and z.
using Mirrors = std::array<std::optional<double>, 3>;

const char* boundary_name(SurfaceBoundary boundary) {
  return boundary == SurfaceBoundary::periodic ? "periodic"
         : boundary == SurfaceBoundary::white  ? "white"
                                               : "reflective";
}

/// The reflective planes of the geometry. ConfigError where a surface allows no images, or
/// infinitely many.
Mirrors mirrors_of(const TallyConfig& tally, const Geometry& geometry) {
  Mirrors mirrors;
  for (const OuterSurface& outer : geometry.outer_surfaces) {
    const auto i = static_cast<std::size_t>(outer.surface);
    const Surface& s = geometry.surfaces[i];
    if (s.boundary == SurfaceBoundary::vacuum) continue;
    const auto refuse = [&](const std::string& why) {
      tally.keys.fail(
          "detectors",
          fmt::format("tally `{}` has detectors, and surface `{}` is {}: {}", tally.name,
                      geometry.surface_names[i], boundary_name(s.boundary), why),
          "describe the whole geometry within vacuum boundaries, or tally the flux in a mesh");
    };
    if (s.boundary != SurfaceBoundary::reflective || s.form > SurfaceForm::z_plane)
      refuse("detectors allow vacuum boundaries and reflective planes of constant x, y or z");
    auto& mirror = mirrors[static_cast<std::size_t>(s.form)];
    if (mirror && *mirror != s.p[0])
      refuse("between two parallel reflective planes a detector has infinitely many images");
    mirror = s.p[0];
  }
  return mirrors;
}

}  // namespace

std::vector<PointDetector> detectors_with_images(const TallyConfig& tally,
                                                 std::span<const PointDetectorConfig> detectors,
                                                 const Geometry& geometry) {
  const Mirrors mirrors = mirrors_of(tally, geometry);
  std::vector<PointDetector> all;
  for (std::size_t n = 0; n < detectors.size(); ++n)
    for (std::int32_t mirrored = 0; mirrored < 8; ++mirrored) {
      const PointDetectorConfig& c = detectors[n];
      double x[3] = {c.position.x, c.position.y, c.position.z};
      bool is_image = true;
      for (std::size_t a = 0; a < 3; ++a) {
        if ((mirrored >> a & 1) == 0) continue;
        is_image = is_image && mirrors[a].has_value();
        x[a] = 2 * mirrors[a].value_or(0) - x[a];
      }
      if (is_image)
        all.push_back(
            {{x[0], x[1], x[2]}, c.radius, c.roulette, static_cast<std::int32_t>(n), mirrored});
    }
  return all;
}

}  // namespace gsim::transport
