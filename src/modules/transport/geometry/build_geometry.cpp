// Replaces the names of a geometry's configuration by indices.

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/transport/geometry/bounds/search_grids.hpp"
#include "src/modules/transport/geometry/geometry.hpp"
#include "src/modules/transport/geometry/geometry_rules.hpp"
#include "src/modules/transport/geometry/outer_boundary.hpp"
#include "src/modules/transport/geometry/search_tables.hpp"

namespace gsim::transport {
namespace {

std::int32_t position_in(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<std::int32_t>(found - names.begin());
}

class GeometryBuilder {
 public:
  GeometryBuilder(const GeometryConfig& config, std::span<const std::string> materials)
      : config_(config) {
    g_.material_names.assign(materials.begin(), materials.end());
  }

  Geometry build() {
    name_universes();
    add_surfaces();
    for (const CellConfig& cell : config_.cells) add_cell(cell);
    for (const LatticeConfig& lattice : config_.lattices) add_lattice(lattice);
    list_universe_cells();
    check_geometry(config_, g_);
    find_outer_boundary(g_);
    find_neighbours();
    add_search_grids(g_);
    g_.search = make_search_arrays(g_);
    return std::move(g_);
  }

 private:
  /// Collects the names of universes and lattices.
  void name_universes() {
    for (const CellConfig& cell : config_.cells)
      if (position_in(g_.universe_names, cell.universe) < 0)
        g_.universe_names.push_back(cell.universe);
    for (const LatticeConfig& lattice : config_.lattices) {
      if (position_in(g_.lattice_names, lattice.name) >= 0)
        throw ConfigError(lattice.where,
                          fmt::format("two lattices have the name `{}`", excerpt(lattice.name)));
      g_.lattice_names.push_back(lattice.name);
    }
    g_.root = position_in(g_.universe_names, std::string(root_universe));
    if (g_.root < 0)
      throw InputError(
          "the geometry has no cell in the universe `root`, where every position is looked up "
          "first; add a [[cell]] without the key universe");
    check_fill_names(config_, g_);
  }

  void add_surfaces() {
    double extent = 0;
    for (const SurfaceConfig& c : config_.surfaces) {
      g_.surface_names.push_back(c.name);
      g_.surfaces.push_back(c.surface);
      Surface& s = g_.surfaces.back();
      if (!c.coefficients.empty()) {
        s.link = static_cast<std::int32_t>(g_.coefficients.size());
        g_.coefficients.insert(g_.coefficients.end(), c.coefficients.begin(), c.coefficients.end());
      }
      for (const double p : c.surface.p) extent = std::max(extent, std::abs(p));
      if (s.boundary != SurfaceBoundary::transmission)
        g_.outer_surfaces.push_back({static_cast<std::int32_t>(g_.surfaces.size()) - 1, -1});
    }
    // Rounding errors of positions are about extent * 2^-53. The tolerance is 2^-33 cm (1.2e-10 cm)
    // up to an extent of 1024 cm, and larger in proportion beyond, so that it is at least a
    // thousand times larger than these errors.
    g_.tolerance = 0x1p-33 * std::max(1.0, std::min(extent, 0x1p40) * 0x1p-10);
    for (Surface& s : g_.surfaces) set_tolerance(s);
    for (std::size_t i = 0; i < config_.surfaces.size(); ++i) link_partner(i);
  }

  /// Sets Surface::on_surface of planes, spheres and cylinders.
  void set_tolerance(Surface& s) const {
    if (s.form <= SurfaceForm::plane) {
      s.on_surface = g_.tolerance;
    } else if (s.form <= SurfaceForm::z_cylinder) {
      const double squared = s.form == SurfaceForm::sphere ? s.p[3] : s.p[2];
      s.on_surface = std::max(2 * std::sqrt(squared), g_.tolerance) * g_.tolerance;
    }
  }

  /// Sets Surface::link of a periodic plane to the index of its partner.
  void link_partner(std::size_t i) {
    const LocatedName& partner = config_.surfaces[i].partner;
    if (partner.name.empty()) return;
    const std::int32_t found = position_in(g_.surface_names, partner.name);
    if (found < 0)
      throw ConfigError(partner.where,
                        fmt::format("there is no surface `{}`", excerpt(partner.name)),
                        suggest_known(partner.name, g_.surface_names, "there are"));
    g_.surfaces[i].link = found;
  }

  /// Sets kind and index of the material, universe or lattice that `fill` names.
  void set_fill(const LocatedName& fill, Cell& cell) {
    if (fill.name == "void") return;
    const std::vector<std::string>* lists[] = {&g_.material_names, &g_.universe_names,
                                               &g_.lattice_names};
    for (int kind = 0; kind < 3; ++kind) {
      const std::int32_t found = position_in(*lists[kind], fill.name);
      if (found < 0) continue;
      cell.fill_kind = static_cast<FillKind>(kind);
      cell.fill = found;
      return;
    }
    std::vector<std::string> known{"void"};
    for (const auto* list : lists) known.insert(known.end(), list->begin(), list->end());
    throw ConfigError(
        fill.where,
        fmt::format("there is no material, universe or lattice `{}`", excerpt(fill.name)),
        suggest_known(fill.name, known, "there are"));
  }

