#include "src/modules/transport/variance_reduction/flight_bias_config.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/transport/sources/space_config.hpp"

namespace gsim::transport {
namespace {

void describe_transform(Section& s, ExponentialTransformConfig& c) {
  c = {};
  std::vector<double> direction, point;
  s.optional("cells", c.cells, {.doc = "that it acts in, by names", .min_size = 1});
  s.optional("materials", c.materials,
             {.doc = "that it acts in, by names, in place of cells", .min_size = 1});
  s.required("parameter", c.bias.stretching,
             {.doc = "p: free paths come from the total cross section times 1 - p mu, mu the "
                     "cosine between the flight and the direction; above 0 paths along it are "
                     "stretched. Near the part of all collisions that absorb is a good choice",
              .minimum = -1,
              .maximum = 1,
              .exclusive_minimum = true,
              .exclusive_maximum = true});
  s.optional("direction", direction,
             {.doc = "in which paths are stretched", .min_size = 3, .max_size = 3});
  s.optional("towards", point,
             {.doc = "a point that paths are stretched towards, in place of direction",
              .unit = "cm",
              .min_size = 3,
              .max_size = 3});
  if (s.describing()) return;
  c.where = s.location("parameter");
  c.cells_where = s.location("cells");
  c.materials_where = s.location("materials");
  if (c.cells.empty() == c.materials.empty())
    s.fail("cells", "the transform acts in `cells` or in `materials`", "give one of them");
  if (direction.empty() == point.empty())
    s.fail("direction", "paths are stretched in a `direction` or `towards` a point",
           "give one of them");
  c.bias.is_towards = point.empty() ? 0 : 1;
  c.bias.target = point.empty() ? unit_vector(s, "direction", direction)
                                : Vector3{point[0], point[1], point[2]};
}

std::size_t position_of(const std::string& name, const std::vector<std::string>& names,
                        const char* kind, const SourceLocation& where) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw ConfigError(where, fmt::format("there is no {} `{}`", kind, name),
                      suggest_known(name, names, "there are"));
  return static_cast<std::size_t>(found - names.begin());
}

/// The number of a cell that is filled with a material.
std::size_t cell_named(const std::string& name, const Geometry& geometry,
                       const SourceLocation& where) {
  const std::size_t i = position_of(name, geometry.cell_names, "cell", where);
  const Cell& cell = geometry.cells[i];
  if (cell.fill_kind != FillKind::material || cell.fill == Cell::void_material)
    throw ConfigError(
        where,
        fmt::format("nothing collides in cell `{}` itself, which is filled with {}", name,
                    cell.fill_kind == FillKind::material   ? "void"
                    : cell.fill_kind == FillKind::universe ? "a universe"
                                                           : "a lattice"),
        "name cells that are filled with a material");
  return i;
}

std::vector<std::size_t> cells_of(const ExponentialTransformConfig& c, const Geometry& geometry) {
  std::vector<std::size_t> cells;
  for (const std::string& name : c.cells)
    cells.push_back(cell_named(name, geometry, c.cells_where));
  for (const std::string& name : c.materials) {
    const std::size_t material =
        position_of(name, geometry.material_names, "material", c.materials_where);
    for (std::size_t i = 0; i < geometry.cells.size(); ++i)
      if (geometry.cells[i].fill_kind == FillKind::material &&
          geometry.cells[i].fill == static_cast<std::int32_t>(material))
        cells.push_back(i);
  }
  return cells;
}

}  // namespace

void describe_flight_biases(Section& top, FlightBiasConfig& config) {
  config = {};
  top.optional_table(
      "forced_collisions",
      [&](Section& s) {
        s.required("cells", config.forced_cells,
                   {.doc = "particles that enter one of these cells are split: a part flies "
                           "through, and a part collides in it, with the weights that belong to "
                           "both",
                    .min_size = 1});
        config.forced_where = s.location("cells");
      },
      "collisions where few would happen, as next to a detector; for fixed sources");
  top.tables<ExponentialTransformConfig>(
      "exponential_transform", config.transforms, describe_transform,
      "stretches free paths in a direction, and corrects weights for it; for deep penetration, "
      "together with weight windows");
}

std::vector<FlightBias> flight_biases(const FlightBiasConfig& config, const Geometry& geometry) {
  if (!config.is_set()) return {};
  std::vector<FlightBias> biases(geometry.cells.size());
  for (const std::string& name : config.forced_cells)
    biases[cell_named(name, geometry, config.forced_where)].is_forced = 1;
  for (const ExponentialTransformConfig& c : config.transforms)
    for (const std::size_t i : cells_of(c, geometry)) {
      FlightBias& bias = biases[i];
      if (bias.stretching != 0)
        throw ConfigError(c.where,
                          fmt::format("two transforms act in cell `{}`", geometry.cell_names[i]),
                          "leave the cell, or its material, out of one of them");
      const std::int32_t is_forced = bias.is_forced;
      bias = c.bias;
      bias.is_forced = is_forced;
    }
  return biases;
}

}  // namespace gsim::transport
