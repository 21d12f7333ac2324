#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/random/uniform.hpp"
#include "src/modules/transport/checks/run_checks.hpp"

namespace gsim::transport {
namespace {

/// Number of random positions at which the overlap of a mesh with the geometry is tested.
constexpr Index tested_positions = 1000;

/// The bounding box of a mesh; infinite where it is unbounded.
SampleBox box_of(const MeshConfig& mesh) {
  SampleBox box{{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
  if (mesh.kind != TallyMeshKind::cylindrical) {
    for (std::size_t a = 0; a < 3; ++a) {
      if (mesh.bounds[a].empty()) continue;
      box.lower[a] = mesh.bounds[a].front();
      box.upper[a] = mesh.bounds[a].back();
    }
    return box;
  }
  const double origin[] = {mesh.origin.x, mesh.origin.y, mesh.origin.z};
  const auto along = static_cast<std::size_t>(mesh.along);
  for (std::size_t a = 0; a < 3; ++a) {
    const std::vector<double>& bounds = mesh.bounds[a == along ? 2 : 0];
    if (bounds.empty()) continue;
    box.lower[a] = origin[a] + (a == along ? bounds.front() : -bounds.back());
    box.upper[a] = origin[a] + bounds.back();
  }
  return box;
}

std::string text_of(const SampleBox& box) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g}) to ({:.6g}, {:.6g}, {:.6g}) cm", box.lower[0],
                     box.lower[1], box.lower[2], box.upper[0], box.upper[1], box.upper[2]);
}

/// Whether a box overlaps the geometry, tested at random positions.
bool overlaps_geometry(const RunToCheck& c, const SampleBox& mesh) {
  SampleBox box = c.system.box();
  const SampleBox bounds = c.system.bounds();
  for (std::size_t a = 0; a < 3; ++a) {
    // Along an axis on which the geometry is unbounded, positions are in the mesh.
    const bool is_above = mesh.lower[a] > box.upper[a] && !std::isfinite(bounds.upper[a]);
    const bool is_below = mesh.upper[a] < box.lower[a] && !std::isfinite(bounds.lower[a]);
    if ((is_above || is_below) && std::isfinite(mesh.lower[a]) && std::isfinite(mesh.upper[a])) {
      box.lower[a] = mesh.lower[a];
      box.upper[a] = mesh.upper[a];
    }
    box.lower[a] = std::max(box.lower[a], mesh.lower[a]);
    box.upper[a] = std::min(box.upper[a], mesh.upper[a]);
    if (!(box.lower[a] <= box.upper[a])) return false;
  }
  const GeometryView g = c.system.geometry().view();
  const PhiloxKey key = stream_key({c.seed, Purpose::transport_points});
  for (Index i = 0; i < tested_positions; ++i) {
    const auto u = uniforms<double>(philox_block(key, static_cast<std::uint64_t>(i), 0, 2));
    const auto v = uniforms<double>(philox_block(key, static_cast<std::uint64_t>(i), 0, 3));
    const auto at = [&box](std::size_t a, double t) {
      return box.lower[a] + t * (box.upper[a] - box.lower[a]);
    };
    const PointState state = state_at(g, {at(0, u[0]), at(1, u[1]), at(2, v[0])});
    if (state.cell >= 0) return true;
  }
  return false;
}

void check_mesh(const RunToCheck& c, const SourceLocation& where, const std::string& name,
                const SampleBox& mesh) {
  if (overlaps_geometry(c, mesh)) return;
  throw ConfigError(
      where,
      fmt::format("{} does not overlap the geometry: it extends from {}, the geometry "
                  "from {}",
                  name, text_of(mesh), text_of(c.system.bounds())),
      "nothing would be scored in it; move it, or leave it out");
}

void check_cells(const RunToCheck& c, const TallyConfig& tally,
                 std::vector<std::string>& warnings) {
  const FilterConfig* const filter = tally.filter("cells");
  if (filter == nullptr) return;
  const auto& cells = c.config.geometry.cells;
  std::string why;
  bool is_certain = true;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool is_named = std::ranges::find(filter->names, cells[i].name) != filter->names.end();
    if (!is_named) continue;
    if (c.cells[i] && cells[i].importance > 0) return;
    is_certain = is_certain && cells[i].importance == 0;
    why +=
        fmt::format("{}cell `{}` {}", why.empty() ? "" : ", ", cells[i].name,
                    cells[i].importance == 0 ? "has the importance 0"
                                             : "was not found at random positions of the geometry");
  }
  if (!is_certain)
    warnings.push_back(
        fmt::format("tally `{}` seems to score where no particles are: {}", tally.name, why));
  else if (!why.empty())
    tally.keys.fail("cells",
                    fmt::format("tally `{}` scores where no particles are: {}", tally.name, why),
                    "nothing would be scored in it; name other cells, or leave it out");
}

}  // namespace

std::vector<std::string> check_meshes(const RunToCheck& c) {
  std::vector<std::string> warnings;
  const TransportConfig& config = c.config;
  if (config.has_entropy)
    check_mesh(c, config.entropy.keys.location("lower_left"), "the mesh of the entropy",
               {config.entropy.lower, config.entropy.upper});
  for (const TallyConfig& tally : config.tallies.tallies) {
    check_cells(c, tally, warnings);
    const FilterConfig* const filter = tally.filter("mesh");
    if (filter == nullptr) continue;
    for (const MeshConfig& mesh : config.tallies.meshes)
      if (mesh.name == filter->names.front())
        check_mesh(c, mesh.where, fmt::format("mesh `{}`, of tally `{}`,", mesh.name, tally.name),
                   box_of(mesh));
  }
  if (config.windows.is_set)
    check_mesh(c, config.windows.keys.location(config.windows.mesh_name.empty() ? "" : "mesh"),
               "the mesh of weight windows", box_of(config.windows.mesh));
  return warnings;
}

}  // namespace gsim::transport
