#include "src/modules/transport/geometry/geometry_rules.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gsim/core/text.hpp"

namespace gsim::transport {
namespace {

bool has_name(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The universes that fill a cell, directly or as elements of a lattice.
std::vector<std::int32_t> universes_in(const Geometry& g, const Cell& cell) {
  if (cell.fill_kind == FillKind::material) return {};
  if (cell.fill_kind == FillKind::universe) return {cell.fill};
  const Lattice& l = g.lattices[static_cast<std::size_t>(cell.fill)];
  const std::int32_t side = 2 * l.count[0] - 1;
  const std::int32_t size =
      l.count[2] * (l.kind == LatticeKind::hexagonal ? side * side : l.count[0] * l.count[1]);
  std::set<std::int32_t> universes(g.lattice_universes.begin() + l.first_universe,
                                   g.lattice_universes.begin() + l.first_universe + size);
  universes.insert(l.outer);
  universes.erase(-1);
  return {universes.begin(), universes.end()};
}

/// Visits all universes below the root and records the largest depth of each.
class NestingCheck {
 public:
  NestingCheck(const GeometryConfig& config, const Geometry& g)
      : config_(config), g_(g), deepest_(g.universes.size(), 0) {}

  void run() { enter(g_.root); }
  bool is_used(std::size_t universe) const { return deepest_[universe] > 0; }
  int levels() const { return *std::max_element(deepest_.begin(), deepest_.end()); }

 private:
  void enter(std::int32_t universe) {
    chain_.push_back(universe);
    int& deepest = deepest_[static_cast<std::size_t>(universe)];
    const int depth = static_cast<int>(chain_.size());
    if (depth > deepest) {  // else its fills were visited at this depth before
      deepest = depth;
      const Universe& u = g_.universes[static_cast<std::size_t>(universe)];
      for (const std::int32_t cell : g_.cells_of(u)) enter_cell(cell);
    }
    chain_.pop_back();
  }

  void enter_cell(std::int32_t index) {
    const CellConfig& cell = config_.cells[static_cast<std::size_t>(index)];
    for (const std::int32_t filling : universes_in(g_, g_.cells[static_cast<std::size_t>(index)])) {
      const bool is_nested_in_itself =
          std::find(chain_.begin(), chain_.end(), filling) != chain_.end();
      if (is_nested_in_itself)
        throw ConfigError(cell.fill.where, fmt::format("the universe `{}` contains itself: {}",
                                                       name(filling), chain_to(filling)));
      if (chain_.size() == static_cast<std::size_t>(max_levels))
        throw ConfigError(cell.fill.where,
                          fmt::format("universes are nested deeper than {} levels: {}", max_levels,
                                      chain_to(filling)));
      enter(filling);
    }
  }

  std::string name(std::int32_t universe) const {
    return excerpt(g_.universe_names[static_cast<std::size_t>(universe)]);
  }
  std::string chain_to(std::int32_t last) const {
    std::string chain;
    for (const std::int32_t u : chain_) chain += name(u) + " > ";
    return chain + name(last);
  }

  const GeometryConfig& config_;
  const Geometry& g_;
  std::vector<int> deepest_;         ///< largest depth of each universe; 0: not used
  std::vector<std::int32_t> chain_;  ///< universes from the root to the current one
};

/// The unit normal and offset of a plane.
std::array<double, 4> plane_of(const Surface& s) {
  std::array<double, 4> plane{};
  if (s.form == SurfaceForm::plane) {
    std::copy(s.p, s.p + 4, plane.begin());
  } else {
    plane[static_cast<std::size_t>(s.form)] = 1;
    plane[3] = s.p[0];
  }
  return plane;
}

void check_partner(const GeometryConfig& config, const Geometry& g, std::size_t i) {
  const Surface& s = g.surfaces[i];
  if (s.boundary != SurfaceBoundary::periodic) return;
  const SurfaceConfig& c = config.surfaces[i];
  const auto fail = [&c](const std::string& problem, const std::string& suggestion) {
    throw ConfigError(c.partner.where, problem, suggestion);
  };
  const auto j = static_cast<std::size_t>(s.link);
  const Surface& partner = g.surfaces[j];
  if (j == i) fail("a periodic plane is not its own partner", "name the opposite plane");
  if (partner.boundary != SurfaceBoundary::periodic || static_cast<std::size_t>(partner.link) != i)
    fail(fmt::format("`{}` is not a periodic plane whose partner is `{}`", c.partner.name, c.name),
         "partners name each other");
  const auto a = plane_of(s), b = plane_of(partner);
  const double cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  if (!(std::abs(cosine) > 1 - 1e-14))
    fail(fmt::format("`{}` and `{}` are not parallel", c.name, c.partner.name), "");
  const double offset = cosine > 0 ? b[3] : -b[3];
  if (!(std::abs(a[3] - offset) > g.tolerance))
    fail(fmt::format("`{}` and `{}` are the same plane", c.name, c.partner.name), "");
}

/// Returns which surfaces cells use. ConfigError for boundary conditions outside the root universe.
std::vector<bool> check_surface_use(const GeometryConfig& config, const Geometry& g) {
  std::vector<bool> is_used(g.surfaces.size());
  for (std::size_t i = 0; i < g.cells.size(); ++i)
    for (const std::int32_t h : half_spaces_of(config.cells[i].region)) {
      const auto surface = static_cast<std::size_t>(h >> 1);
      is_used[surface] = true;
      if (g.surfaces[surface].boundary != SurfaceBoundary::transmission &&
          g.cells[i].universe != g.root)
        throw ConfigError(
            config.cells[i].region_where,
            fmt::format("`{}` has a boundary condition, and the cell is not in the root universe",
                        g.surface_names[surface]),
            "use another surface here; boundary conditions apply to cells of the root universe");
    }
  return is_used;
}

/// Adds warnings of unused surfaces and universes and of a missing outer boundary.
void warn(const GeometryConfig& config, Geometry& g, const std::vector<bool>& is_surface_used,
          const NestingCheck& nesting) {
  std::vector<std::string> unused;
  for (std::size_t i = 0; i < g.surfaces.size(); ++i) {
    const bool is_of_box =
        std::any_of(config.boxes.begin(), config.boxes.end(),
                    [&](const auto& b) { return g.surface_names[i].starts_with(b.name + "."); });
    if (!is_surface_used[i] && !is_of_box) unused.push_back(g.surface_names[i]);
  }
  if (!unused.empty())
    g.warnings.push_back(fmt::format("no cell uses the surfaces {}", excerpt(unused)));
  std::vector<std::string> unfilled;
  for (std::size_t u = 0; u < g.universes.size(); ++u)
    if (!nesting.is_used(u)) unfilled.push_back(g.universe_names[u]);
  if (!unfilled.empty())
    g.warnings.push_back(fmt::format("nothing is filled with the universes {}", excerpt(unfilled)));
  const bool is_bounded =
      std::any_of(g.outer_surfaces.begin(), g.outer_surfaces.end(), [&](const OuterSurface& outer) {
        return is_surface_used[static_cast<std::size_t>(outer.surface)];
      });
  if (!is_bounded)
    g.warnings.push_back(
        "no surface in use has a boundary condition: particles that leave all cells are lost");
}

}  // namespace

void check_fill_names(const GeometryConfig& config, const Geometry& g) {
  const auto check = [&](const std::string& name, const SourceLocation& where) {
    const int uses = (has_name(g.material_names, name) ? 1 : 0) +
                     (has_name(g.universe_names, name) ? 1 : 0) +
                     (has_name(g.lattice_names, name) ? 1 : 0) + (name == "void" ? 1 : 0);
    if (uses > 1)
      throw ConfigError(
          where,
          fmt::format("`{}` names more than one material, universe or lattice", excerpt(name)),
          "give each its own name, so that `fill` is unambiguous");
  };
  for (const CellConfig& cell : config.cells) check(cell.universe, cell.where);
  for (const LatticeConfig& lattice : config.lattices) check(lattice.name, lattice.where);
}

void check_geometry(const GeometryConfig& config, Geometry& g) {
  NestingCheck nesting(config, g);
  nesting.run();
  g.levels = nesting.levels();
  for (std::size_t i = 0; i < g.surfaces.size(); ++i) check_partner(config, g, i);
  const auto is_surface_used = check_surface_use(config, g);
  warn(config, g, is_surface_used, nesting);
}

}  // namespace gsim::transport
