#pragma once
// Variance reduction: weight windows on a mesh, importances of cells, forced collisions and the
// exponential transform. All conserve the expected weight everywhere.

#include "gsim/exec/view.hpp"
#include "gsim/math/vector3.hpp"
#include "kernels/transport/geometry/bins.hpp"

namespace gsim::transport {

/// Weight windows by position and group. Particles of weights above the upper bound are split,
/// those below the lower bound undergo Russian roulette (T. E. Booth and J. S. Hendricks, Nucl.
/// Technol. Fusion 5 (1984) 90).
struct WindowView {
  /// Planes along x, y, z: bins[a] + 1 of them, increasing, from first_edge[a] on, cm. Outside of
  /// the mesh there is no window.
  View<const double> edges;
  std::int32_t bins[3] = {};
  std::int32_t first_edge[3] = {};
  /// Lower bounds, [z][y][x][group]. 0: no window; negative: a window without upper bound, whose
  /// lower bound is the absolute value.
  View<const double> lower;
  std::int32_t groups = 0;
  double upper_ratio = 5;       ///< upper over lower bounds
  double survival_ratio = 3;    ///< weight after roulette over lower bounds
  std::int32_t max_split = 10;  ///< largest number of particles into which one is split
  std::int32_t padding = 0;
};

/// The biased sampling of free paths in a cell.
struct FlightBias {
  /// Forced collisions: a particle that enters is split into a part that leaves the cell without a
  /// collision and a part that collides (I. Lux, L. Koblinger, Monte Carlo Particle Transport
  /// Methods (1991), chapter 6).
  std::int32_t is_forced = 0;
  std::int32_t is_towards = 0;  ///< 1: `target` is a point; 0: it is a direction
  /// Exponential transform: free paths are sampled from S* = S (1 - p mu), mu the cosine between
  /// the direction of flight and that of `target` (F. H. Clark, ORNL-RSIC-14 (1966)). `stretching`
  /// is p; 0: no transform.
  double stretching = 0;
  Vector3 target;  ///< a direction of length 1, or a point, cm
};

struct VarianceReductionView {
  WindowView windows;             ///< `lower` empty: no weight windows
  View<const double> importance;  ///< by cell; empty: no importances
  View<const FlightBias> biases;  ///< by cell; empty: no biases
};

}  // namespace gsim::transport

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::WindowView;

/// The bin that contains x along one axis, without the last bound; -1: outside.
GSIM_HD std::int32_t window_bin(const double* edges, std::int32_t bins, double x) {
  return x < edges[bins] ? bin_of(edges, bins, x) : -1;
}

/// WindowView::lower at position x; 0: there is no window.
GSIM_HD double window_at(const WindowView& w, const Vector3& x, std::int32_t group) {
  const double coordinates[3] = {x.x, x.y, x.z};
  Index box = 0;
  for (int a = 2; a >= 0; --a) {
    const std::int32_t bin = window_bin(w.edges.data + w.first_edge[a], w.bins[a], coordinates[a]);
    if (bin < 0) return 0.0;
    box = box * w.bins[a] + bin;
  }
  return w.lower[box * w.groups + group];
}

/// The weight window that a particle is in or, at a plane between two windows, enters; and the
/// distance to the next plane.
struct WindowAhead {
  double lower = 0;                        ///< as WindowView::lower; 0: there is none
  double distance = __builtin_huge_val();  ///< cm
};

/// The bin of x along one axis, -1 outside. Reduces `distance` to the distance of the next plane
/// along d if this is smaller. Planes within rounding of x count as reached.
GSIM_HD std::int32_t window_bin_ahead(const double* edges, std::int32_t bins, double x, double d,
                                      double& distance) {
  const auto is_reached = [&](std::int32_t plane, double width) {
    const double gap = x < edges[plane] ? edges[plane] - x : x - edges[plane];
    const double at = edges[plane] < 0 ? -edges[plane] : edges[plane];
    return gap <= 1e-9 * width + 1e-13 * at && at < __builtin_huge_val();
  };
  const auto width_of = [&](std::int32_t bin) {
    const double width = edges[bin + 1] - edges[bin];
    return width < __builtin_huge_val() ? width : 0.0;
  };
  const auto reduce_distance = [&](std::int32_t plane) {
    const double to_plane = (edges[plane] - x) / d;
    distance = to_plane < distance ? to_plane : distance;
  };
  std::int32_t bin = window_bin(edges, bins, x);
  if (bin < 0) {
    const bool is_below = x < edges[0];
    const std::int32_t plane = is_below ? 0 : bins, next = is_below ? 0 : bins - 1;
    if (is_below ? !(d > 0) : !(d < 0)) return -1;
    if (!is_reached(plane, width_of(next))) {
      reduce_distance(plane);
      return -1;
    }
    bin = next;
  } else if (d > 0 && is_reached(bin + 1, width_of(bin))) {
    if (++bin == bins) return -1;
  } else if (d < 0 && is_reached(bin, width_of(bin))) {
    if (--bin < 0) return -1;
  }
  if (d != 0) reduce_distance(d > 0 ? bin + 1 : bin);
  return bin;
}

/// The window at position x for a particle of direction d, and the distance to the next plane.
GSIM_HD WindowAhead window_ahead(const WindowView& w, const Vector3& x, const Vector3& d,
                                 std::int32_t group) {
  WindowAhead ahead;
  Index box = 0;
  bool is_in = true;
  for (std::int32_t a = 2; a >= 0; --a) {
    const std::int32_t bin = window_bin_ahead(w.edges.data + w.first_edge[a], w.bins[a],
                                              component(x, a), component(d, a), ahead.distance);
    is_in = is_in && bin >= 0;
    if (is_in) box = box * w.bins[a] + bin;
  }
  if (is_in) ahead.lower = w.lower[box * w.groups + group];
  return ahead;
}

/// The result of splitting or Russian roulette: the number of particles that continue in place of
/// one, and the weight of each. A count of 0 kills the particle.
struct SplitResult {
  std::int32_t count = 1;
  double weight = 1;
};

/// Russian roulette: the particle survives with the probability weight / survival, and then has the
/// weight `survival`.
template <class Random>
GSIM_HD SplitResult russian_roulette(double weight, double survival, Random& random) {
  if (random.uniform() * survival < weight) return {1, survival};
  return {0, 0};
}

/// Applies a weight window to a particle; `lower` as in WindowView, not 0.
template <class Random>
GSIM_HD SplitResult apply_window(const WindowView& w, double lower, double weight, Random& random) {
  const double lower_bound = lower < 0 ? -lower : lower;
  if (weight < lower_bound) return russian_roulette(weight, lower_bound * w.survival_ratio, random);
  if (lower < 0) return {1, weight};
  const double upper = lower * w.upper_ratio;
  if (!(weight > upper)) return {1, weight};
  const double parts = weight / upper;
  const std::int32_t count =
      parts < w.max_split ? static_cast<std::int32_t>(parts) + 1 : w.max_split;
  return {count, weight / count};
}

/// A particle that moves from a cell of importance `from` > 0 to one of importance `to`: on average
/// to / from particles, each with the weight divided by that ratio. A particle that enters a cell
/// of importance 0 is killed.
template <class Random>
GSIM_HD SplitResult cross_importance(double from, double to, double weight, Random& random) {
  if (from == to) return {1, weight};
  if (!(to > 0)) return {0, 0};
  const double ratio = to / from;
  if (ratio < 1) return russian_roulette(weight, weight / ratio, random);
  return {static_cast<std::int32_t>(ratio + random.uniform()), weight / ratio};
}

}  // namespace transport_kernels
GSIM_TARGET_END
