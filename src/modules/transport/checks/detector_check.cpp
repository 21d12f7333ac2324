#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/math/pow.hpp"
#include "kernels/transport/geometry/geometry.hpp"
#include "src/modules/transport/checks/run_checks.hpp"

namespace gsim::transport {
namespace {

/// The cell and material at x; on a surface, those on the side towards larger z.
CellAt cell_of(const RunToCheck& c, const Vector3& x) {
  return transport_kernels::cell_at(c.system.geometry().view(), x, Vector3{0, 0, 1});
}

std::string name_of(const RunToCheck& c, std::int32_t material) {
  return material < 0 ? "void"
                      : c.config.materials.materials[static_cast<std::size_t>(material)].name;
}

/// Whether collisions in the material emit particles, by scattering or fission.
bool scatters(const RunToCheck& c, std::int32_t material) {
  if (material < 0) return false;
  const Material& m = c.config.materials.materials[static_cast<std::size_t>(material)];
  for (Index g = 0; g < m.groups; ++g)
    if (!m.scatter.empty() && m.scattering(g) > 0) return true;
  return m.is_fissile();
}

/// A material in the exclusion sphere other than that of its centre; empty: none.
std::string other_material_in(const RunToCheck& c, const PointDetectorConfig& d,
                              std::int32_t material) {
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z) {
        if (x == 0 && y == 0 && z == 0) continue;
        const Vector3 offset{static_cast<double>(x), static_cast<double>(y),
                             static_cast<double>(z)};
        const CellAt here = cell_of(c, along(d.position, d.radius, unit(offset)));
        if (here.cell >= 0 && here.material != material) return name_of(c, here.material);
      }
  return {};
}

void check_position(const RunToCheck& c, const PointDetectorConfig& d,
                    std::vector<std::string>& warnings) {
  const CellAt here = cell_of(c, d.position);
  if (here.cell < 0)
    throw ConfigError(d.where, fmt::format("point detector `{}` is in no cell", d.name),
                      "move it into the geometry");
  if (d.radius == 0 && scatters(c, here.material))
    throw ConfigError(d.radius_where,
                      fmt::format("point detector `{}` is in `{}`, where collisions next to it "
                                  "contribute without bound",
                                  d.name, name_of(c, here.material)),
                      "give it an exclusion_radius, a tenth to half of a mean free path");
  if (d.radius == 0) return;
  const std::string other = other_material_in(c, d, here.material);
  if (!other.empty())
    warnings.push_back(fmt::format(
        "the exclusion sphere of point detector `{}`, which is in `{}`, reaches into `{}`, but "
        "contributions of collisions in it are computed for one material; give it a smaller "
        "exclusion_radius",
        d.name, name_of(c, here.material), other));
}

/// A ball that contains all starting positions of a source. (Source::outer is the square of the
/// radius for a cylinder, and its cube for a ball.)
struct Ball {
  Vector3 centre;
  double radius = 0;
};
Ball ball_around(const Source& s) {
  Ball ball{s.origin, 0};
  if (s.space == SourceSpace::edges) {
    for (const Vector3& edge : s.edge) {
      ball.centre = along(ball.centre, 0.5, edge);
      ball.radius += 0.5 * std::sqrt(dot(edge, edge));
    }
  } else if (s.space == SourceSpace::cylinder) {
    ball.centre = along(s.origin, s.length / 2, s.normal);
    ball.radius = std::sqrt(s.outer) + s.length / 2;
  } else {
    ball.radius = s.space == SourceSpace::ball ? gsim::pow<Strict>(s.outer, 1.0 / 3.0) : s.outer;
  }
  return ball;
}

/// Whether a detector may be in the beam of a source. Outside of a beam the uncollided flux is
/// zero; inside, next-event estimators cannot estimate it.
bool is_in_beam(const Source& s, const PointDetector& d) {
  const Ball ball = ball_around(s);
  const Vector3 to_detector = d.position - ball.centre;
  // About the normals of a sphere's surface, every starting position has another direction.
  const bool has_one_direction = s.about_normal == 0 || s.space != SourceSpace::sphere_surface;
  if (!has_one_direction) return true;
  const Vector3 axis = s.about_normal == 0 ? s.axis : s.normal * s.about_normal;
  const double ahead = dot(to_detector, axis);
  const Vector3 aside = along(to_detector, -ahead, axis);
  const double radius = ball.radius + d.radius + 1e-9 * (1 + ball.radius);
  return ahead > -radius && dot(aside, aside) <= radius * radius;
}

void check_sources_for_detectors(const RunToCheck& c) {
  const SourceConfig& first = c.config.sources.list.front();
  const char* const advice =
      "tally the flux in a mesh, or describe the source by its space and angle";
  if (first.sampler != nullptr && !first.sampler->is_isotropic)
    throw ConfigError(first.where,
                      fmt::format("source `{}` of a plugin is not declared isotropic: its angular "
                                  "density at point detectors is unknown",
                                  first.sampler->name),
                      advice);
  if (c.config.sources.is_file())
    throw ConfigError(first.where,
                      "the particles of a file have directions, but no angular density: their "
                      "contribution to point detectors is unknown",
                      advice);
  if (first.sampler != nullptr) return;
  for (const SourceConfig& source : c.config.sources.list) {
    if (source.source.angle != SourceAngle::beam) continue;
    for (const PointDetector& d : c.system.tallies().arrays.detectors)
      if (is_in_beam(source.source, d))
        throw ConfigError(
            source.where,
            fmt::format("point detector `{}` is, or may be, in the beam of this source, whose "
                        "uncollided flux next-event estimators cannot score",
                        c.config.tallies.detectors[static_cast<std::size_t>(d.detector)].name),
            "move the detector out of the beam, or give the source a cone of directions");
  }
}

/// Warns of scattering distributions that are sampled at discrete cosines.
void warn_of_discrete_angles(const RunToCheck& c, std::vector<std::string>& warnings) {
  const MaterialView m = c.system.host_materials();
  for (std::int32_t i = 0; i < m.materials; ++i)
    for (std::int32_t g = 0; g < m.groups; ++g) {
      const GroupData& data = transport_kernels::group_data(m, i, g);
      for (std::int32_t t = 0; t < data.transfers; ++t) {
        const Transfer& transfer = m.transfers[data.first_transfer + t];
        if (transfer.angle < 0 || m.angles[transfer.angle].order >= 0) continue;
        warnings.push_back(fmt::format(
            "material `{}` scatters at discrete angles, for which point detectors use the Legendre "
            "expansion as angular density, including negative parts: the collided flux is that of "
            "the expansion, and its errors may be large",
            name_of(c, i)));
        return;
      }
    }
}

}  // namespace

std::vector<std::string> check_detectors(const RunToCheck& c) {
  std::vector<std::string> warnings;
  const TalliesConfig& tallies = c.config.tallies;
  for (const PointDetectorConfig& d : tallies.detectors) {
    if (tallies.is_tallied(d))
      check_position(c, d, warnings);
    else
      warnings.push_back(fmt::format(
          "no tally scores at point detector `{}`: name it in the key `detectors` of a tally",
          d.name));
  }
  if (c.system.tallies().arrays.detectors.empty()) return warnings;
  // The neutrons of an eigenvalue problem are isotropic, also those of the initial source.
  if (c.config.mode == Mode::fixed_source) check_sources_for_detectors(c);
  warn_of_discrete_angles(c, warnings);
  return warnings;
}

}  // namespace gsim::transport
