#pragma once
// Tallies as flat arrays: what is summed up (scores), in which parts of phase space (filters), from
// which events of histories (estimators).
//
// The values of a tally are a table: a row for each combination of its filters' bins, a column for
// each score. src/modules/transport/tallies builds these arrays.

#include <cstdint>

#include "gsim/exec/view.hpp"
#include "kernels/transport/geometry/coordinates.hpp"
#include "kernels/transport/materials/material_view.hpp"

namespace gsim::transport {

enum class TallyEstimator : std::int32_t {
  track_length,  ///< weight times the way flown
  collision,     ///< weight over the cross section that collisions were drawn from
  analog,        ///< weight at the event itself
  crossing,      ///< weight at surfaces: analog, of tallies with a filter of surfaces
  next_event     ///< what emissions and collisions contribute to the flux at point detectors
};
inline constexpr int tally_estimators = 5;

enum class TallyFilterKind : std::int32_t {
  cell,      ///< that holds the particle at any level: several may match
  universe,  ///< likewise
  material,
  group,
  surface,
  cosine,   ///< of the direction with an axis, or with a surface's normal
  azimuth,  ///< of the direction about the z axis
  mesh,
  time,
  detector,  ///< point detectors
  part       ///< of the flux at a point detector: uncollided (0), collided (1)
};

struct TallyFilter {
  TallyFilterKind kind = TallyFilterKind::group;
  std::int32_t bins = 1;
  Index stride = 1;  ///< rows from one bin to the next
  /// Of cells, universes, materials (void first), groups, surfaces, detectors, parts: the place in
  /// `maps` of their bins, -1 for none. Of cosine, azimuth, time: the place in `edges` of bins + 1
  /// rising bounds.
  Index first = 0;
  std::int32_t mesh = -1;         ///< in `meshes`
  std::int32_t about_normal = 0;  ///< cosine: with the surface's normal
  Vector3 axis;                   ///< cosine: of length 1
};

/// Values from which bounds of meshes come: planes at rising places, or cylinders and half-planes
/// about an axis.
enum class TallyMeshKind : std::int32_t { rectilinear, cylindrical };

struct TallyMesh {
  TallyMeshKind kind = TallyMeshKind::rectilinear;
  std::int32_t dimensions = 0;  ///< those that divide; bins go on without end in the others
  /// Rectilinear: 0, 1, 2 for x, y, z. Cylindrical: 0, 1, 2 for radius, azimuth, height.
  std::int32_t axis[3] = {};
  std::int32_t bins[3] = {1, 1, 1};  ///< the first dimension's bins are adjacent
  Index first_edge[3] = {};          ///< in `edges`: bins + 1 bounds
  double per_length[3] = {};         ///< bins per length where all are alike, else 0
  Vector3 origin;                    ///< cylindrical: a point of the axis
  std::int32_t along = 2;            ///< cylindrical: the axis is x, y or z
  std::int32_t ring = 0;             ///< cylindrical: sectors of a whole turn (AzimuthCuts)
};

struct TallyScore {
  /// What an analog tally scores it at.
  static constexpr std::int32_t at_collision = 1, at_absorption = 2, at_scatter = 4, at_gain = 8;
  /// In `responses`, [material + 1][group]: what a flux of 1 gives, times a power of two that keeps
  /// sums far from their bounds.
  Index first_response = 0;
  std::int32_t events = 0;
  std::int32_t is_current = 0;  ///< at surfaces: the net weight that crosses, not the flux
};

inline constexpr std::int32_t most_tally_scores = 16;

struct Tally {
  /// Filters that have one bin for a whole track, then those of cells and universes, then those
  /// whose bounds cut tracks.
  std::int32_t first_filter = 0, whole = 0, by_level = 0, cutting = 0;
  std::int32_t first_score = 0, scores = 0;
  std::int32_t planes = 0;  ///< dimensions of a rectilinear mesh, where nothing else cuts; else 0
  Index first_value = 0;    ///< in the sums: row r, score s at first_value + r * scores + s
};

/// A point at which next-event estimates of the flux are made, or its image in reflective planes.
struct PointDetector {
  Vector3 position;  ///< cm
  /// Of the exclusion sphere, within which emissions contribute the mean over the sphere, cm.
  double radius = 0;
  /// Contributions to the flux below it play Russian roulette, 1/cm2 by source particle.
  double roulette = 0;
  std::int32_t detector = 0;  ///< its number in the configuration
  /// The planes that it is an image in: 1: of constant x, 2: y, 4: z, and sums of these.
  std::int32_t mirrored = 0;
};

/// A sum of score quanta in two words, low and high, so that threads can share it.
struct alignas(16) TallySum {
  std::uint64_t low = 0, high = 0;
};

/// Contributions must be smaller, in units of the score (TallyScore's power of two included).
inline constexpr double largest_contribution = 0x1p40;

/// A tally whose sums can no longer be trusted: a contribution or a sum was too large, or no
/// number.
struct TallyFault {
  static constexpr std::int32_t none = 0x7fffffff;
  std::int32_t tally = none;  ///< the lowest one
};

/// Where the contributions of a worker go.
struct TallySink {
  TallySum* sums = nullptr;
  TallyFault* fault = nullptr;
  std::int32_t is_shared = 0;  ///< other threads add to `sums`, too
};

struct TallyView {
  /// By estimator, in the order of TallyEstimator: `count` of each.
  View<const Tally> tallies;
  std::int32_t count[tally_estimators] = {};
  /// The last ones by track length: what lies on the way means nothing to them, so that they are
  /// told of a flight's stretches as a whole.
  std::int32_t by_flight = 0;
  std::int32_t groups = 0;
  std::int32_t needs_levels = 0;  ///< at collisions: some tally asks for cells or universes
  std::int32_t needs_time = 0;
  View<const TallyFilter> filters;
  View<const TallyScore> scores;
  View<const TallyMesh> meshes;
  View<const double> responses;
  View<const double> edges;
  View<const std::int32_t> maps;
  View<const PointDetector> detectors;  ///< with all images; none where no tally scores at them
};

/// What tallies ask of a particle: the flight that it is on, and what it is on it.
struct TallyState {
  Vector3 origin, direction;  ///< of the flight, in the root universe
  double weight = 1;
  double time = 0;           ///< s, at the flight's origin, at the speed that it has here
  double inverse_speed = 0;  ///< s/cm
  std::int32_t group = 0;
  std::int32_t material =
      Cell::void_material;          ///< here; delta tracking need not know it on flights
  const GroupData* data = nullptr;  ///< of the material; null in void
  /// With levels located: the cells around. May be null where TallyView::needs_levels is 0.
  const Coordinates* at = nullptr;
  /// With the exponential transform: the weight falls by exp(-excess (path - excess_from)) along a
  /// track, where `weight` is that at excess_from; 1/cm and cm.
  double excess = 0, excess_from = 0;
  std::int32_t detector = 0;     ///< of a next-event estimate
  std::int32_t is_collided = 0;  ///< likewise: 0: what comes straight from the source
};

}  // namespace gsim::transport
