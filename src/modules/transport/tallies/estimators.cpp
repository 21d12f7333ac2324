// The estimators of tallies, and the responses of scores.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/modules/transport/tallies/tally_plan.hpp"

namespace gsim::transport {
namespace {

/// The name of the first score for which `is_wanted` holds; empty: none.
template <class Predicate>
std::string first_score(const TallyConfig& tally, const Predicate& is_wanted) {
  for (const ScoreConfig& score : tally.scores)
    if (is_wanted(*score.kind)) return score.name;
  return {};
}
template <class Predicate>
bool has_score(const TallyConfig& tally, const Predicate& is_wanted) {
  return !first_score(tally, is_wanted).empty();
}
/// The first axis whose traits satisfy `is_wanted`; null: none.
template <class Predicate>
const TallyAxis* first_axis(const std::vector<TallyAxis>& axes, const Predicate& is_wanted) {
  const auto found = std::ranges::find_if(
      axes, [&](const TallyAxis& axis) { return is_wanted(axis.functor->traits); });
  return found == axes.end() ? nullptr : &*found;
}
bool needs_cell(const std::vector<TallyAxis>& axes) {
  return first_axis(axes, [](const FilterTraits& t) { return t.needs_cell; }) != nullptr;
}
bool depends_on_material(const TallyConfig& tally) {
  return has_score(tally, [](const ScoreKind& score) { return score.depends_on_material; });
}

/// Describes a cell in which nothing collides; empty: there is none.
std::string cell_without_collisions(const Geometry& geometry, const MaterialSet& materials) {
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

TallyEstimator estimator_at_surfaces(const TallyConfig& tally, const std::vector<TallyAxis>& axes,
                                     const Geometry& geometry, bool is_delta_tracking) {
  if (tally.estimator && *tally.estimator != TallyEstimator::analog)
    tally.keys.fail(
        "estimator",
        "a tally at surfaces scores the crossings themselves: its only estimator is `analog`",
        "leave out `estimator`, or `surfaces`");
  const std::string unfit =
      first_score(tally, [](const ScoreKind& score) { return !score.is_scored_at_surfaces; });
  if (!unfit.empty())
    tally.keys.fail("scores", fmt::format("{} is scored in volumes, not at surfaces", unfit),
                    "leave out surfaces, or score current and flux alone");
  if (!is_delta_tracking) return TallyEstimator::crossing;
  if (needs_cell(axes))
    tally.keys.fail("surfaces", "delta tracking does not locate cells at surfaces",
                    "set tracking = \"surface\" in [transport]");
  for (const TallyAxis& axis : axes) {
    if (axis.quantity != "surface") continue;
    for (std::size_t i = 0; i < axis.map.size(); ++i)
      if (axis.map[i] >= 0 && geometry.surfaces[i].boundary == SurfaceBoundary::transmission)
        tally.keys.fail(
            axis.kind->name,
            fmt::format("delta tracking does not stop at `{}`, which has no boundary condition",
                        geometry.surface_names[i]),
            "set tracking = \"surface\" in [transport]");
  }
  return TallyEstimator::crossing;
}

TallyEstimator estimator_at_detectors(const TallyConfig& tally,
                                      const std::vector<TallyAxis>& axes) {
  if (tally.estimator)
    tally.keys.fail("estimator", "detectors have one estimator, the next-event one",
                    "leave out estimator, or detectors");
  if (const TallyAxis* axis = first_axis(axes, [](const FilterTraits& t) { return !t.at_points; }))
    tally.keys.fail(
        axis->kind->name,
        fmt::format("{} cannot be given with detectors, which are points", axis->kind->name),
        "make it another tally, or remove one of them");
  const std::string unfit =
      first_score(tally, [](const ScoreKind& score) { return !score.is_scored_at_points; });
  if (!unfit.empty())
    tally.keys.fail(
        "scores", fmt::format("{} is not defined at a point", unfit),
        "leave it out: at detectors only the flux and reaction rates per volume are tallied");
  return TallyEstimator::next_event;
}

}  // namespace

TallyEstimator choose_estimator(const TallyConfig& tally, const std::vector<TallyAxis>& axes,
                                const Geometry& geometry, const MaterialSet& materials,
                                bool is_delta_tracking) {
  const auto at_points_only = [](const FilterTraits& t) { return !t.in_volumes && !t.at_surfaces; };
  const auto at_surfaces_only = [](const FilterTraits& t) { return !t.in_volumes && !t.at_points; };
  if (first_axis(axes, at_points_only) != nullptr) return estimator_at_detectors(tally, axes);
  if (first_axis(axes, at_surfaces_only) != nullptr)
    return estimator_at_surfaces(tally, axes, geometry, is_delta_tracking);
  const std::string unfit =
      first_score(tally, [](const ScoreKind& score) { return !score.is_scored_in_volumes; });
  if (!unfit.empty())
    tally.keys.fail("scores",
                    fmt::format("{} is only scored at surfaces, and the tally has none", unfit),
                    "name them as surfaces = [...]");
  const bool allows_track_length =
      !is_delta_tracking || (!depends_on_material(tally) && !needs_cell(axes));
  if (!tally.estimator)
    return allows_track_length ? TallyEstimator::track_length : TallyEstimator::collision;
  if (*tally.estimator == TallyEstimator::track_length && !allows_track_length)
    tally.keys.fail("estimator",
                    needs_cell(axes)
                        ? "delta tracking does not locate the cells and materials of tracks"
                        : "delta tracking has no cross sections along tracks",
                    "set estimator = \"collision\", or tracking = \"surface\" in [transport]");
  if (*tally.estimator == TallyEstimator::analog &&
      has_score(tally, [](const ScoreKind& score) { return score.analog_events == 0; }))
    tally.keys.fail("estimator",
                    "a [[score]] is a response to the flux, for which there is no analog event",
                    "set estimator to track_length or collision");
  const bool misses_void = *tally.estimator == TallyEstimator::analog ||
                           (*tally.estimator == TallyEstimator::collision && !is_delta_tracking);
  if (misses_void &&
      has_score(tally, [](const ScoreKind& score) { return score.scores_in_void; })) {
    const std::string cell = cell_without_collisions(geometry, materials);
    if (!cell.empty())
      tally.keys.fail("estimator",
                      fmt::format("the flux would miss {}, where nothing collides", cell),
                      "set estimator = \"track_length\", or tally the flux by itself");
  }
  return *tally.estimator;
}

double sum_unit_of(const ScoreKind& score, const std::vector<double>& responses) {
  if (score.sum_unit > 0) return score.sum_unit;
  double largest = 0;
  for (const double r : responses) largest = std::max(largest, std::abs(r));
  return largest > 0 ? std::ldexp(1.0, std::ilogb(largest)) : 1.0;
}

namespace {

/// The data of a material for responses, with zeros for absent data.
class ResponseData {
 public:
  ResponseData(const Material& m, std::size_t groups, std::span<const double> bounds,
               bool is_analog)
      : none_(groups, 0.0), scattering_(groups, 0.0), gain_(groups, 0.0) {
    for (std::size_t g = 0; g < groups && !m.scatter.empty(); ++g) {
      scattering_[g] = m.scattering(static_cast<Index>(g));
      if (m.multiplicity.empty() || is_analog) continue;
      for (std::size_t to = 0; to < groups; ++to)
        gain_[g] += m.scatter[0][g * groups + to] * (m.multiplicity[g * groups + to] - 1);
    }
    data_ = {m.name,
             or_zeros(m.total),
             or_zeros(m.absorption),
             or_zeros(m.fission),
             or_zeros(m.nu_fission),
             or_zeros(m.kappa_fission),
             bounds,
             scattering_,
             gain_,
             m.is_fissile()};
  }
  /// The data of void.
  ResponseData(std::size_t groups, std::span<const double> bounds) : none_(groups, 0.0) {
    data_ = {"void", none_, none_, none_, none_, none_, bounds, none_, none_, false};
  }
  ResponseData(const ResponseData&) = delete;
  ResponseData& operator=(const ResponseData&) = delete;

