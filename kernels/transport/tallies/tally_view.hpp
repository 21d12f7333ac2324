#pragma once
// Tallies as flat arrays: the quantities (scores), the regions of phase space (filters), and the
// events of histories that contribute (estimators).
//
// The values of a tally are a table with a row for each combination of filter bins and a column for
// each score. src/modules/transport/tallies builds these arrays.

#include <cstdint>

#include "gsim/exec/view.hpp"
#include "kernels/transport/geometry/coordinates.hpp"
#include "kernels/transport/materials/material_view.hpp"

namespace gsim::transport {

enum class TallyEstimator : std::int32_t {
  track_length,  ///< weight times track length
  collision,     ///< weight divided by the cross section that collisions were sampled from
  analog,        ///< weight at the event itself
  crossing,      ///< weight at surface crossings, for tallies with a surface filter
  next_event     ///< contributions of emissions and collisions to the flux at point detectors
};
inline constexpr int tally_estimators = 5;

struct TallyFilter {
  std::int32_t functor = 0;  ///< number of the functor that finds its bins (filters.hpp)
  std::int32_t bins = 1;
  Index stride = 1;  ///< rows from one bin to the next
  /// For a quantity that is an index, such as a cell: where its values begin in `maps`, which holds
  /// the bin of each, or -1 for none. For a real quantity: where its bins + 1 increasing bounds
  /// begin in `edges`.
  Index first = 0;
  std::int32_t mesh = -1;  ///< in `meshes`
  Vector3 direction;       ///< of length 1: the axis of a cosine
};

/// The largest numbers of filters of one tally: the lengths of fixed arrays in kernels.
inline constexpr std::int32_t max_level_filters = 2;
inline constexpr std::int32_t max_dividing_planes = 4;  ///< dimensions whose planes divide tracks

/// The bounds of a mesh: planes, or cylinders, half-planes and planes about an axis.
enum class TallyMeshKind : std::int32_t { rectilinear, cylindrical };

struct TallyMesh {
  TallyMeshKind kind = TallyMeshKind::rectilinear;
  std::int32_t dimensions = 0;  ///< number of dimensions with bins; the others are unbounded
  /// Rectilinear: 0, 1, 2 for x, y, z. Cylindrical: 0, 1, 2 for radius, azimuth, height.
  std::int32_t axis[3] = {};
  std::int32_t bins[3] = {1, 1, 1};  ///< the first dimension's bins are adjacent
  Index first_edge[3] = {};          ///< in `edges`: bins + 1 bounds
  double per_length[3] = {};         ///< bins per length if they have equal widths, else 0
  Vector3 origin;                    ///< cylindrical: a point of the axis
  std::int32_t along = 2;            ///< cylindrical: 0, 1, 2: the axis is along x, y, z
  std::int32_t sectors = 0;  ///< cylindrical: number of sectors of the full turn (AzimuthCuts)
};

struct TallyScore {
  /// Events at which an analog tally scores; at_nxn: scattering with several outgoing neutrons,
  /// (n,xn).
  static constexpr std::int32_t at_collision = 1, at_absorption = 2, at_scatter = 4, at_nxn = 8;
  /// Index in `responses`, [material + 1][group]: the contribution of a flux of 1, times a power of
  /// two that keeps sums far from their bounds.
  Index first_response = 0;
  std::int32_t events = 0;      ///< sum of at_… for an analog tally
  std::int32_t is_current = 0;  ///< at surfaces: net current, not flux
};

inline constexpr std::int32_t max_tally_scores = 16;

struct Tally {
  std::int32_t first_filter = 0;  ///< in `filters`
  /// Numbers of filters by FilterScope, in the order of the filters: with one bin for a whole
  /// track, by level of universes, with bounds that divide tracks.
  std::int32_t track_filters = 0, level_filters = 0, dividing_filters = 0;
  std::int32_t first_score = 0, scores = 0;  ///< index of the first in `scores`, and their number
  /// Number of dimensions of the rectilinear mesh if only its planes divide tracks and the tally
  /// has one score (add_plane_track()); else 0.
  std::int32_t only_planes = 0;
  Index first_value = 0;  ///< in the sums: row r, score s at first_value + r * scores + s
};

/// A point at which next-event estimates of the flux are made, or its image in reflective planes.
struct PointDetector {
  Vector3 position;  ///< cm
  /// Radius of the exclusion sphere, within which emissions contribute the mean over the sphere,
  /// cm.
  double radius = 0;
  /// Smaller contributions to the flux undergo Russian roulette, 1/cm2 per source particle.
  double roulette = 0;
  std::int32_t detector = 0;  ///< index of the detector in the configuration
  /// The reflective planes of an image: 1: of constant x, 2: y, 4: z, and sums of these.
  std::int32_t mirrored = 0;
};

/// A sum of fixed-point scores (exact_score.hpp) in two halves, so that threads can share it.
struct alignas(16) TallySum {
  std::uint64_t low = 0, high = 0;
};

/// Upper bound of the magnitude of contributions, which include the power of two of TallyScore.
inline constexpr double largest_contribution = 0x1p40;

/// A tally whose sums are invalid: a contribution or a sum was too large or not a number.
struct TallyFault {
  static constexpr std::int32_t none = 0x7fffffff;
  std::int32_t tally = none;  ///< the lowest one
};

/// The sums to which a worker adds its contributions.
struct TallySink {
  TallySum* sums = nullptr;
  TallyFault* fault = nullptr;
  std::int32_t is_shared = 0;  ///< 1: other threads add to the same sums
};

struct TallyView {
  /// The tallies by estimator, in the order of TallyEstimator, and the number of each.
  View<const Tally> tallies;
  std::int32_t tallies_of_estimator[tally_estimators] = {};
  /// Number of whole-track tallies, which are the last of the track-length tallies: they do not
  /// depend on cells or materials, so that a flight through several cells is scored as one track.
  std::int32_t whole_track_tallies = 0;
  std::int32_t groups = 0;
  std::int32_t needs_levels = 0;   ///< 1: a collision tally filters by cells or universes
  std::int32_t needs_time = 0;     ///< 1: a tally filters by time
  std::int32_t has_cylinders = 0;  ///< 1: a mesh is cylindrical
  View<const TallyFilter> filters;
  View<const TallyScore> scores;
  View<const TallyMesh> meshes;
  View<const double> responses;
  View<const double> edges;
  View<const std::int32_t> maps;
  View<const PointDetector> detectors;  ///< with all images; empty if no tally uses them
};

/// The state of a particle for tallies: its flight, and its properties on it.
struct TallyState {
  Vector3 origin, direction;  ///< of the flight, in the root universe
  double weight = 1;
  double time = 0;           ///< s, extrapolated to the origin of the flight at the current speed
  double inverse_speed = 0;  ///< s/cm
  std::int32_t group = 0;
  std::int32_t material =
      Cell::void_material;          ///< current one; unknown on flights of delta tracking
  const GroupData* data = nullptr;  ///< of the material; null in void
  /// The located cells. May be null where TallyView::needs_levels is 0.
  const Coordinates* at = nullptr;
  /// With the exponential transform: along a track the weight is weight exp(-weight_attenuation
  /// (path - attenuated_from)); 1/cm and cm.
  double weight_attenuation = 0, attenuated_from = 0;
  std::int32_t detector = 0;     ///< of a next-event estimate
  std::int32_t is_collided = 0;  ///< of a next-event estimate; 0: uncollided
};

}  // namespace gsim::transport