  void add_cell(const CellConfig& c) {
    Cell cell;
    set_fill(c.fill, cell);
    cell.universe = position_in(g_.universe_names, c.universe);
    if (c.is_transformed) {
      if (cell.fill_kind == FillKind::material)
        throw ConfigError(c.fill.where, "a material can be neither translated nor rotated",
                          "leave out translation and rotation");
      cell.transformation = static_cast<std::int32_t>(g_.transformations.size());
      g_.transformations.push_back(c.transformation);
    }
    cell.first_surface = static_cast<std::int32_t>(g_.cell_surfaces.size());
    const bool is_simple = is_intersection(c.region);
    for (const std::int32_t h : half_spaces_of(c.region)) {
      const auto begin = g_.cell_surfaces.begin() + cell.first_surface;
      const bool is_listed = std::any_of(begin, g_.cell_surfaces.end(), [&](const CellSurface& s) {
        return s.half_space >> 1 == h >> 1;  // two half-spaces of the same surface
      });
      if (!is_listed) g_.cell_surfaces.push_back({h, 0, 0});
    }
    cell.surfaces = static_cast<std::int32_t>(g_.cell_surfaces.size()) - cell.first_surface;
    if (!is_simple) {
      cell.first_step = static_cast<std::int32_t>(g_.steps.size());
      const auto steps = steps_of(c.region, cell.first_step);
      g_.steps.insert(g_.steps.end(), steps.begin(), steps.end());
    }
    g_.cells.push_back(cell);
    g_.cell_names.push_back(c.name);
  }

  std::int32_t universe_at(const LocatedName& named) const {
    const std::int32_t found = position_in(g_.universe_names, named.name);
    if (found < 0)
      throw ConfigError(named.where, fmt::format("there is no universe `{}`", excerpt(named.name)),
                        suggest_known(named.name, g_.universe_names, "there are"));
    return found;
  }

  void add_lattice(const LatticeConfig& c) {
    Lattice lattice = c.lattice;
    lattice.first_universe = static_cast<std::int32_t>(g_.lattice_universes.size());
    if (!c.outer.name.empty()) lattice.outer = universe_at(c.outer);
    std::map<std::string, std::int32_t> index_of{{"", -1}};
    for (const std::string& name : c.elements) {
      if (!index_of.contains(name)) index_of[name] = universe_at({name, c.elements_where});
      g_.lattice_universes.push_back(index_of[name]);
    }
    g_.lattices.push_back(lattice);
  }

  void list_universe_cells() {
    for (std::size_t u = 0; u < g_.universe_names.size(); ++u) {
      Universe universe;
      universe.first_cell = static_cast<std::int32_t>(g_.universe_cells.size());
      for (std::size_t i = 0; i < g_.cells.size(); ++i)
        if (g_.cells[i].universe == static_cast<std::int32_t>(u))
          g_.universe_cells.push_back(static_cast<std::int32_t>(i));
      universe.cells = static_cast<std::int32_t>(g_.universe_cells.size()) - universe.first_cell;
      g_.universes.push_back(universe);
    }
  }

  /// Lists, for each surface of each cell, the cells of the same universe whose regions contain the
  /// half-space on the other side.
  void find_neighbours() {
    std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::int32_t>> by_half_space;
    for (std::size_t i = 0; i < g_.cells.size(); ++i)
      for (const std::int32_t h : half_spaces_of(config_.cells[i].region))
        by_half_space[{g_.cells[i].universe, h}].push_back(static_cast<std::int32_t>(i));
    for (std::size_t i = 0; i < g_.cells.size(); ++i) {
      const Cell& cell = g_.cells[i];
      for (std::int32_t k = 0; k < cell.surfaces; ++k) {
        const std::int32_t at = cell.first_surface + k;
        CellSurface& side = g_.cell_surfaces[static_cast<std::size_t>(at)];
        side.first_neighbour = static_cast<std::int32_t>(g_.neighbours.size());
        // A particle may leave a cell that is not an intersection through either side of a surface.
        for (const int flip : {1, 0}) {
          if (flip == 0 && cell.first_step < 0) break;
          const auto found = by_half_space.find({cell.universe, side.half_space ^ flip});
          if (found == by_half_space.end()) continue;
          for (const std::int32_t other : found->second)
            if (other != static_cast<std::int32_t>(i)) g_.neighbours.push_back(other);
        }
        side.neighbours = static_cast<std::int32_t>(g_.neighbours.size()) - side.first_neighbour;
      }
    }
  }

  const GeometryConfig& config_;
  Geometry g_;
};

}  // namespace

Geometry build_geometry(const GeometryConfig& config, std::span<const std::string> materials) {
  return GeometryBuilder(config, materials).build();
}

}  // namespace gsim::transport
