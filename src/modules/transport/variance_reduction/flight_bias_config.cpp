#include "src/modules/transport/variance_reduction/flight_bias_config.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/transport/unit_vector.hpp"

namespace gsim::transport {
namespace {

void describe_transform(Section& s, ExponentialTransformConfig& c) {
  c.keys = s.locations();
  s.optional("cells", c.cells, {.doc = "names of the cells with the transform", .min_size = 1});
  s.optional(
      "materials", c.materials,
      {.doc = "names of the materials with the transform, in place of cells", .min_size = 1});
  s.required(
      "parameter", c.bias.stretching,
      {.doc = "p of the cross section S (1 - p mu) from which free paths are sampled, with "
              "the total cross section S and the cosine mu between the flight and the "
              "direction; a positive p stretches paths along the direction. A good choice is the "
              "absorbed fraction of collisions",
       .minimum = -1,
       .maximum = 1,
       .exclusive_minimum = true,
       .exclusive_maximum = true});
  s.optional("direction", c.direction,
             {.doc = "direction in which paths are stretched", .min_size = 3, .max_size = 3});
  s.optional("towards", c.towards,
             {.doc = "point towards which paths are stretched, in place of direction",
              .unit = "cm",
              .min_size = 3,
              .max_size = 3});
}

std::size_t position_of(const std::string& name, const std::vector<std::string>& names,
                        const char* kind, const SourceLocation& where) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw ConfigError(where, fmt::format("there is no {} `{}`", kind, name),
                      suggest_known(name, names, "there are"));
  return static_cast<std::size_t>(found - names.begin());
}

/// The index of a cell, which must be filled with a material.
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
    cells.push_back(cell_named(name, geometry, c.keys.location("cells")));
  for (const std::string& name : c.materials) {
    const std::size_t material =
        position_of(name, geometry.material_names, "material", c.keys.location("materials"));
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
        s.required(
            "cells", config.forced_cells,
            {.doc = "names of the cells in which particles that enter are split into a part "
                    "that leaves the cell without a collision and a part that collides in it, "
                    "with weights by their probabilities",
             .min_size = 1});
        config.forced_keys = s.locations();
      },
      "forced collisions in cells where few would happen, for example near a "
      "detector; for fixed sources");
  top.tables<ExponentialTransformConfig>(
      "exponential_transform", config.transforms, describe_transform,
      "exponential transform: free paths are stretched in a direction, and "
      "weights corrected; for deep penetration, together with weight windows");
}

void validate_flight_biases(FlightBiasConfig& config) {
  for (ExponentialTransformConfig& c : config.transforms) {
    if (c.cells.empty() == c.materials.empty())
      c.keys.fail("cells", "the transform acts in `cells` or in `materials`", "give one of them");
    if (c.direction.empty() == c.towards.empty())
      c.keys.fail("direction", "paths are stretched in a `direction` or `towards` a point",
                  "give one of them");
    c.bias.is_towards = c.towards.empty() ? 0 : 1;
    c.bias.target = c.towards.empty() ? unit_vector(c.keys, "direction", c.direction)
                                      : Vector3{c.towards[0], c.towards[1], c.towards[2]};
  }
}

std::vector<FlightBias> flight_biases(const FlightBiasConfig& config, const Geometry& geometry) {
  if (!config.is_set()) return {};
  std::vector<FlightBias> biases(geometry.cells.size());
  for (const std::string& name : config.forced_cells)
    biases[cell_named(name, geometry, config.forced_keys.location("cells"))].is_forced = 1;
  for (const ExponentialTransformConfig& c : config.transforms)
    for (const std::size_t i : cells_of(c, geometry)) {
      FlightBias& bias = biases[i];
      if (bias.stretching != 0)
        throw ConfigError(c.keys.location("parameter"),
                          fmt::format("two transforms act in cell `{}`", geometry.cell_names[i]),
                          "leave the cell, or its material, out of one of them");
      const std::int32_t is_forced = bias.is_forced;
      bias = c.bias;
      bias.is_forced = is_forced;
    }
  return biases;
}

}  // namespace gsim::transport
