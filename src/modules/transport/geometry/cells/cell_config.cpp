#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "gsim/math/trig.hpp"
#include "src/modules/transport/geometry/geometry_config.hpp"

namespace gsim::transport {
namespace {

/// The names of surfaces and boxes that the expression of a region may contain, each with the
/// region on its negative side.
class SurfaceNames {
 public:
  explicit SurfaceNames(const GeometryConfig& config) {
    for (std::size_t i = 0; i < config.surfaces.size(); ++i)
      add(config.surfaces[i].name, Region::of(2 * static_cast<std::int32_t>(i)),
          config.surfaces[i].where);
    for (const BoxConfig& box : config.boxes) add(box.name, box.inside, box.where);
  }
  const Region* find(std::string_view name) const {
    const auto found = regions_.find(name);
    return found == regions_.end() ? nullptr : &found->second;
  }
  const std::vector<std::string>& all() const { return all_; }

 private:
  void add(const std::string& name, const Region& region, const SourceLocation& where) {
    if (!regions_.emplace(name, region).second)
      throw ConfigError(where, fmt::format("two surfaces or boxes have the name `{}`", name),
                        "give each its own name");
    all_.push_back(name);
  }
  std::map<std::string, Region, std::less<>> regions_;
  std::vector<std::string> all_;
};

/// The rotation of a fill by angles (degrees) about x, then about the rotated y, then about the
/// rotated z, as in OpenMC. The matrix converts coordinates of the cell to coordinates of the fill,
/// Rz(-c) Ry(-b) Rx(-a).
void set_rotation(const std::array<double, 3>& angles, Transformation& t) {
  const auto a = sincospi<Strict>(angles[0] / 180), b = sincospi<Strict>(angles[1] / 180),
             c = sincospi<Strict>(angles[2] / 180);
  const double inverse[9] = {b.cos * c.cos,
                             a.cos * c.sin + a.sin * b.sin * c.cos,
                             a.sin * c.sin - a.cos * b.sin * c.cos,
                             -b.cos * c.sin,
                             a.cos * c.cos - a.sin * b.sin * c.sin,
                             a.sin * c.cos + a.cos * b.sin * c.sin,
                             b.sin,
                             -a.sin * b.cos,
                             a.cos * b.cos};
  std::copy(std::begin(inverse), std::end(inverse), t.rotation);
  t.is_rotated = 1;
}

void describe_cell(Section& s, CellConfig& cell) {
  s.required("name", cell.name, {.doc = "name of the cell in tallies and messages"});
  s.optional("region", cell.region_text,
             {.doc = "region of the cell: half-spaces -a (inside, below) and +a of surfaces and "
                     "boxes, joined by a space or & (intersection), | (union) and ~ "
                     "(complement); default: all space"});
  s.required("fill", cell.fill.name,
             {.doc = "name of the material, universe or lattice that fills the cell, or "
                     "\"void\""});
  s.optional("universe", cell.universe, {.doc = "universe that the cell is a part of"});
  s.optional("importance", cell.importance,
             {.doc = "importance of a cell that is filled with a material or void: particles "
                     "from a less important cell are split, those from a more important one "
                     "undergo Russian roulette; 0: they are killed",
              .minimum = 0,
              .maximum = 1e6});
  s.optional("translation", cell.translation,
             {.doc = "position of the origin of the universe or lattice that fills the cell",
              .unit = "cm"});
  s.optional("rotation", cell.rotation,
             {.doc = "angles by which the fill is rotated about x, then about its rotated y "
                     "axis, then about its rotated z axis (Tait-Bryan angles, as in OpenMC), "
                     "before the translation",
              .unit = "degrees"});
}

void validate_cell(const Section& s, CellConfig& cell) {
  cell.where = s.location("name");
  cell.region_where = s.location("region");
  cell.fill.where = s.location("fill");
  if (cell.name.empty()) s.fail("name", "a cell needs a name");
  if (cell.universe.empty()) s.fail("universe", "a universe needs a name");
  constexpr std::array<double, 3> none{};
  const auto& shift = cell.translation;
  cell.transformation.translation = {shift[0], shift[1], shift[2]};
  if (cell.rotation != none) set_rotation(cell.rotation, cell.transformation);
  cell.is_transformed = cell.rotation != none || cell.translation != none;
}

/// ConfigError for an intersection that contains both half-spaces of a surface. The indices of the
/// two differ in the lowest bit (Region::half_space).
void check_region(const CellConfig& cell, const GeometryConfig& config) {
  if (!is_intersection(cell.region)) return;
  const auto half_spaces = half_spaces_of(cell.region);
  for (const std::int32_t h : half_spaces)
    if (std::find(half_spaces.begin(), half_spaces.end(), h ^ 1) != half_spaces.end())
      throw ConfigError(
          cell.region_where,
          fmt::format("the region requires both sides of `{}` at once: the cell is empty",
                      config.surfaces[static_cast<std::size_t>(h >> 1)].name));
}

}  // namespace

void describe_cells(Section& top, GeometryConfig& config) {
  top.tables<CellConfig>("cell", config.cells, validated(describe_cell, validate_cell),
                         "a region of space and what fills it");
}

void validate_geometry(GeometryConfig& config) {
  const SurfaceNames names(config);
  for (CellConfig& cell : config.cells) {
    cell.region = parse_region(
        cell.region_text, [&names](std::string_view name) { return names.find(name); }, names.all(),
        cell.region_where);
    check_region(cell, config);
  }
  for (std::size_t i = 0; i < config.cells.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (config.cells[i].name == config.cells[j].name)
        throw ConfigError(
            config.cells[i].where,
            fmt::format("two cells have the name `{}`", excerpt(config.cells[i].name)),
            "give each its own name");
}

void describe_geometry(Section& top, GeometryConfig& config, SurfaceKinds kinds) {
  describe_surfaces(top, config, kinds);
  describe_boxes(top, config);
  describe_cells(top, config);
  describe_lattices(top, config);
}

}  // namespace gsim::transport
