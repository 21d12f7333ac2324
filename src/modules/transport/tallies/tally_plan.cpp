#include "src/modules/transport/tallies/tally_plan.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "gsim/core/angle.hpp"
#include "gsim/math/policy.hpp"
#include "gsim/math/trig.hpp"

namespace gsim::transport {
namespace {

constexpr Index max_values = Index{1} << 40;
constexpr std::string_view void_name = "void";

std::int32_t to_int32(Index i) { return static_cast<std::int32_t>(i); }
template <class T>
Index size_of(const std::vector<T>& list) {
  return static_cast<Index>(list.size());
}

class TallyPlanner {
 public:
  TallyPlanner(const TalliesConfig& config, const Geometry& geometry, const MaterialSet& materials,
               const TallyRules& rules)
      : config_(config), geometry_(geometry), materials_(materials), rules_(rules) {}

  TallyPlan build() {
    plan_.meshes = config_.meshes;
    plan_.group_bounds = materials_.bounds;
    arrays().groups = to_int32(materials_.groups);
    for (const MeshConfig& mesh : config_.meshes) add_mesh(mesh);
    for (const TallyConfig& tally : config_.tallies) {
      const auto where =
          tally.places.find("name");  // absent in tallies that the module itself makes
      at_place(where == tally.places.end() ? SourceLocation{} : where->second,
               [&] { add_model(tally); });
    }
    add_tallies([&](const TallyModel& m) {
      return m.estimator == TallyEstimator::track_length && !is_by_flight(m);
    });
    arrays().by_flight = add_tallies([&](const TallyModel& m) { return is_by_flight(m); });
    for (const auto e : {TallyEstimator::collision, TallyEstimator::analog,
                         TallyEstimator::crossing, TallyEstimator::next_event})
      add_tallies([&](const TallyModel& m) { return m.estimator == e; });
    return std::move(plan_);
  }

 private:
  TallyArrays& arrays() { return plan_.arrays; }

  // --- meshes

  Index add_edges(const std::vector<double>& edges) {
    const Index first = size_of(arrays().edges);
    arrays().edges.insert(arrays().edges.end(), edges.begin(), edges.end());
    return first;
  }

  void add_mesh(const MeshConfig& config) {
    TallyMesh mesh;
    mesh.kind = config.kind;
    mesh.origin = config.origin;
    mesh.along = config.along;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::vector<double>& bounds = config.bounds[k];
      if (bounds.empty()) continue;
      const std::int32_t d = mesh.dimensions++;
      mesh.axis[d] = to_int32(static_cast<Index>(k));
      mesh.bins[d] = to_int32(config.bins(k));
      if (config.is_regular)
        mesh.per_length[d] = static_cast<double>(config.bins(k)) / (bounds.back() - bounds.front());
      const bool is_azimuth = config.kind == TallyMeshKind::cylindrical && k == 1;
      mesh.first_edge[d] = add_edges(is_azimuth ? sectors(bounds, mesh.ring) : bounds);
    }
    arrays().meshes.push_back(mesh);
  }

  /// The edges for AzimuthCuts: sectors that cover the full turn, those of the mesh first.
  static std::vector<double> sectors(std::vector<double> degrees, std::int32_t& ring) {
    while (degrees.front() >= 180) std::for_each(degrees.begin(), degrees.end(), turn_back);
    while (degrees.front() < -180) std::for_each(degrees.begin(), degrees.end(), turn_on);
    const double gap = degrees.front() + 360 - degrees.back();
    if (gap > 180) degrees.push_back(degrees.back() + gap / 2);
    if (gap > 0) degrees.push_back(degrees.front() + 360);
    ring = to_int32(size_of(degrees)) - 1;
    std::vector<double> edges;
    edges.reserve(3 * degrees.size());
    for (const double d : degrees) edges.push_back(d * radians_per_degree);
    for (std::int32_t i = 0; i < ring; ++i) {
      const auto direction = gsim::sincospi<Strict>(degrees[static_cast<std::size_t>(i)] / 180);
      edges.push_back(direction.cos);
      edges.push_back(direction.sin);
    }
    return edges;
  }
  static void turn_back(double& degrees) { degrees -= 360; }
  static void turn_on(double& degrees) { degrees += 360; }

