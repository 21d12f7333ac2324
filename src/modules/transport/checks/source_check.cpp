#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "kernels/transport/geometry/geometry.hpp"
#include "src/modules/transport/checks/run_checks.hpp"
#include "src/modules/transport/eigenvalue/initial_source.hpp"

namespace gsim::transport {
namespace {

using transport_kernels::HistoryRandom;

/// Number of source particles that are sampled.
constexpr Index max_started = 500;

/// Number of particles of one source that start, and of those that end at once, by reason.
struct StartCounts {
  Index started = 0, without_cell = 0, zero_importance = 0, late = 0;
  Vector3 first_without_cell, first_zero_importance;
  std::int32_t zero_importance_cell = -1;
};

/// The cell and material at x; on a surface, those on the side towards larger z.
CellAt cell_of(const System& system, const Vector3& x) {
  return transport_kernels::cell_at(system.geometry().view(), x, Vector3{0, 0, 1});
}

std::vector<StartCounts> count_starts(const RunToCheck& c) {
  std::vector<StartCounts> sources(c.config.sources.list.size());
  for (const SourceParticle& p : first_particles(c)) {
    StartCounts& f = sources[std::min(static_cast<std::size_t>(p.source), sources.size() - 1)];
    ++f.started;
    const std::int32_t cell = cell_of(c.system, p.position).cell;
    if (cell < 0) {
      if (f.without_cell++ == 0) f.first_without_cell = p.position;
    } else if (c.config.geometry.cells[static_cast<std::size_t>(cell)].importance == 0) {
      if (f.zero_importance++ == 0) f.first_zero_importance = p.position;
      f.zero_importance_cell = cell;
    } else if (c.config.rules.is_timed != 0 && !(p.time < c.config.rules.time_cutoff)) {
      ++f.late;
    }
  }
  return sources;
}

/// Checks for starting positions in no cell: an error if more particles are lost than are allowed.
void check_outside_cells(const RunToCheck& c, std::size_t i, const StartCounts& f, Index all,
                         std::vector<std::string>& warnings) {
  if (f.without_cell == 0) return;
  const std::string problem = fmt::format(
      "{} of the first {} particles of source {} start in no cell, the first at "
      "{} cm",
      f.without_cell, f.started, i + 1, position_text(f.first_without_cell));
  const double lost = static_cast<double>(f.without_cell) / static_cast<double>(all) *
                      static_cast<double>(c.config.particles) *
                      static_cast<double>(c.config.batches);
  // Sites of an eigenvalue calculation are sampled again.
  const bool is_resampled = c.config.mode == Mode::k_eigenvalue && c.system.supply() == nullptr;
  if (f.without_cell == f.started ||
      (!is_resampled && lost > static_cast<double>(c.config.max_lost)))
    throw ConfigError(c.config.sources.list[i].where, problem,
                      "move the source into the geometry; `gsim plot` draws it");
  if (!is_resampled) warnings.push_back(problem + "; such particles are lost");
}

void check_starts(const RunToCheck& c, std::size_t i, const StartCounts& f, Index all,
                  std::vector<std::string>& warnings) {
  const SourceLocation& where = c.config.sources.list[i].where;
  check_outside_cells(c, i, f, all, warnings);
  if (f.zero_importance > 0) {
    const std::string problem = fmt::format(
        "{} of the first {} particles of source {} start in cell `{}`, whose importance is 0, the "
        "first at {} cm, and end there",
        f.zero_importance, f.started, i + 1,
        c.system.geometry().cell_names[static_cast<std::size_t>(f.zero_importance_cell)],
        position_text(f.first_zero_importance));
    if (f.zero_importance == f.started)
      throw ConfigError(where, problem, "give the cell an importance, or move the source");
    warnings.push_back(problem);
  }
  if (f.started > 0 && f.late == f.started)
    throw ConfigError(where,
                      fmt::format("all of the first {} particles of source {} start after the time "
                                  "cutoff of {:g} s",
                                  f.started, i + 1, c.config.rules.time_cutoff),
                      "give a later `time_cutoff`, or the source an earlier `time`");
}

void check_fission(const RunToCheck& c) {
  const auto& materials = c.config.materials.materials;
  bool is_fissile = false;
  for (std::size_t m = 0; m < materials.size(); ++m)
    is_fissile = is_fissile || (c.system.used_materials()[m] && materials[m].is_fissile());
  if (!is_fissile)
    throw ConfigError(c.config.where,
                      "mode = \"k_eigenvalue\" without fissile material: no cell is filled with a "
                      "material that has `fission` and produces neutrons",
                      "fill a cell with one, or set mode = \"fixed_source\"");
  if (c.system.supply() != nullptr) return;
  constexpr Index max_sites = 50;  // number of initial sites that are sampled
  locate_errors(c.config.where, [&] {
    initial_source(c.system.initial_source(c.seed), c.pool,
                   {0, std::min(max_sites, c.config.particles)});
    return 0;
  });
}

}  // namespace

std::string position_text(const Vector3& v) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", v.x, v.y, v.z);
}

std::vector<SourceParticle> first_particles(const RunToCheck& c) {
  const Index count = std::min(max_started, c.config.particles);
  if (c.system.supply() != nullptr) return c.system.supply()->particles({0, count});
  std::vector<SourceParticle> particles;
  particles.reserve(static_cast<std::size_t>(count));
  const SourceView sources = c.system.host_sources();
  const PhiloxKey key = stream_key({c.seed, Purpose::transport_history});
  for (Index i = 0; i < count; ++i) {
    HistoryRandom random(key, static_cast<std::uint64_t>(i));
    SourceParticle particle;
    std::int32_t sampled_source = 0;
    const auto accept = [&](std::int32_t source, const Vector3& position) {
      sampled_source = source;
      const Source& s = sources.sources[source];
      if (s.cells == 0 && s.materials == 0) return true;
      const CellAt here = cell_of(c.system, position);
      return here.cell >= 0 &&
             transport_kernels::is_admitted(sources, source, here.cell, here.material);
    };
    if (transport_kernels::sample_source(sources, random, accept, particle) !=
        transport_kernels::SourceSampling::sampled)
      throw ConfigError(
          c.config.sources.list[static_cast<std::size_t>(sampled_source)].where,
          fmt::format("none of {} positions of source {} lies in the cells and materials that it "
                      "is restricted to",
                      transport_kernels::max_source_tries, sampled_source + 1),
          "move its `space`, or name other cells or materials");
    particles.push_back(particle);
  }
  return particles;
}

std::vector<std::string> check_sources(const RunToCheck& c) {
  std::vector<std::string> warnings;
  if (!c.config.sources.list.empty()) {
    const std::vector<StartCounts> sources = count_starts(c);
    Index all = 0;
    for (const StartCounts& f : sources) all += f.started;
    for (std::size_t i = 0; i < sources.size(); ++i) check_starts(c, i, sources[i], all, warnings);
  }
  if (c.config.mode == Mode::k_eigenvalue) check_fission(c);
  return warnings;
}

}  // namespace gsim::transport
