#include "src/modules/transport/simulation/system.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/transport/geometry/bounds/cell_boxes.hpp"
#include "src/modules/transport/geometry/bounds/half_space_bounds.hpp"
#include "src/modules/transport/particle_files/mcpl_source.hpp"
#include "src/modules/transport/sources/plugin_source.hpp"

namespace gsim::transport {
namespace {

std::vector<bool> materials_in(const Geometry& geometry) {
  std::vector<bool> used(geometry.material_names.size());
  for (const Cell& cell : geometry.cells)
    if (cell.fill_kind == FillKind::material && cell.fill >= 0)
      used[static_cast<std::size_t>(cell.fill)] = true;
  return used;
}

SourceArrays source_arrays(const TransportConfig& config, const Geometry& geometry) {
  return make_source_arrays(config.sources, config.materials, [&](const std::string& name) {
    std::vector<std::int32_t> cells;
    for (std::size_t i = 0; i < geometry.cell_names.size(); ++i)
      if (geometry.cell_names[i] == name) cells.push_back(static_cast<std::int32_t>(i));
    if (cells.empty())
      throw InputError("no cell is called `" + name + "`; " +
                       suggest_known(name, geometry.cell_names, "cells are"));
    return cells;
  });
}

std::vector<double> importances(const TransportConfig& config) {
  std::vector<double> all;
  for (const CellConfig& cell : config.geometry.cells) all.push_back(cell.importance);
  if (std::all_of(all.begin(), all.end(), [](double i) { return i == 1; })) all.clear();
  return all;
}

double strength_of(const TransportConfig& config, const McplSource& file) {
  if (!config.sources.list.front().strength_of_file) return config.sources.strength();
  if (file.strength() > 0) return file.strength();
  throw InputError(
      fmt::format("{} does not contain the number of source particles of its run "
                  "(\"stat:sum:{}\"): give `strength` in "
                  "place of strength_of_file",
                  config.sources.list.front().file, mcpl_sources));
}

/// The file or sampler that particles come from; null for sources that SourceView describes. Sets
/// `strength` to that of a file.
std::unique_ptr<ParticleSupply> open_supply(const TransportConfig& config, const Executor& executor,
                                            std::uint64_t seed, double& strength) {
  if (config.sources.list.empty()) return nullptr;
  const SourceConfig& c = config.sources.list.front();
  if (c.sampler != nullptr)
    return std::make_unique<PluginSource>(executor, *c.sampler, c.numbers,
                                          static_cast<std::int32_t>(config.materials.groups), seed);
  if (!config.sources.is_file()) return nullptr;
  auto file = std::make_unique<McplSource>(c.file, c.pdg, config.materials.bounds);
  strength = strength_of(config, *file);
  return file;
}

}  // namespace

Geometry make_geometry(const TransportConfig& config) {
  std::vector<std::string> names;
  for (const Material& m : config.materials.materials) names.push_back(m.name);
  return build_geometry(config.geometry, names);
}

TallyPlan plan_tallies(const TransportConfig& config, const Geometry& geometry) {
  return plan_tallies(config.tallies, geometry, config.materials,
                      {.is_delta_tracking = config.rules.tracking == Tracking::delta,
                       .is_timed = config.rules.is_timed != 0,
                       .has_changing_weights = !config.biases.transforms.empty()});
}

SampleBox box_around(const Geometry& geometry) {
  SampleBox box = box_of_root(geometry);
  double longest = 0;
  for (std::size_t a = 0; a < 3; ++a)
    if (std::isfinite(box.lower[a]) && std::isfinite(box.upper[a]))
      longest = std::max(longest, box.upper[a] - box.lower[a]);
  if (longest == 0) longest = length_of(geometry);
  for (std::size_t a = 0; a < 3; ++a) {
    double &lower = box.lower[a], &upper = box.upper[a];
    if (!std::isfinite(lower) && !std::isfinite(upper)) {
      lower = -longest / 2;
      upper = longest / 2;
    }
    if (!std::isfinite(lower)) lower = upper - longest;
    if (!std::isfinite(upper)) upper = lower + longest;
  }
  return box;
}

System::System(const TransportConfig& config, const Executor& executor, std::uint64_t seed)
    : geometry_(make_geometry(config)),
      box_(box_around(geometry_)),
      used_materials_(materials_in(geometry_)),
      geometry_arrays_(executor, geometry_),
      materials_(executor, make_material_arrays(config.materials, used_materials_)),
      host_materials_(Executor::host(1), make_material_arrays(config.materials, used_materials_)),
      sources_(executor, source_arrays(config, geometry_)),
      host_sources_(Executor::host(1), source_arrays(config, geometry_)),
      importance_(executor, importances(config)),
      biases_(executor, flight_biases(config.biases, geometry_)),
      tallies_(plan_tallies(config, geometry_)),
      source_strength_(config.sources.strength()),
      supply_(open_supply(config, executor, seed, source_strength_)) {}

SampleBox System::bounds() const { return box_of_root(geometry_); }

VarianceReductionView System::variance_reduction() const {
  VarianceReductionView view;
  view.importance = importance_.view();
  view.biases = biases_.view();
  return view;
}

}  // namespace gsim::transport
