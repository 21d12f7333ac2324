#pragma once
// Tallies with all names looked up: what their tables hold, and the arrays that kernels read.

#include <string>
#include <vector>

#include "src/modules/transport/geometry/geometry.hpp"
#include "src/modules/transport/materials/material.hpp"
#include "src/modules/transport/tallies/tally_config.hpp"

namespace gsim::transport {

/// One axis of a tally's table.
struct TallyAxis {
  TallyFilterKind kind = TallyFilterKind::group;
  Index bins = 1;
  std::vector<std::string> names = {};  ///< of bins: cells, universes, materials, surfaces
  /// Of bins: eV, rising, or of groups, falling where they are known; cosines; degrees; s.
  std::vector<double> bounds = {};
  Index mesh = -1;                  ///< in TallyPlan::meshes
  bool by_group = false;            ///< bins are the groups
  bool is_normal = false;           ///< cosine with the normal
  Vector3 direction = {};           ///< cosine with this axis
  std::vector<double> places = {};  ///< of detectors: x, y, z, exclusion radius of each, cm
};

/// A tally: a table with a row for each combination of bins (the last axis's bins are adjacent) and
/// a column for each score.
struct TallyModel {
  std::string name;
  TallyEstimator estimator = TallyEstimator::track_length;
  std::vector<TallyScoreKind> scores;
  std::vector<std::string> score_names;  ///< of each, as in the configuration
  std::vector<std::string> unit_words;   ///< of each in results, by source particle
  std::vector<double> units;             ///< of the sums of each: powers of two
  std::vector<TallyAxis> axes;
  Index rows = 1;
  Index first_row = 0, first_value = 0;  ///< among all tallies'
  TallyTrigger trigger;

  Index columns() const { return static_cast<Index>(scores.size()); }
  Index values() const { return rows * columns(); }
};

/// The arrays of TallyView on the host.
struct TallyArrays {
  std::vector<Tally> tallies;
  std::vector<std::int32_t> models;  ///< which one each of `tallies` is, in TallyPlan::tallies
  std::int32_t count[tally_estimators] = {};
  std::int32_t by_flight = 0;
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
  std::vector<double> group_bounds;  ///< eV, falling; empty: not known
};

/// What tallies must know of a run.
struct TallyRules {
  bool is_delta_tracking = false;
  bool is_timed = true;              ///< particles have speeds, and the time is kept
  bool has_falling_weights = false;  ///< weights change along flights (exponential transform)
};

/// Looks up what the tallies name and chooses estimators. ConfigError for names that nothing has,
/// for estimators and filters that cannot serve a score, and for data that a score needs and no
/// material has.
TallyPlan plan_tallies(const TalliesConfig& config, const Geometry& geometry,
                       const MaterialSet& materials, const TallyRules& rules);

/// A digest, in hexadecimal digits, of all that a tally is: its name, estimator, scores, bins, and
/// what a flux scores in each material and group. It stands in the results.
std::string definition_of(const TallyPlan& plan, std::size_t tally);

/// What the flux of one gives to a score: [material + 1][group], void first. `is_analog`: what is
/// left of it once gains of scattering are scored by themselves.
std::vector<double> responses_of(TallyScoreKind score, const MaterialSet& materials,
                                 bool is_analog);
/// Likewise of a plugin's score. InputError that names score, material and group where a response
/// is no finite number.
std::vector<double> responses_of(const ScoreConfig& score, const MaterialSet& materials);

/// The estimator of a tally; ConfigError where the one that is asked for cannot serve.
TallyEstimator choose_estimator(const TallyConfig& tally, const Geometry& geometry,
                                const MaterialSet& materials, bool is_delta_tracking);

/// The detectors of a configuration and their images in planes that reflect. ConfigError, for a
/// tally at detectors, where a boundary condition has no such images, or infinitely many.
std::vector<PointDetector> detectors_with_images(const TallyConfig& tally,
                                                 std::span<const PointDetectorConfig> detectors,
                                                 const Geometry& geometry);

/// The power of two that a score's sums count in.
double unit_of_sum(TallyScoreKind score);
/// A factor of it at detectors, whose fluxes are by cm2, and may be small.
inline constexpr double detector_unit = 0x1p-12;
/// Likewise of a plugin's score: that of its largest response.
double unit_of_sum(const std::vector<double>& responses);

/// The unit of one of gsim's scores in results, by source particle.
std::string unit_of(TallyScoreKind score);
/// Likewise of a score at detectors, whose unit elsewhere is `unit`.
std::string unit_at_detectors(TallyScoreKind score, const std::string& unit);
/// The word for an axis in tables: "cell", "group", "energy", ….
std::string word_of(const TallyAxis& axis);
/// The same of several bins: "groups", "energies".
std::string plural_word_of(const TallyAxis& axis);
/// What a mesh divides: "x", "y", "z" or "r", "phi", "z".
std::array<std::string, 3> dimension_words(const MeshConfig& mesh);

}  // namespace gsim::transport