  // --- tables

  /// The indices of `names` among `known`. ConfigError for unknown names.
  static std::vector<Index> look_up(const TallyConfig& tally, std::string_view key,
                                    std::string_view kind, const std::vector<std::string>& names,
                                    const std::vector<std::string>& known) {
    std::vector<Index> found;
    for (const std::string& name : names) {
      const auto at = std::find(known.begin(), known.end(), name);
      if (at == known.end())
        throw ConfigError(tally.place(key), fmt::format("there is no {} `{}`", kind, name),
                          suggest_known(name, known, "there are"));
      found.push_back(at - known.begin());
    }
    return found;
  }

  std::vector<std::string> material_names() const {
    std::vector<std::string> names{std::string(void_name)};
    for (const Material& m : materials_.materials) names.push_back(m.name);
    return names;
  }

  void add_axis(TallyModel& model, TallyAxis axis) {
    if (axis.bins > max_values / std::max<Index>(model.rows, 1))
      throw InputError(
          fmt::format("tally `{}` has more than {} bins: use a coarser mesh, or fewer filters",
                      model.name, max_values));
    model.rows *= axis.bins;
    model.axes.push_back(std::move(axis));
  }
  void add_named(TallyModel& model, TallyFilterKind kind, const std::vector<std::string>& names) {
    if (!names.empty()) add_axis(model, {.kind = kind, .bins = size_of(names), .names = names});
  }
  void add_bounded(TallyModel& model, TallyFilterKind kind, const std::vector<double>& bounds) {
    if (!bounds.empty())
      add_axis(model, {.kind = kind, .bins = size_of(bounds) - 1, .bounds = bounds});
  }

  void add_model(const TallyConfig& tally) {
    TallyModel model;
    model.name = tally.name;
    model.estimator = choose_estimator(tally, geometry_, materials_, rules_.is_delta_tracking);
    for (const ScoreConfig& score : tally.scores) {
      check_data(tally, *score.kind);
      model.scores.push_back(score.kind);
      model.score_names.push_back(score.name);
      model.units.push_back(sum_unit_of(*score.kind, responses_of_score(score)));
      model.unit_words.push_back(unit_of(*score.kind, model.estimator));
      if (model.estimator == TallyEstimator::next_event) model.units.back() *= detector_unit;
    }
    model.trigger = tally.trigger;
    check_other_data(tally);
    add_named(model, TallyFilterKind::cell, tally.cells);
    add_named(model, TallyFilterKind::universe, tally.universes);
    add_named(model, TallyFilterKind::material, tally.materials);
    add_named(model, TallyFilterKind::surface, tally.surfaces);
    if (!tally.detectors.empty()) add_detector_axes(tally, model);
    if (!tally.mesh.empty()) add_mesh_axis(tally, model);
    if (tally.by_group)
      add_axis(model, {.kind = TallyFilterKind::group,
                       .bins = materials_.groups,
                       .bounds = materials_.bounds,
                       .by_group = true});
    add_bounded(model, TallyFilterKind::group, tally.energy_bounds);
    add_bounded(model, TallyFilterKind::cosine, tally.cosine);
    if (!tally.cosine.empty()) {
      model.axes.back().is_normal = !tally.axis;
      model.axes.back().direction = tally.axis.value_or(Vector3{});
    }
    add_bounded(model, TallyFilterKind::azimuth, tally.azimuth);
    add_bounded(model, TallyFilterKind::time, tally.time);
    model.first_row = plan_.rows;
    model.first_value = plan_.values;
    plan_.rows += model.rows;
    plan_.values += model.values();
    plan_.tallies.push_back(std::move(model));
  }

