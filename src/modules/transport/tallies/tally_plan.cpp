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

constexpr Index max_values = Index{1} << 40;  // largest number of bins of a tally
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
    filter_system_ = make_filter_system();
    arrays().groups = to_int32(materials_.groups);
    for (const MeshConfig& mesh : config_.meshes) add_mesh(mesh);
    for (const TallyConfig& tally : config_.tallies) {
      // Tallies that the module itself makes have no location in a file.
      locate_errors(tally.keys.location("name"), [&] { add_model(tally); });
    }
    add_tallies([&](const TallyModel& m) {
      return m.estimator == TallyEstimator::track_length && !is_whole_track(m);
    });
    arrays().whole_track_tallies =
        add_tallies([&](const TallyModel& m) { return is_whole_track(m); });
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
      mesh.first_edge[d] = add_edges(is_azimuth ? sector_edges(bounds, mesh.sectors) : bounds);
    }
    arrays().meshes.push_back(mesh);
  }

  /// The array AzimuthCuts::edges for the azimuthal bounds `degrees` of a mesh: the mesh's sectors,
  /// and one or two more if these do not cover the full turn.
  static std::vector<double> sector_edges(std::vector<double> degrees, std::int32_t& sectors) {
    while (degrees.front() >= 180) std::for_each(degrees.begin(), degrees.end(), subtract_turn);
    while (degrees.front() < -180) std::for_each(degrees.begin(), degrees.end(), add_turn);
    const double gap = degrees.front() + 360 - degrees.back();
    if (gap > 180) degrees.push_back(degrees.back() + gap / 2);
    if (gap > 0) degrees.push_back(degrees.front() + 360);
    sectors = to_int32(size_of(degrees)) - 1;
    std::vector<double> edges;
    edges.reserve(3 * degrees.size());
    for (const double d : degrees) edges.push_back(d * radians_per_degree);
    for (std::int32_t i = 0; i < sectors; ++i) {
      const auto direction = gsim::sincospi<Strict>(degrees[static_cast<std::size_t>(i)] / 180);
      edges.push_back(direction.cos);
      edges.push_back(direction.sin);
    }
    return edges;
  }
  static void subtract_turn(double& degrees) { degrees -= 360; }
  static void add_turn(double& degrees) { degrees += 360; }

  // --- tables

  FilterSystem make_filter_system() const {
    FilterSystem system;
    system.cells = geometry_.cell_names;
    system.universes = geometry_.universe_names;
    system.surfaces = geometry_.surface_names;
    system.materials = {std::string(void_name)};
    for (const Material& m : materials_.materials) system.materials.push_back(m.name);
    system.groups = materials_.groups;
    system.group_bounds = materials_.bounds;
    system.is_timed = rules_.is_timed;
    for (const PointDetectorConfig& d : config_.detectors)
      system.detectors.push_back({d.name, d.position, d.radius});
    for (const MeshConfig& m : config_.meshes)
      system.meshes.push_back({m.name, m.kind == TallyMeshKind::cylindrical, m.bins()});
    return system;
  }

  void add_axis(TallyModel& model, TallyAxis axis) {
    if (axis.bins > max_values / std::max<Index>(model.rows, 1))
      throw InputError(
          fmt::format("tally `{}` has more than {} bins: use a coarser mesh, or fewer filters",
                      model.name, max_values));
    model.rows *= axis.bins;
    model.axes.push_back(std::move(axis));
  }
  void add_axes(const TallyConfig& tally, TallyModel& model) {
    for (const FilterConfig& filter : tally.filters) {
      TallyAxis axis{filter.kind->bins(filter, filter_system_), filter.kind};
      axis.functor = &filter_functor(axis.quantity);
      check_axis(tally, axis);
      add_axis(model, std::move(axis));
    }
  }
  /// InputError where a map or bounds do not suit the quantity: an error in the plugin that defines
  /// the filter.
  void check_axis(const TallyConfig& tally, const TallyAxis& axis) const {
    const bool is_mapped = !axis.map.empty();
    const auto outside = [&](std::int32_t bin) { return bin < -1 || bin >= axis.bins; };
    const bool is_bounded = axis.mesh < 0 && !is_mapped;
    if (axis.bins < 1 || std::ranges::any_of(axis.map, outside) ||
        (is_mapped && size_of(axis.map) != values_of(axis.quantity)) ||
        (is_bounded && (values_of(axis.quantity) != 0 || size_of(axis.bounds) != axis.bins + 1)))
      throw InputError(fmt::format(
          "filter `{}` of tally `{}` has {} bins, {} bounds and a map of {} values, which do not "
          "suit the quantity `{}`",
          axis.kind->name, tally.name, axis.bins, axis.bounds.size(), axis.map.size(),
          axis.quantity));
  }
  /// The number of values of a quantity that filters map to bins; 0 for other quantities.
  Index values_of(std::string_view quantity) const {
    const FilterSystem& f = filter_system_;
    return quantity == "cell"       ? size_of(f.cells)
           : quantity == "universe" ? size_of(f.universes)
           : quantity == "material" ? size_of(f.materials)
           : quantity == "surface"  ? size_of(f.surfaces)
           : quantity == "detector" ? size_of(f.detectors)
           : quantity == "group"    ? f.groups
           : quantity == "collided" ? 2
                                    : 0;
  }

  void add_model(const TallyConfig& tally) {
    TallyModel model;
    model.name = tally.name;
    add_axes(tally, model);
    model.estimator =
        choose_estimator(tally, model.axes, geometry_, materials_, rules_.is_delta_tracking);
    for (const ScoreConfig& score : tally.scores) {
      check_data(tally, *score.kind);
      model.scores.push_back(score.kind);
      model.score_names.push_back(score.name);
      model.units.push_back(sum_unit_of(*score.kind, responses_of_score(score)));
      model.unit_names.push_back(unit_of(*score.kind, model.estimator));
      if (model.estimator == TallyEstimator::next_event) model.units.back() *= detector_unit;
    }
    model.trigger = tally.trigger;
    check_response(tally, model.estimator);
    if (model.estimator == TallyEstimator::next_event) add_detectors(tally);
    model.first_row = plan_.rows;
    model.first_value = plan_.values;
    plan_.rows += model.rows;
    plan_.values += model.values();
    plan_.tallies.push_back(std::move(model));
  }

  /// The responses of a score, evaluated once for all tallies that have it.
  const std::vector<double>& responses_of_score(const ScoreConfig& score, bool is_analog = false) {
    std::vector<double>& responses = responses_[{score.name, is_analog}];
    if (responses.empty()) responses = responses_of(score, materials_, is_analog);
    return responses;
  }

  /// Adds the point detectors of all tallies, with their mirror images, at the first call.
  void add_detectors(const TallyConfig& tally) {
    if (!arrays().detectors.empty()) return;
    arrays().detectors = detectors_with_images(tally, config_.detectors, geometry_);
    std::erase_if(arrays().detectors, [&](const PointDetector& d) {
      return !config_.is_tallied(config_.detectors[static_cast<std::size_t>(d.detector)]);
    });
  }

  void check_data(const TallyConfig& tally, const ScoreKind& score) const {
    for (const Material& m : materials_.materials)
      if (const std::string missing = missing_data(score, m); !missing.empty())
        tally.keys.fail("scores", fmt::format("material `{}` has no {}", m.name, missing),
                        "add it to the material, or leave out this score");
  }
  void check_response(const TallyConfig& tally, TallyEstimator estimator) const {
    if (tally.response.empty()) return;
    if (size_of(tally.response) != materials_.groups)
      tally.keys.fail("response",
                      fmt::format("response has {} factors for {} groups", tally.response.size(),
                                  materials_.groups),
                      "give one for each group");
    if (estimator == TallyEstimator::crossing || estimator == TallyEstimator::analog)
      tally.keys.fail("response",
                      "a response is given for a tally with the estimator crossing or analog",
                      "remove it, or choose the estimator track_length or collision");
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
  bool is_whole_track(const TallyModel& model) const {
    const auto is_constant = [](const TallyAxis& axis) {
      return !axis.functor->traits.needs_cell && !axis.functor->traits.needs_time;
    };
    const auto is_flux = [](const ScoreKind* score) { return !score->depends_on_material; };
    return !rules_.has_changing_weights && model.estimator == TallyEstimator::track_length &&
           std::all_of(model.axes.begin(), model.axes.end(), is_constant) &&
           std::all_of(model.scores.begin(), model.scores.end(), is_flux);
  }

  void add_tally(std::size_t i) {
    const TallyModel& model = plan_.tallies[i];
    const TallyConfig& config = config_.tallies[i];
    Tally tally;
    tally.first_filter = to_int32(size_of(arrays().filters));
    tally.track_filters = add_filters(model, FilterScope::index, FilterScope::track);
    tally.level_filters = add_filters(model, FilterScope::level, FilterScope::level);
    tally.dividing_filters = add_filters(model, FilterScope::planes, FilterScope::cylinders);
    check_filters(model, tally);
    tally.first_score = to_int32(size_of(arrays().scores));
    tally.scores = to_int32(model.columns());
    tally.first_value = model.first_value;
    for (std::size_t i = 0; i < model.scores.size(); ++i) add_score(model, config, i);
    tally.only_planes = only_planes_of(model, tally);
    arrays().tallies.push_back(tally);
    arrays().models.push_back(to_int32(static_cast<Index>(i)));
    ++arrays().tallies_of_estimator[static_cast<int>(model.estimator)];
    const bool at_collisions =
        model.estimator == TallyEstimator::collision || model.estimator == TallyEstimator::analog;
    arrays().needs_levels = arrays().needs_levels || (tally.level_filters > 0 && at_collisions);
    arrays().needs_time =
        arrays().needs_time || std::ranges::any_of(model.axes, [](const TallyAxis& axis) {
          return axis.functor->traits.needs_time;
        });
  }

  /// The value of Tally::only_planes.
  std::int32_t only_planes_of(const TallyModel& model, const Tally& tally) const {
    if (model.estimator != TallyEstimator::track_length || tally.scores != 1 ||
        tally.level_filters != 0 || tally.dividing_filters != 1)
      return 0;
    const TallyFilter& dividing = plan_.arrays.filters.back();
    if (dividing.mesh < 0) return 0;
    const TallyMesh& mesh = plan_.arrays.meshes[static_cast<std::size_t>(dividing.mesh)];
    return mesh.kind == TallyMeshKind::rectilinear ? mesh.dimensions : 0;
  }

  /// Adds the filters of the scopes `first` to `last`; returns their number.
  std::int32_t add_filters(const TallyModel& model, FilterScope first, FilterScope last) {
    std::int32_t count = 0;
    Index stride = model.rows;
    for (std::size_t a = 0; a < model.axes.size(); ++a) {
      const TallyAxis& axis = model.axes[a];
      stride /= axis.bins;
      const FilterScope scope = axis.functor->traits.scope;
      if (scope < first || scope > last) continue;
      TallyFilter filter;
      filter.functor = axis.functor->number;
      filter.bins = to_int32(axis.bins);
      filter.stride = stride;
      filter.mesh = to_int32(axis.mesh);
      filter.direction = axis.direction;
      if (!axis.map.empty())
        filter.first = add_map(axis.map);
      else if (axis.mesh < 0)
        filter.first = add_edges(axis.bounds);
      arrays().filters.push_back(filter);
      arrays().filter_axes.push_back(to_int32(static_cast<Index>(a)));
      ++count;
    }
    return count;
  }
  Index add_map(const std::vector<std::int32_t>& map) {
    const Index first = size_of(arrays().maps);
    arrays().maps.insert(arrays().maps.end(), map.begin(), map.end());
    return first;
  }

  /// InputError where a tally has more filters of a scope than kernels allow.
  void check_filters(const TallyModel& model, const Tally& tally) const {
    Index planes = 0, cylindrical_meshes = 0;
    for (const TallyAxis& axis : model.axes) {
      if (axis.functor->traits.scope == FilterScope::cylinders) ++cylindrical_meshes;
      if (axis.mesh >= 0)
        planes += plan_.arrays.meshes[static_cast<std::size_t>(axis.mesh)].dimensions;
      else if (axis.functor->traits.scope == FilterScope::planes)
        ++planes;
    }
    if (tally.level_filters > max_level_filters || planes > max_dividing_planes ||
        cylindrical_meshes > 1)
      throw InputError(fmt::format(
          "tally `{}` has too many filters: at most {} by cell or universe, {} dimensions of "
          "meshes and times together, and one cylindrical mesh are possible",
          model.name, max_level_filters, max_dividing_planes));
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
  FilterSystem filter_system_;
  TallyPlan plan_;
  /// By name of the score and whether the tally is analog.
  std::map<std::pair<std::string, bool>, std::vector<double>> responses_;
};

}  // namespace

TallyPlan plan_tallies(const TalliesConfig& config, const Geometry& geometry,
                       const MaterialSet& materials, const TallyRules& rules) {
  return TallyPlanner(config, geometry, materials, rules).build();
}

}  // namespace gsim::transport
