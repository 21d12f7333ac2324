// Checks that histories end, and within a reasonable number of events.

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "kernels/transport/geometry/geometry.hpp"
#include "src/modules/transport/checks/run_checks.hpp"
#include "src/modules/transport/eigenvalue/initial_source.hpp"
#include "src/modules/transport/fixed_source/run_source.hpp"
#include "src/modules/transport/tracking/histories.hpp"
#include "src/modules/transport/variance_reduction/weight_windows.hpp"

namespace gsim::transport {
namespace {

/// Number of histories that are run as a test, and limits above which a warning is given.
constexpr Index tried_histories = 10;
constexpr std::int64_t many_flights = 100000;
constexpr std::int64_t many_secondaries = 20000;
/// Largest number of particles that a source particle may be split into by its first window, and
/// largest inverse probability of its survival there.
constexpr double max_splits = 1e6;
/// Ratio of the windows of two adjacent boxes above which a warning is given.
constexpr double large_step = 1e4;

/// Whether some particles are absorbed in the material, in any group.
bool absorbs(const Material& m) {
  constexpr double rounding = 1e-12;
  for (std::size_t g = 0; g < m.total.size(); ++g)
    if (m.absorption[g] > rounding * m.total[g]) return true;
  return false;
}

std::string used_material_names(const RunToCheck& c) {
  std::string names;
  const auto& materials = c.config.materials.materials;
  for (std::size_t m = 0; m < materials.size(); ++m)
    if (c.system.used_materials()[m])
      names += fmt::format("{}`{}`", names.empty() ? "" : ", ", materials[m].name);
  return names;
}

void check_absorption(const RunToCheck& c) {
  const auto& materials = c.config.materials.materials;
  for (std::size_t m = 0; m < materials.size(); ++m)
    if (c.system.used_materials()[m] && absorbs(materials[m])) return;
  const bool has_time_cutoff =
      c.config.rules.is_timed != 0 && std::isfinite(c.config.rules.time_cutoff);
  const bool ends_at_surfaces = c.config.particle_file.is_set && c.config.particle_file.ends;
  if (has_time_cutoff || ends_at_surfaces) return;
  for (const CellConfig& cell : c.config.geometry.cells)
    if (cell.importance == 0) return;
  bool has_boundary = false;
  for (const Surface& s : c.system.geometry().surfaces) {
    if (s.boundary == SurfaceBoundary::vacuum) return;
    has_boundary = has_boundary || s.boundary != SurfaceBoundary::transmission;
  }
  const std::string names = used_material_names(c);
  if (!has_boundary || names.empty()) return;  // particles leave the geometry, and are lost
  throw ConfigError(
      c.config.where,
      fmt::format("particles are never absorbed in {} (total = scattering in all groups) and no "
                  "boundary lets them leave: their histories would never end",
                  names),
      "give a material `capture`, or a surface boundary = \"vacuum\", or speeds and a time_cutoff");
}

/// "cell `c` of material `m`".
std::string cell_text(const RunToCheck& c, std::int32_t cell) {
  if (cell < 0) return "no cell";
  const auto& g = c.system.geometry();
  const Cell& at = g.cells[static_cast<std::size_t>(cell)];
  std::string name = fmt::format("cell `{}`", g.cell_names[static_cast<std::size_t>(cell)]);
  if (at.fill_kind != FillKind::material) return name;
  if (at.fill == Cell::void_material) return name + ", void";
  return fmt::format("{} of material `{}`", name,
                     g.material_names[static_cast<std::size_t>(at.fill)]);
}

/// ConfigError where windows would split a source particle into very many particles, or kill nearly
/// all source particles.
void check_first_windows(const RunToCheck& c, const WindowView& windows) {
  Index particles = 0, nearly_killed = 0;
  double min_survival = HUGE_VAL;
  for (const SourceParticle& p : first_particles(c)) {
    ++particles;
    const double lower = transport_kernels::window_at(windows, p.position, p.group);
    if (lower == 0) continue;
    const double weight = p.weight;
    // A window with a negative bound has no upper bound and splits no particles
    // (WindowView::lower).
    const std::int32_t cell =
        transport_kernels::cell_at(c.system.geometry().view(), p.position, Vector3{0, 0, 1}).cell;
    if (lower > 0 && weight > max_splits * lower * windows.upper_ratio)
      throw ConfigError(
          c.config.windows.keys.location(c.config.windows.mesh_name.empty() ? "" : "mesh"),
          fmt::format("a source particle at {} cm, in {}, group {}, has the weight {:.3g} "
                      "where the window begins at {:.3g}: it would be split into about {:.1e} "
                      "particles",
                      position_text(p.position), cell_text(c, cell), p.group + 1, weight, lower,
                      weight / (lower * windows.upper_ratio)),
          fmt::format(
              "bounds of windows are weights, and source particles have the weight 1: multiply all "
              "bounds by about {:.1e}",
              2 * weight / (lower * (windows.upper_ratio + 1))));
    const double survival = weight / (std::abs(lower) * windows.survival_ratio);
    min_survival = std::min(min_survival, survival);
    if (survival < 1 / max_splits) ++nearly_killed;
  }
  if (particles > 0 && nearly_killed == particles)
    throw ConfigError(
        c.config.windows.keys.location(c.config.windows.mesh_name.empty() ? "" : "mesh"),
        fmt::format("the weights of source particles are far below their windows: Russian roulette "
                    "would let one in {:.1e} survive",
                    1 / min_survival),
        "bounds of windows are weights, and source particles have the weight 1: divide all bounds");
}

/// A warning where the windows of two adjacent boxes are very different; empty: none.
std::optional<std::string> steep_windows(const RunToCheck& c) {
  const WindowsConfig& w = c.config.windows;
  const Index groups = c.config.materials.groups;
  const Index bins[3] = {w.mesh.bins(0), w.mesh.bins(1), w.mesh.bins(2)};
  const Index stride[3] = {groups, groups * bins[0], groups * bins[0] * bins[1]};
  double steepest = large_step;
  Index at = -1;
  std::size_t along = 0;
  for (Index i = 0; i < static_cast<Index>(w.lower.size()); ++i)
    for (std::size_t a = 0; a < 3; ++a) {
      if (i / stride[a] % bins[a] + 1 == bins[a]) continue;
      const double here = w.lower[static_cast<std::size_t>(i)];
      const double next = w.lower[static_cast<std::size_t>(i + stride[a])];
      if (!(here > 0) || !(next > 0)) continue;
      const double ratio = std::max(here / next, next / here);
      if (!(ratio > steepest)) continue;
      steepest = ratio;
      at = i;
      along = a;
    }
  if (at < 0) return {};
  return fmt::format(
      "weight windows of two adjacent boxes along {} (box {}, {}, {} and the next, group {}) "
      "differ by a factor of {:.1e}: a particle that passes from one to the other is split into "
      "about as many, or survives with the inverse probability; make the boxes smaller",
      "xyz"[along], at / stride[0] % bins[0] + 1, at / stride[1] % bins[1] + 1,
      at / stride[2] % bins[2] + 1, at % groups + 1, steepest);
}

std::string too_many_flights_text(const RunToCheck& c, const LostParticle& p) {
  std::string where = cell_text(c, p.cell);
  return fmt::format(
      "history {} had not ended after {} flights, at {} cm in {}: histories take very long there; "
      "is there little absorption and leakage?",
      p.history, many_flights, position_text(p.position), where);
}

std::string too_many_secondaries_text(const RunToCheck& c, const LostParticle& p) {
  std::string why = "fission and multiplying scattering";
  if (c.config.windows.is_set) why = "splitting in weight windows, or " + why;
  for (const CellConfig& cell : c.config.geometry.cells)
    if (cell.importance != 1) why = "splitting between cells of different importance, or fission";
  return fmt::format(
      "history {} produced more than {} particles by {}, the last at {} cm in {}: histories "
      "take very long; check weights, importances, and whether the system is critical",
      p.history, many_secondaries, why, position_text(p.position), cell_text(c, p.cell));
}

/// Transports the first histories of the run, within limits; returns the first lost particle.
LostParticle first_lost(const RunToCheck& c, const Executor& host, const WeightWindows* windows) {
  Array<double> importance(host, 0);
  std::vector<double> importances;
  for (const CellConfig& cell : c.config.geometry.cells) importances.push_back(cell.importance);
  const bool are_all_one =
      std::all_of(importances.begin(), importances.end(), [](double i) { return i == 1; });
  if (!are_all_one) importance = Array<double>(host, std::span<const double>(importances));
  HistoriesArgs args;
  args.geometry = c.system.geometry().view();
  args.materials = c.system.host_materials();
  args.sources = c.system.host_sources();
  args.variance_reduction.importance = std::as_const(importance).view();
  if (windows != nullptr) args.variance_reduction.windows = windows->view();
  args.key = stream_key({c.seed, Purpose::transport_history});
  args.rules = c.config.rules;
  args.rules.flights_per_pass = 0;
  args.rules.max_flights = many_flights;
  args.rules.max_secondaries = std::min<std::int64_t>(args.rules.max_secondaries, many_secondaries);
  const Index particles = std::min(tried_histories, c.config.particles);
  Histories histories(Communicator::self(), host, args, particles);
  if (c.config.mode == Mode::fixed_source) return run_source(histories, c.system, 0).first_lost;
  const std::vector<FissionSite> sites =
      initial_source(c.system.initial_source(c.seed), c.pool, {0, particles});
  return histories.run(0, {sites.data(), particles}, c.config.first_k).first_lost;
}

}  // namespace

std::vector<std::string> check_histories(const RunToCheck& c) {
  check_absorption(c);
  std::vector<std::string> warnings;
  const Executor host = Executor::host(1);
  std::optional<WeightWindows> windows;
  if (!c.config.windows.lower.empty()) {
    windows.emplace(host, c.config.windows, c.config.materials.groups);
    check_first_windows(c, windows->view());
    if (const auto warning = steep_windows(c)) warnings.push_back(*warning);
  }
  if (c.config.mode == Mode::k_eigenvalue && c.system.supply() != nullptr) return warnings;
  const LostParticle lost = first_lost(c, host, windows ? &*windows : nullptr);
  if (lost.reason == LostParticle::Reason::too_many_flights)
    warnings.push_back(too_many_flights_text(c, lost));
  if (lost.reason == LostParticle::Reason::too_many_secondaries &&
      c.config.rules.max_secondaries > many_secondaries)
    warnings.push_back(too_many_secondaries_text(c, lost));
  return warnings;
}

}  // namespace gsim::transport
