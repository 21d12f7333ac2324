#include "src/modules/transport/geometry/search_tables.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "src/modules/transport/geometry/geometry.hpp"

namespace gsim::transport {
namespace {

template <class T>
View<const T> as_view(const std::vector<T>& v) {
  return {v.data(), static_cast<Index>(v.size())};
}

/// Numbers that are equal for universes whose cells have the same regions: of each cell, the
/// numbers of its half-spaces and of those that a search checks, and the half-spaces. Empty: a cell
/// is not an intersection of half-spaces, or the universe has a search grid.
std::vector<std::int32_t> description(const Geometry& g, const Universe& universe) {
  std::vector<std::int32_t> numbers;
  if (universe.grid >= 0) return numbers;
  for (const std::int32_t index : g.cells_of(universe)) {
    const Cell& cell = g.cells[static_cast<std::size_t>(index)];
    if (cell.first_step >= 0) return {};
    numbers.insert(numbers.end(), {cell.surfaces, cell.outer_half_spaces});
    for (const CellSurface& side : g.surfaces_of(cell)) numbers.push_back(side.half_space);
  }
  return numbers;
}

SearchFill search_fill(const Cell& cell) {
  if (cell.fill_kind == FillKind::material) return {SearchFill::material, cell.fill};
  if (cell.transformation >= 0) return {SearchFill::other, cell.fill};
  return {cell.fill_kind == FillKind::universe ? SearchFill::universe : SearchFill::lattice,
          cell.fill};
}

/// The universes in a lattice, -1 where an element is undefined and `outer` is not, and outside.
std::vector<std::int32_t> universes_in(const Geometry& g, const Lattice& lattice) {
  const bool is_hexagonal = lattice.kind == LatticeKind::hexagonal;
  std::size_t size = 1;
  for (int axis = 0; axis < 3; ++axis)
    size *= static_cast<std::size_t>(is_hexagonal && axis < 2 ? 2 * lattice.count[axis] - 1
                                                              : lattice.count[axis]);
  const auto first = g.lattice_universes.begin() + lattice.first_universe;
  std::vector<std::int32_t> universes(first, first + static_cast<std::ptrdiff_t>(size));
  std::replace(universes.begin(), universes.end(), -1, lattice.outer);
  return universes;
}

SearchLattice search_lattice(const Lattice& l) {
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  return {{l.inverse_pitch[0] != 0 ? 0.5 * l.pitch[0] : unbounded,
           l.inverse_pitch[1] != 0 ? 0.5 * l.pitch[1] : unbounded,
           l.has_layers != 0 ? 0.5 * l.pitch[2] : unbounded}};
}

bool is_plane_sphere_or_cylinder(const Surface& s) {
  return s.form <= SurfaceForm::plane ||
         (s.form >= SurfaceForm::sphere && s.form <= SurfaceForm::z_cylinder);
}

/// SearchTables::levels.
std::int32_t simple_levels(const Geometry& g, const SearchArrays& tables) {
  for (const SearchUniverse& universe : tables.universes)
    if (universe.shape < 0) return 0;
  for (const SearchFill& fill : tables.fills)
    if (fill.kind == SearchFill::other) return 0;
  for (const Lattice& lattice : g.lattices)
    if (lattice.kind != LatticeKind::rectangular) return 0;
  for (const CellSurface& side : g.cell_surfaces)
    if (!is_plane_sphere_or_cylinder(g.surfaces[static_cast<std::size_t>(side.half_space >> 1)]))
      return 0;
  return g.levels;
}

}  // namespace

bool is_simple(const Geometry& g) {
  return std::ranges::all_of(g.surfaces, is_plane_sphere_or_cylinder) &&
         std::ranges::all_of(
             g.cells, [](const Cell& c) { return c.first_step < 0 && c.transformation < 0; });
}

SearchTables SearchArrays::view() const {
  return {as_view(universes), as_view(elements), as_view(fills), as_view(regions),
          as_view(numbers),   as_view(lattices), levels};
}

SearchArrays make_search_arrays(const Geometry& g) {
  SearchArrays tables;
  std::map<std::vector<std::int32_t>, std::int32_t> first_of;
  for (std::size_t u = 0; u < g.universes.size(); ++u) {
    std::vector<std::int32_t> numbers = description(g, g.universes[u]);
    const std::int32_t shape =
        numbers.empty()
            ? -1
            : first_of.try_emplace(std::move(numbers), static_cast<std::int32_t>(u)).first->second;
    tables.universes.push_back({g.universes[u].first_cell, shape});
  }
  tables.numbers.resize(g.cells.size());
  for (std::size_t u = 0; u < g.universes.size(); ++u) {
    const std::int32_t shape = tables.universes[u].shape;
    for (std::int32_t k = 0; k < g.universes[u].cells; ++k) {
      const auto cells = g.cells_of(g.universes[u]);
      const auto cell = static_cast<std::size_t>(cells[static_cast<std::size_t>(k)]);
      const auto& region_of = g.universes[shape < 0 ? u : static_cast<std::size_t>(shape)];
      tables.fills.push_back(search_fill(g.cells[cell]));
      tables.regions.push_back({g.cells_of(region_of)[static_cast<std::size_t>(k)], k});
      tables.numbers[cell] = k;
    }
  }
  tables.elements.resize(g.lattice_universes.size());
  for (const Lattice& lattice : g.lattices) {
    auto element = tables.elements.begin() + lattice.first_universe;
    for (const std::int32_t u : universes_in(g, lattice))
      *element++ = u < 0 ? SearchUniverse{} : tables.universes[static_cast<std::size_t>(u)];
    tables.lattices.push_back(search_lattice(lattice));
  }
  tables.levels = simple_levels(g, tables);
  return tables;
}

}  // namespace gsim::transport