  /// Evaluated once for all tallies that have the score.
  const std::vector<double>& responses_of_score(const ScoreConfig& score, bool is_analog = false) {
    std::vector<double>& known = responses_[{score.name, is_analog}];
    if (known.empty()) known = responses_of(score, materials_, is_analog);
    return known;
  }

  void add_detector_axes(const TallyConfig& tally, TallyModel& model) {
    if (arrays().detectors.empty()) {
      arrays().detectors = detectors_with_images(tally, config_.detectors, geometry_);
      std::erase_if(arrays().detectors, [&](const PointDetector& d) {
        return !is_tallied(config_.detectors[static_cast<std::size_t>(d.detector)]);
      });
    }
    add_named(model, TallyFilterKind::detector, tally.detectors);
    for (const Index i :
         look_up(tally, "detectors", "detector", tally.detectors, detector_names())) {
      const PointDetectorConfig& d = config_.detectors[static_cast<std::size_t>(i)];
      model.axes.back().places.insert(model.axes.back().places.end(),
                                      {d.position.x, d.position.y, d.position.z, d.radius});
    }
    add_named(model, TallyFilterKind::part, tally.parts);
  }
  bool is_tallied(const PointDetectorConfig& d) const {
    return std::any_of(config_.tallies.begin(), config_.tallies.end(), [&](const TallyConfig& t) {
      return std::find(t.detectors.begin(), t.detectors.end(), d.name) != t.detectors.end();
    });
  }
  std::vector<std::string> detector_names() const {
    std::vector<std::string> names;
    for (const PointDetectorConfig& d : config_.detectors) names.push_back(d.name);
    return names;
  }

  void add_mesh_axis(const TallyConfig& tally, TallyModel& model) {
    std::vector<std::string> known;
    for (const MeshConfig& mesh : config_.meshes) known.push_back(mesh.name);
    const Index mesh = look_up(tally, "mesh", "mesh", {tally.mesh}, known).front();
    add_axis(model, {.kind = TallyFilterKind::mesh,
                     .bins = config_.meshes[static_cast<std::size_t>(mesh)].bins(),
                     .mesh = mesh});
  }

  void check_data(const TallyConfig& tally, const ScoreKind& score) const {
    for (const Material& m : materials_.materials)
      if (const std::string missing = missing_data(score, m); !missing.empty())
        throw ConfigError(tally.place("scores"),
                          fmt::format("material `{}` has no {}", m.name, missing),
                          "give it to the material, or leave out this score");
  }
  void check_other_data(const TallyConfig& tally) const {
    if (!tally.time.empty() && !rules_.is_timed)
      throw ConfigError(tally.place("time"), "a filter by time in a run that keeps no time",
                        "time is kept with mode = \"fixed_source\" where all materials have speed");
    if (!tally.response.empty() && size_of(tally.response) != materials_.groups)
      throw ConfigError(tally.place("response"),
                        fmt::format("response has {} factors for {} groups", tally.response.size(),
                                    materials_.groups),
                        "give one for each group");
    const bool is_event_count =
        !tally.surfaces.empty() || tally.estimator == TallyEstimator::analog;
    if (!tally.response.empty() && is_event_count)
      throw ConfigError(tally.place("response"),
                        "a response beside a tally of events: crossings of surfaces, or analog",
                        "responses multiply scores of the estimators track_length and collision; "
                        "remove it, or choose one of these");
  }

  // --- kernels' arrays

  /// Adds the tallies for which `is_wanted` holds; returns their number.
  template <class Predicate>
  std::int32_t add_tallies(Predicate&& is_wanted) {
    std::int32_t count = 0;
    for (std::size_t i = 0; i < plan_.tallies.size(); ++i) {
      if (!is_wanted(plan_.tallies[i])) continue;
      add_tally(i);
      ++count;
    }
    return count;
  }

