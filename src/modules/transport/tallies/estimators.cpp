// Which estimator serves which tally, and what scores ask of materials.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/modules/transport/tallies/tally_plan.hpp"

namespace gsim::transport {
namespace {

bool has(const TallyConfig& tally, TallyScoreKind score) {
  return std::find(tally.scores.begin(), tally.scores.end(), score) != tally.scores.end();
}
bool needs_place(const TallyConfig& tally) {
  return !tally.cells.empty() || !tally.universes.empty() || !tally.materials.empty();
}
bool is_flux_alone(const TallyConfig& tally) {
  return tally.scores == std::vector<TallyScoreKind>{TallyScoreKind::flux};
}

[[noreturn]] void refuse(const TallyConfig& tally, std::string_view key, const std::string& problem,
                         const std::string& advice) {
  throw ConfigError(tally.place(key), problem, advice);
}

/// Where particles fly and never collide.
std::string place_without_collisions(const Geometry& geometry, const MaterialSet& materials) {
  for (std::size_t i = 0; i < geometry.cells.size(); ++i) {
    const Cell& cell = geometry.cells[i];
    if (cell.fill_kind != FillKind::material) continue;
    if (cell.fill == Cell::void_material)
      return fmt::format("void in cell `{}`", geometry.cell_names[i]);
    const Material& m = materials.materials[static_cast<std::size_t>(cell.fill)];
    for (std::size_t g = 0; g < m.total.size(); ++g)
      if (!(m.total[g] > 0))
        return fmt::format("material `{}`, whose total cross section is 0 in group {}", m.name,
                           g + 1);
  }
  return {};
}

TallyEstimator at_surfaces(const TallyConfig& tally, const Geometry& geometry,
                           bool is_delta_tracking) {
  if (tally.estimator && *tally.estimator != TallyEstimator::analog)
    refuse(tally, "estimator",
           "a tally at surfaces scores each crossing as it happens: its only estimator is `analog`",
           "leave out `estimator`, or `surfaces`");
  for (std::size_t i = 0; i < tally.scores.size(); ++i)
    if (tally.scores[i] != TallyScoreKind::flux && tally.scores[i] != TallyScoreKind::current)
      refuse(tally, "scores",
             fmt::format("{} happens in volumes, not at surfaces", tally.score_names[i]),
             "leave out surfaces, or score current and flux alone");
  if (!is_delta_tracking) return TallyEstimator::crossing;
  if (needs_place(tally))
    refuse(tally, "surfaces", "delta tracking does not know cells at surfaces",
           "say tracking = \"surface\" in [transport]");
  for (const std::string& name : tally.surfaces) {
    const auto found =
        std::find(geometry.surface_names.begin(), geometry.surface_names.end(), name);
    if (found == geometry.surface_names.end()) continue;  // told elsewhere
    const auto i = static_cast<std::size_t>(found - geometry.surface_names.begin());
    if (geometry.surfaces[i].boundary == SurfaceBoundary::transmission)
      refuse(tally, "surfaces",
             fmt::format("delta tracking does not see `{}`, which has no boundary condition", name),
             "say tracking = \"surface\" in [transport]");
  }
  return TallyEstimator::crossing;
}

TallyEstimator at_detectors(const TallyConfig& tally) {
  if (tally.estimator)
    refuse(tally, "estimator", "detectors have one estimator, the next-event one",
           "leave out estimator, or detectors");
  const auto refuse_beside = [&](const char* key, bool is_given) {
    if (is_given)
      refuse(tally, key, fmt::format("{} beside detectors, which are points", key),
             "make it another tally, or remove one of them");
  };
  refuse_beside("cells", !tally.cells.empty());
  refuse_beside("universes", !tally.universes.empty());
  refuse_beside("materials", !tally.materials.empty());
  refuse_beside("surfaces", !tally.surfaces.empty());
  refuse_beside("mesh", !tally.mesh.empty());
  for (std::size_t i = 0; i < tally.scores.size(); ++i)
    if (tally.scores[i] == TallyScoreKind::current || tally.scores[i] == TallyScoreKind::k)
      refuse(tally, "scores", fmt::format("{} is not defined at a point", tally.score_names[i]),
             "leave it out: detectors have the flux and reaction rates by volume");
  return TallyEstimator::next_event;
}

}  // namespace

TallyEstimator choose_estimator(const TallyConfig& tally, const Geometry& geometry,
                                const MaterialSet& materials, bool is_delta_tracking) {
  if (!tally.detectors.empty()) return at_detectors(tally);
  if (!tally.surfaces.empty()) return at_surfaces(tally, geometry, is_delta_tracking);
  if (has(tally, TallyScoreKind::current))
    refuse(tally, "scores", "current is scored at surfaces, and the tally has none",
           "name them as surfaces = [...]");
  const bool tracks_serve = !is_delta_tracking || (is_flux_alone(tally) && !needs_place(tally));
  if (!tally.estimator)
    return tracks_serve ? TallyEstimator::track_length : TallyEstimator::collision;
  if (*tally.estimator == TallyEstimator::track_length && !tracks_serve)
    refuse(tally, "estimator",
           needs_place(tally)
               ? "delta tracking does not know in which cells and materials its tracks are"
               : "delta tracking does not know the cross sections along its tracks",
           "say estimator = \"collision\", or tracking = \"surface\" in [transport]");
  const bool has_response = has(tally, TallyScoreKind::response);
  if (*tally.estimator == TallyEstimator::analog && has_response)
    refuse(tally, "estimator", "the response of a [[score]] is to a flux, and no event",
           "say track_length or collision");
  const bool misses_void = *tally.estimator == TallyEstimator::analog ||
                           (*tally.estimator == TallyEstimator::collision && !is_delta_tracking);
  if (misses_void && (has(tally, TallyScoreKind::flux) || has_response)) {
    const std::string place = place_without_collisions(geometry, materials);
    if (!place.empty())
      refuse(tally, "estimator",
             fmt::format("the flux would miss {}, where nothing collides", place),
             "say estimator = \"track_length\", or tally the flux by itself");
  }
  return *tally.estimator;
}

double unit_of_sum(TallyScoreKind score) {
  // Energies are some 2e8 eV a fission: in units of 2^27 eV their sums have the room of others.
  return score == TallyScoreKind::kappa_fission ? 0x1p27 : 1.0;
}

std::vector<double> responses_of(TallyScoreKind score, const MaterialSet& materials,
                                 bool is_analog) {
  const auto groups = static_cast<std::size_t>(materials.groups);
  std::vector<double> table(groups,
                            score == TallyScoreKind::flux || score == TallyScoreKind::current);
  const auto value = [&](const std::vector<double>& data, std::size_t g) {
    return data.empty() ? 0.0 : data[g];
  };
  for (const Material& m : materials.materials) {
    for (std::size_t g = 0; g < groups; ++g) {
      double gain = 0;
      if (!m.multiplicity.empty() && !m.scatter.empty() && !is_analog)
        for (std::size_t to = 0; to < groups; ++to)
          gain += m.scatter[0][g * groups + to] * (m.multiplicity[g * groups + to] - 1);
      switch (score) {
        case TallyScoreKind::flux:
        case TallyScoreKind::current:
          table.push_back(1);
          break;
        case TallyScoreKind::total:
          table.push_back(m.total[g]);
          break;
        case TallyScoreKind::absorption:
          table.push_back(value(m.absorption, g));
          break;
        case TallyScoreKind::fission:
          table.push_back(value(m.fission, g));
          break;
        case TallyScoreKind::scatter:
          table.push_back(m.scatter.empty() ? 0.0 : m.scattering(static_cast<Index>(g)));
          break;
        case TallyScoreKind::kappa_fission:
          table.push_back(value(m.kappa_fission, g) / unit_of_sum(score));
          break;
        case TallyScoreKind::nu_fission:
        case TallyScoreKind::k:
          table.push_back(value(m.nu_fission, g));
          break;
        case TallyScoreKind::production:
          table.push_back(value(m.nu_fission, g) + gain);
          break;
        case TallyScoreKind::response:  // the other responses_of()
          break;
      }
    }
  }
  return table;
}

double unit_of_sum(const std::vector<double>& responses) {
  double largest = 0;
  for (const double r : responses) largest = std::max(largest, std::abs(r));
  return largest > 0 ? std::ldexp(1.0, std::ilogb(largest)) : 1.0;
}

std::vector<double> responses_of(const ScoreConfig& score, const MaterialSet& materials) {
  const auto groups = static_cast<std::size_t>(materials.groups);
  const std::vector<double> none(groups, 0.0);
  const auto of = [&](const std::vector<double>& data) {
    return std::span<const double>(data.empty() ? none : data);
  };
  std::vector<double> table;
  const auto add = [&](const ScoreMaterial& material) {
    std::vector<double> response(groups, 0.0);
    score.kind->response(score.numbers, material, response);
    for (std::size_t g = 0; g < groups; ++g)
      GSIM_VALIDATE(std::isfinite(response[g]),
                    fmt::format("score `{}` gives {} in group {} of material `{}`", score.name,
                                response[g], g + 1, material.name),
                    "its keys, or the plugin that brings it, are wrong");
    table.insert(table.end(), response.begin(), response.end());
  };
  add({"void", none, none, none, none, none, materials.bounds});
  for (const Material& m : materials.materials)
    add({m.name, of(m.total), of(m.absorption), of(m.fission), of(m.nu_fission),
         of(m.kappa_fission), materials.bounds});
  return table;
}

}  // namespace gsim::transport