  const ScoreMaterial& data() const { return data_; }

 private:
  std::span<const double> or_zeros(const std::vector<double>& data) const {
    return data.empty() ? none_ : data;
  }

  std::vector<double> none_, scattering_, gain_;
  ScoreMaterial data_;
};

}  // namespace

std::vector<double> responses_of(const ScoreConfig& score, const MaterialSet& materials,
                                 bool is_analog) {
  const auto groups = static_cast<std::size_t>(materials.groups);
  std::vector<double> table;
  const auto add = [&](const ScoreMaterial& material) {
    std::vector<double> response(groups, 0.0);
    score.kind->response(score.numbers, material, response);
    for (std::size_t g = 0; g < groups; ++g)
      GSIM_VALIDATE(std::isfinite(response[g]),
                    fmt::format("score `{}` gives {} in group {} of material `{}`", score.name,
                                response[g], g + 1, material.name),
                    "its keys, or the plugin that defines it, are wrong");
    table.insert(table.end(), response.begin(), response.end());
  };
  add(ResponseData(groups, materials.bounds).data());
  for (const Material& m : materials.materials)
    add(ResponseData(m, groups, materials.bounds, is_analog).data());
  return table;
}

std::string missing_data(const ScoreKind& score, const Material& material) {
  if (score.missing_data == nullptr) return {};
  constexpr bool is_analog = false;
  const ResponseData data(material, material.total.size(), {}, is_analog);
  const char* missing = score.missing_data(data.data());
  return missing != nullptr ? missing : "";
}

std::string unit_of(const ScoreKind& score, TallyEstimator estimator) {
  if (estimator != TallyEstimator::next_event) return std::string(score.unit);
  return score.unit_at_points.empty() ? fmt::format("{} / cm3", score.unit)
                                      : std::string(score.unit_at_points);
}

}  // namespace gsim::transport
