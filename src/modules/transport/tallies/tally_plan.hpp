#pragma once
// Tallies with indices in place of names: the layout of their tables, and the arrays that kernels
// read.

#include <string>
#include <vector>

#include "src/modules/transport/geometry/geometry.hpp"
#include "src/modules/transport/materials/material.hpp"
#include "src/modules/transport/tallies/filter_functors.hpp"
#include "src/modules/transport/tallies/tally_config.hpp"

namespace gsim::transport {

/// One axis of a tally's table: the bins of a filter.
struct TallyAxis : FilterBins {
  const FilterKind* kind = nullptr;
  const FilterFunctor* functor = nullptr;  ///< of FilterBins::quantity
};

/// A tally: a table with a row for each combination of bins (the last axis's bins are adjacent) and
/// a column for each score.
struct TallyModel {
  std::string name;
  TallyEstimator estimator = TallyEstimator::track_length;
  std::vector<const ScoreKind*> scores;
  std::vector<std::string> score_names;  ///< of each score, as in the configuration
  std::vector<std::string> unit_names;   ///< unit of each score in results, per source particle
  std::vector<double> units;             ///< of the sums of each score: powers of two
  std::vector<TallyAxis> axes;
  Index rows = 1;
  Index first_row = 0, first_value = 0;  ///< counted over all tallies
  TallyTrigger trigger;

  Index columns() const { return static_cast<Index>(scores.size()); }
  Index values() const { return rows * columns(); }
};

/// The arrays of TallyView on the host.
struct TallyArrays {
  std::vector<Tally> tallies;
  std::vector<std::int32_t> models;       ///< index of each of `tallies` in TallyPlan::tallies
  std::vector<std::int32_t> filter_axes;  ///< axis of each of `filters` in its TallyModel
  std::int32_t tallies_of_estimator[tally_estimators] =
      {};                                ///< number of tallies of each estimator
  std::int32_t whole_track_tallies = 0;  ///< TallyView::whole_track_tallies
  std::int32_t groups = 0;
  bool needs_levels = false, needs_time = false;
  std::vector<TallyFilter> filters;
  std::vector<TallyScore> scores;
  std::vector<TallyMesh> meshes;
  std::vector<double> responses, edges;
  std::vector<std::int32_t> maps;
  std::vector<PointDetector> detectors;
};

struct TallyPlan {
  std::vector<MeshConfig> meshes;
  std::vector<TallyModel> tallies;
  TallyArrays arrays;
  Index rows = 0, values = 0;        ///< of all tallies
  std::vector<double> group_bounds;  ///< eV, descending; empty: unknown
};

/// Properties of a run that matter for tallies.
struct TallyRules {
  bool is_delta_tracking = false;
  bool is_timed = true;               ///< particles have speeds, and their times are tracked
  bool has_changing_weights = false;  ///< weights change along flights (exponential transform)
};

/// Replaces names by indices and chooses estimators. ConfigError for unknown names, for estimators
/// and filters that do not suit a score, and for data that a score needs and a material lacks.
TallyPlan plan_tallies(const TalliesConfig& config, const Geometry& geometry,
                       const MaterialSet& materials, const TallyRules& rules);

/// A digest, in hexadecimal digits, of the definition of a tally: name, estimator, scores, bins,
/// and responses by material and group. It is written to the results.
std::string definition_of(const TallyPlan& plan, std::size_t tally);

/// The response of a score to a unit flux: [material + 1][group], void first. `is_analog`:
/// without the gains of scattering, which analog tallies score as events of their own. InputError
/// that names score, material and group where a response is not finite.
std::vector<double> responses_of(const ScoreConfig& score, const MaterialSet& materials,
                                 bool is_analog = false);

/// The estimator of a tally with these axes. ConfigError where the configured one does not suit the
/// tally.
TallyEstimator choose_estimator(const TallyConfig& tally, const std::vector<TallyAxis>& axes,
                                const Geometry& geometry, const MaterialSet& materials,
                                bool is_delta_tracking);

/// The detectors of a configuration and their images in reflective planes. ConfigError, for a tally
/// at detectors, where a boundary condition has no such images, or infinitely many.
std::vector<PointDetector> detectors_with_images(const TallyConfig& tally,
                                                 std::span<const PointDetectorConfig> detectors,
                                                 const Geometry& geometry);

/// The unit, a power of two, of the sums of a score with these responses.
double sum_unit_of(const ScoreKind& score, const std::vector<double>& responses);
/// An additional factor at detectors, whose fluxes are per cm2 and may be small.
inline constexpr double detector_unit = 0x1p-12;

/// The name of the data that a score needs and a material lacks; empty: none.
std::string missing_data(const ScoreKind& score, const Material& material);

/// The unit of a score in results, per source particle.
std::string unit_of(const ScoreKind& score, TallyEstimator estimator);
/// The coordinates of a mesh: "x", "y", "z" or "r", "phi", "z".
std::array<std::string, 3> dimension_names(const MeshConfig& mesh);

}  // namespace gsim::transport
