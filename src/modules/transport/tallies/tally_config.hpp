#pragma once
// [[mesh]], [[tally]] and [tallies]: what is to be summed up, as a configuration gives it, by
// names. Lengths are in cm, times in s, energies in eV.

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/transport/score_kind.hpp"
#include "kernels/transport/tallies/tally_view.hpp"

namespace gsim::transport {

/// In the order of score_words, and what has its own name.
enum class TallyScoreKind {
  flux,
  total,
  absorption,
  fission,
  nu_fission,
  scatter,
  current,
  kappa_fission,
  k,
  production,
  response  ///< of a [[score]]
};
inline constexpr std::array<std::string_view, 10> score_words{
    "flux",    "total",   "absorption",    "fission", "nu-fission",
    "scatter", "current", "kappa-fission", "k",       "production"};

/// What comes to a point detector straight from the source, and what collided or was set free by
/// fission before; in the order of TallyState::is_collided.
inline constexpr std::array<std::string_view, 2> part_words{"uncollided", "collided"};

struct MeshConfig {
  std::string name;
  TallyMeshKind kind = TallyMeshKind::rectilinear;
  bool is_regular = false;
  /// Rising bounds along x, y, z, or r, phi (degrees), z from the origin; empty: not divided.
  std::array<std::vector<double>, 3> bounds;
  Vector3 origin;  ///< cylindrical
  int along = 2;   ///< cylindrical: the axis is x, y or z
  SourceLocation where;

  Index bins(std::size_t dimension) const {
    return bounds[dimension].empty() ? 1 : static_cast<Index>(bounds[dimension].size()) - 1;
  }
  Index bins() const { return bins(0) * bins(1) * bins(2); }
};

/// The errors at which a tally is done; a run may end when all tallies that have a trigger are.
struct TallyTrigger {
  double relative_error = 0;  ///< standard error over |mean|; 0: none
  double absolute_error = 0;  ///< standard error; 0: none
  bool ignore_zeros = false;  ///< bins that nothing has scored in do not count
  bool is_set() const { return relative_error > 0 || absolute_error > 0; }
};

/// [[score]]: a score of a plugin, with its keys read.
struct ScoreConfig {
  std::string name;
  const ScoreKind* kind = nullptr;
  std::vector<double> numbers;  ///< that its response reads
  SourceLocation where;
};

/// [[point_detector]]: where next-event estimates of the flux are made.
struct PointDetectorConfig {
  std::string name;
  Vector3 position;
  double radius = 0;                   ///< of the exclusion sphere
  double roulette = 0x1p-80;           ///< contributions below it play, 1/cm2 by source particle
  SourceLocation where, radius_where;  ///< of its position and exclusion_radius
};

struct TallyConfig {
  std::string name;
  std::vector<TallyScoreKind> scores;
  std::vector<std::string> score_names;  ///< of each
  std::vector<std::string> cells, universes, materials, surfaces, detectors;
  std::vector<std::string> parts;  ///< of the flux at detectors, of part_words
  std::string mesh;
  bool by_group = false;
  std::vector<double> energy_bounds;          ///< eV, rising; empty: none
  std::vector<double> cosine, azimuth, time;  ///< rising bounds; empty: no filter
  std::optional<Vector3> axis;                ///< of cosine
  std::optional<TallyEstimator> estimator;    ///< empty: chosen
  std::vector<double> response;               ///< factors by group; empty: 1
  TallyTrigger trigger;
  std::map<std::string, SourceLocation, std::less<>> places;  ///< of keys, for messages

  const SourceLocation& place(std::string_view key) const { return places.find(key)->second; }
};

struct TalliesConfig {
  std::vector<MeshConfig> meshes;
  std::vector<ScoreConfig> scores;
  std::vector<PointDetectorConfig> detectors;
  std::vector<TallyConfig> tallies;
  bool vtk = true;          ///< a file for each tally with a mesh
  bool statepoint = false;  ///< OpenMC's file
};

/// A tally's name as it stands in names of files (sanitize_file_name()).
std::string name_in_files(const std::string& name);

/// Reads [[mesh]], [[point_detector]], [[score]] of the kinds that plugins bring, [[tally]] and
/// [tallies]. Names of cells, materials, surfaces and meshes are looked up by plan_tallies(), which
/// knows the geometry. ConfigError where a table is not sound in itself.
void describe_tallies(Section& top, TalliesConfig& config,
                      std::span<const ScoreKind* const> kinds = {});

/// [[mesh]] alone.
void describe_meshes(Section& top, std::vector<MeshConfig>& meshes);
/// [[point_detector]] alone.
void describe_detectors(Section& top, std::vector<PointDetectorConfig>& detectors);

}  // namespace gsim::transport
