// Reports of the module about its geometry: errors that are found before a run, volumes, and lost
// particles.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/modules/transport/transport_module.hpp"

namespace gsim::transport {
namespace {

/// Number of random points at which the geometry is tested before a run: in the box around it, and
/// in the boxes of all cells together.
constexpr Index examined_points = 100000;
/// Smallest and largest number of points in the box of a cell.
constexpr Index min_in_cell = 50, max_in_cell = 2000;
/// Number of volumes that are printed.
constexpr std::size_t max_volumes = 20;

std::string to_string(const Vector3& v) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", v.x, v.y, v.z);
}

}  // namespace

PointCounts TransportModule::examine_geometry(std::vector<bool>& is_sampled) const {
  const Geometry& g = system_->geometry();
  const StreamId stream{context_->seed, Purpose::transport_points};
  PointCounts counts =
      sample_points(g, context_->executor.pool(), system_->box(), {0, examined_points}, stream);
  // Small cells are only found by points in their own boxes.
  const std::vector<CellInstance> instances = instances_of_cells(g, system_->box());
  const Index points_per_cell =
      std::clamp(examined_points / std::max(Index{1}, static_cast<Index>(instances.size())),
                 min_in_cell, max_in_cell);
  const PointCounts in_cells = sample_cells(g, context_->executor.pool(), instances,
                                            points_per_cell, examined_points, stream);
  const std::vector<GeometryFault>& faults =
      counts.faults.empty() ? in_cells.faults : counts.faults;
  is_sampled.assign(g.cells.size(), false);
  for (std::size_t i = 0; i < is_sampled.size(); ++i)
    is_sampled[i] = counts.in_cell[i] > 0 || in_cells.in_cell[i] > 0;
  if (faults.empty()) return counts;
  const GeometryFault& worst = *std::max_element(
      faults.begin(), faults.end(),
      [](const GeometryFault& a, const GeometryFault& b) { return a.count < b.count; });
  const std::int32_t cell = cell_of_fault(g, worst);
  std::string what = describe_fault(g, worst);
  if (worst.cells[0] < 0)
    what += cell < 0 ? std::string(": no cell contains this position")
                     : fmt::format(": no cell contains this position; cell `{}` is near",
                                   g.cell_names[static_cast<std::size_t>(cell)]);
  throw ConfigError(
      cell < 0 ? config_.where
               : config_.geometry.cells[static_cast<std::size_t>(cell)].region_where,
      fmt::format("{} ({} of {} random points)", what, worst.count,
                  counts.faults.empty() ? in_cells.points : counts.points),
      "check the regions of cells; `gsim plot` draws overlaps and gaps in colours of their own");
}

std::vector<std::string> TransportModule::volume_notes(const PointCounts& counts) const {
  const SampleBox& box = system_->box();
  const auto line = [&](std::string_view what, const std::vector<std::string>& names,
                        const std::vector<Index>& hits) {
    std::string text = fmt::format("volumes   by {}, cm3:", what);
    const std::size_t shown = std::min(names.size(), max_volumes);
    for (std::size_t i = 0; i < shown; ++i) {
      const VolumeEstimate v = volume_of(hits[i], counts.points, box);
      text += fmt::format("{} {} {:.5g} +- {:.2g}", i == 0 ? "" : ",", names[i], v.mean, v.error);
    }
    if (shown < names.size()) text += fmt::format(", and {} more", names.size() - shown);
    return text;
  };
  std::vector<std::string> materials;
  for (const Material& m : config_.materials.materials) materials.push_back(m.name);
  const bool has_void = counts.in_material.back() > 0;
  if (has_void) materials.push_back("void");
  std::vector<std::string> notes{
      line("material", materials, counts.in_material),
      line("cell", system_->geometry().cell_names, counts.in_cell),
      fmt::format(
          "          within {} to {}, from {} random points; neither these points nor those in "
          "the box of each cell showed undefined regions or overlapping cells",
          to_string({box.lower[0], box.lower[1], box.lower[2]}),
          to_string({box.upper[0], box.upper[1], box.upper[2]}), counts.points)};
  const SampleBox bounds = system_->bounds();
  for (std::size_t a = 0; a < 3; ++a)
    if (!(std::isfinite(bounds.lower[a]) && std::isfinite(bounds.upper[a])))
      notes.push_back(
          fmt::format("          along {} no surfaces bound the geometry: {:.4g} cm of it were "
                      "tested",
                      "xyz"[a], box.upper[a] - box.lower[a]));
  return notes;
}

std::string TransportModule::lost_message() const {
  const BatchSeries& series = calculation_->series();
  const LostParticle& p = series.first_lost;
  const auto& names = system_->geometry().cell_names;
  const std::string cell =
      p.cell < 0 ? "" : fmt::format(", last in cell `{}`", names[static_cast<std::size_t>(p.cell)]);
  std::string why = "no cell contains this position";
  // Farther than any geometry: no surface bounded the flight.
  constexpr double far_away = 1e30;
  for (const double x : {p.position.x, p.position.y, p.position.z})
    if (!(std::fabs(x) < far_away))
      why =
          "its flight did not end: no surface with a boundary condition bounds the geometry there";
  if (p.reason == LostParticle::Reason::no_cell &&
      is_unbounded(system_->geometry().view(), p.position, p.direction))
    why = "no surface is ahead of it: the geometry is not bounded there";
  if (p.reason == LostParticle::Reason::too_many_flights)
    why = fmt::format("it had not ended after {} flights: is there no absorption or leakage?",
                      config_.rules.max_flights);
  if (p.reason == LostParticle::Reason::no_start)
    why =
        "no sampled position of its source was in the cells and materials to which the source is "
        "restricted";
  if (p.reason == LostParticle::Reason::too_many_secondaries)
    why =
        "it produced more neutrons than max_secondaries: the system seems to be critical or "
        "supercritical";
  if (p.reason == LostParticle::Reason::overlap) {
    const PointState state = state_at(system_->geometry().view(), p.position);
    const auto name = [&](std::size_t i) {
      return state.overlapping[i] < 0 ? std::string("?")
                                      : names[static_cast<std::size_t>(state.overlapping[i])];
    };
    why = fmt::format(
        "cells `{}` and `{}` overlap there; correct their regions, `gsim plot` draws "
        "overlaps in a colour of their own",
        name(0), name(1));
  }
  return fmt::format(
      "{} particles were lost; the first one, history {}, at {} cm with direction {}{}: {}",
      series.lost, p.history, to_string(p.position), to_string(p.direction), cell, why);
}

}  // namespace gsim::transport