  /// Whether nothing but the bin of a mesh changes along a flight, for a track-length tally.
  bool is_by_flight(const TallyModel& model) const {
    const auto stays = [](const TallyAxis& axis) {
      return axis.kind == TallyFilterKind::group || axis.kind == TallyFilterKind::cosine ||
             axis.kind == TallyFilterKind::azimuth || axis.kind == TallyFilterKind::mesh;
    };
    const auto is_flux = [](const ScoreKind* score) { return !score->depends_on_material; };
    return !rules_.has_falling_weights && model.estimator == TallyEstimator::track_length &&
           std::all_of(model.axes.begin(), model.axes.end(), stays) &&
           std::all_of(model.scores.begin(), model.scores.end(), is_flux);
  }

  void add_tally(std::size_t i) {
    const TallyModel& model = plan_.tallies[i];
    const TallyConfig& config = config_.tallies[i];
    Tally tally;
    tally.first_filter = to_int32(size_of(arrays().filters));
    tally.whole = add_filters(model, config, is_whole);
    tally.by_level = add_filters(model, config, is_by_level);
    tally.cutting = add_filters(model, config, is_cutting);
    tally.first_score = to_int32(size_of(arrays().scores));
    tally.scores = to_int32(model.columns());
    tally.first_value = model.first_value;
    for (std::size_t i = 0; i < model.scores.size(); ++i) add_score(model, config, i);
    tally.planes = planes_of(model, tally);
    arrays().tallies.push_back(tally);
    arrays().models.push_back(to_int32(static_cast<Index>(i)));
    ++arrays().count[static_cast<int>(model.estimator)];
    const bool at_collisions =
        model.estimator == TallyEstimator::collision || model.estimator == TallyEstimator::analog;
    arrays().needs_levels = arrays().needs_levels || (tally.by_level > 0 && at_collisions);
    arrays().needs_time = arrays().needs_time || !config.time.empty();
  }

  std::int32_t planes_of(const TallyModel& model, const Tally& tally) const {
    if (model.estimator != TallyEstimator::track_length || tally.scores != 1 ||
        tally.by_level != 0 || tally.cutting != 1)
      return 0;
    const TallyFilter& cutting = plan_.arrays.filters.back();
    if (cutting.kind != TallyFilterKind::mesh) return 0;
    const TallyMesh& mesh = plan_.arrays.meshes[static_cast<std::size_t>(cutting.mesh)];
    return mesh.kind == TallyMeshKind::rectilinear ? mesh.dimensions : 0;
  }

  static bool is_by_level(TallyFilterKind kind) {
    return kind == TallyFilterKind::cell || kind == TallyFilterKind::universe;
  }
  static bool is_cutting(TallyFilterKind kind) {
    return kind == TallyFilterKind::mesh || kind == TallyFilterKind::time;
  }
  static bool is_whole(TallyFilterKind kind) { return !is_by_level(kind) && !is_cutting(kind); }

  std::int32_t add_filters(const TallyModel& model, const TallyConfig& config,
                           bool (*is_wanted)(TallyFilterKind)) {
    std::int32_t count = 0;
    Index stride = model.rows;
    for (const TallyAxis& axis : model.axes) {
      stride /= axis.bins;
      if (!is_wanted(axis.kind)) continue;
      TallyFilter filter;
      filter.kind = axis.kind;
      filter.bins = to_int32(axis.bins);
      filter.stride = stride;
      filter.mesh = to_int32(axis.mesh);
      filter.about_normal = axis.is_normal ? 1 : 0;
      filter.axis = axis.direction;
      if (axis.kind == TallyFilterKind::cosine || axis.kind == TallyFilterKind::azimuth ||
          axis.kind == TallyFilterKind::time)
        filter.first = add_edges(axis.bounds);
      else if (axis.kind != TallyFilterKind::mesh)
        filter.first = add_map(axis, config);
      arrays().filters.push_back(filter);
      ++count;
    }
    return count;
  }

