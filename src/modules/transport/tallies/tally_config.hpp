#pragma once
// Tallies as a configuration gives them in [[mesh]], [[score]], [[point_detector]], [[tally]] and
// [tallies], with names in place of indices. Lengths are in cm, times in s, energies in eV.

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/transport/filter_kind.hpp"
#include "gsim/transport/score_kind.hpp"
#include "kernels/transport/tallies/tally_view.hpp"

namespace gsim::transport {

struct MeshConfig {
  std::string name;
  TallyMeshKind kind = TallyMeshKind::rectilinear;
  bool is_regular = false;
  std::vector<double> lower, upper;  ///< corners of a regular mesh, cm
  std::vector<Index> shape;          ///< numbers of bins of a regular mesh
  /// Ascending bounds along x, y, z, or of r, phi (degrees) and z relative to the origin; empty:
  /// not divided.
  std::array<std::vector<double>, 3> bounds;
  Vector3 origin;        ///< cylindrical
  int along = 2;         ///< cylindrical: 0, 1, 2: the axis is along x, y, z
  SourceLocation where;  ///< of the name

  Index bins(std::size_t dimension) const {
    return bounds[dimension].empty() ? 1 : static_cast<Index>(bounds[dimension].size()) - 1;
  }
  Index bins() const { return bins(0) * bins(1) * bins(2); }
};

/// The errors at which a tally is sufficiently converged. A run may end when all triggers are met.
struct TallyTrigger {
  double relative_error = 0;  ///< limit of standard error / |mean|; 0: none
  double absolute_error = 0;  ///< standard error; 0: none
  bool ignore_zeros = false;  ///< disregard bins without any score
  bool is_set() const { return relative_error > 0 || absolute_error > 0; }
};

/// A score of a tally: a kind with the values of its keys ([[score]]), or a kind without keys.
struct ScoreConfig {
  std::string name;
  const ScoreKind* kind = nullptr;
  std::vector<double> numbers = {};  ///< parameters of its response
  SourceLocation where = {};
};

/// [[point_detector]]: where next-event estimates of the flux are made.
struct PointDetectorConfig {
  std::string name;
  Vector3 position;
  double radius = 0;  ///< of the exclusion sphere
  double roulette =
      0x1p-80;  ///< threshold of Russian roulette for contributions, 1/cm2 per source particle
  SourceLocation where, radius_where;  ///< of position and exclusion_radius
};

struct TallyConfig {
  std::string name;
  std::vector<std::string> score_names;
  std::vector<ScoreConfig> scores;    ///< the kinds with these names
  std::vector<FilterConfig> filters;  ///< those that are given, in the order of their positions
  std::string estimator_name;
  std::optional<TallyEstimator> estimator;  ///< empty: choose_estimator() selects one
  std::vector<double> response;             ///< factors by group; empty: 1
  TallyTrigger trigger;
  KeyLocations keys;

  /// The filter of the kind with this name; null: the tally has none.
  const FilterConfig* filter(std::string_view kind) const;
};

struct TalliesConfig {
  std::vector<MeshConfig> meshes;
  std::vector<ScoreConfig> scores;
  std::vector<PointDetectorConfig> detectors;
  std::vector<TallyConfig> tallies;
  bool vtk = true;          ///< write a VTKHDF file for each tally with a mesh
  bool statepoint = false;  ///< write OpenMC's statepoint file

  /// Whether a tally has the detector.
  bool is_tallied(const PointDetectorConfig& detector) const;
};

/// The name of a tally within file names (sanitize_file_name()).
std::string name_in_files(const std::string& name);

using ScoreKinds = std::span<const ScoreKind* const>;
using FilterKinds = std::span<const FilterKind* const>;

/// Describes [[mesh]], [[point_detector]], [[score]], [[tally]] and [tallies] with the kinds of
/// scores and filters that exist. ConfigError where a table is not valid in itself. Names of cells,
/// materials, surfaces and meshes are looked up by plan_tallies(), which has the geometry.
void describe_tallies(Section& top, TalliesConfig& config, ScoreKinds scores, FilterKinds filters);
/// ConfigError where two tables have the same name.
void validate_tallies(const TalliesConfig& config);

/// Describes [[mesh]] alone.
void describe_meshes(Section& top, std::vector<MeshConfig>& meshes);
/// Describes [[point_detector]] alone.
void describe_detectors(Section& top, std::vector<PointDetectorConfig>& detectors);

}  // namespace gsim::transport