  /// Adds the table from the index of a cell, material, … to its bin.
  Index add_map(const TallyAxis& axis, const TallyConfig& config) {
    const Index first = size_of(arrays().maps);
    std::vector<Index> found;
    Index size = 0;
    const auto find = [&](std::string_view key, std::string_view kind,
                          const std::vector<std::string>& known) {
      found = look_up(config, key, kind, axis.names, known);
      size = size_of(known);
    };
    switch (axis.kind) {
      case TallyFilterKind::cell:
        find("cells", "cell", geometry_.cell_names);
        break;
      case TallyFilterKind::universe:
        find("universes", "universe", geometry_.universe_names);
        break;
      case TallyFilterKind::surface:
        find("surfaces", "surface", geometry_.surface_names);
        break;
      case TallyFilterKind::material:
        find("materials", "material", material_names());
        break;
      case TallyFilterKind::detector:
        find("detectors", "detector", detector_names());
        break;
      case TallyFilterKind::part:
        find("parts", "part", {part_words.begin(), part_words.end()});
        break;
      default:
        return add_group_map(axis, config);
    }
    arrays().maps.resize(static_cast<std::size_t>(first + size), -1);
    for (std::size_t bin = 0; bin < found.size(); ++bin)
      arrays().maps[static_cast<std::size_t>(first + found[bin])] =
          to_int32(static_cast<Index>(bin));
    return first;
  }

  Index add_group_map(const TallyAxis& axis, const TallyConfig& config) {
    const Index first = size_of(arrays().maps);
    for (Index g = 0; g < materials_.groups; ++g)
      arrays().maps.push_back(axis.by_group ? to_int32(g) : energy_bin(axis, config, g));
    return first;
  }
  /// The bin that contains group g; -1: none.
  std::int32_t energy_bin(const TallyAxis& axis, const TallyConfig& config, Index g) const {
    if (materials_.bounds.empty())
      throw ConfigError(config.place("energy_bounds"), "the groups have no bounds of energy",
                        "say energy = \"groups\", or give the bounds in [groups]");
    constexpr double same = 1e-6;  // relative difference of bounds printed with few digits
    const double high = materials_.bounds[static_cast<std::size_t>(g)];
    const double low = materials_.bounds[static_cast<std::size_t>(g) + 1];
    for (const double bound : axis.bounds)
      if (bound > low * (1 + same) && bound < high * (1 - same))
        throw ConfigError(
            config.place("energy_bounds"),
            fmt::format("{} eV lies within group {}, from {} to {} eV", bound, g + 1, low, high),
            "bins of energy are made of whole groups");
    const double middle = low / 2 + high / 2;
    for (std::size_t bin = 0; bin + 1 < axis.bounds.size(); ++bin)
      if (middle > axis.bounds[bin] && middle < axis.bounds[bin + 1])
        return to_int32(static_cast<Index>(bin));
    return -1;
  }

  void add_score(const TallyModel& model, const TallyConfig& config, std::size_t i) {
    const ScoreKind& kind = *model.scores[i];
    TallyScore score;
    score.first_response = size_of(arrays().responses);
    score.is_current = kind.is_net_current ? 1 : 0;
    const bool is_analog = model.estimator == TallyEstimator::analog;
    if (is_analog) score.events = kind.analog_events;
    std::vector<double> table = responses_of_score(config.scores[i], is_analog);
    for (double& r : table) r /= model.units[i];
    if (!config.response.empty())
      for (std::size_t i = 0; i < table.size(); ++i)
        table[i] *= config.response[i % config.response.size()];
    arrays().responses.insert(arrays().responses.end(), table.begin(), table.end());
    arrays().scores.push_back(score);
  }
  const TalliesConfig& config_;
  const Geometry& geometry_;
  const MaterialSet& materials_;
  TallyRules rules_;
  TallyPlan plan_;
  std::map<std::pair<std::string, bool>, std::vector<double>> responses_;
};

}  // namespace

TallyPlan plan_tallies(const TalliesConfig& config, const Geometry& geometry,
                       const MaterialSet& materials, const TallyRules& rules) {
  return TallyPlanner(config, geometry, materials, rules).build();
}

}  // namespace gsim::transport
