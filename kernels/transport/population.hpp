#pragma once
// How many particles of which weight: weight windows on a mesh, and importances of cells. Splitting
// and roulette keep the expected weight.

#include "gsim/exec/view.hpp"
#include "gsim/transport/vector3.hpp"

namespace gsim::transport {

/// Bounds of weights by place and group. Weights above the upper bound are split, weights below the
/// lower one play roulette (T. E. Booth and J. S. Hendricks, Nucl. Technol. Fusion 5 (1984) 90).
struct WindowView {
  /// Planes along x, y, z: bins[a] + 1 rising ones from first_edge[a] on. Outside there is no
  /// window.
  View<const double> edges;
  std::int32_t bins[3] = {};
  std::int32_t first_edge[3] = {};
  /// [z][y][x][group]. 0: no window there; negative: one without upper bound, whose lower bound is
  /// the absolute value.
  View<const double> lower;
  std::int32_t groups = 0;
  double upper_ratio = 5;     ///< upper over lower bounds
  double survival_ratio = 3;  ///< weight after roulette over lower bounds
  std::int32_t max_split = 10;
  std::int32_t padding = 0;
};

struct PopulationView {
  WindowView windows;             ///< none where `lower` is empty
  View<const double> importance;  ///< by cell; none where it is empty
};

}  // namespace gsim::transport

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::WindowView;

/// The box that holds x along one axis; -1: outside.
GSIM_HD std::int32_t window_bin(const double* edges, std::int32_t bins, double x) {
  if (!(x >= edges[0] && x < edges[bins])) return -1;
  std::int32_t low = 0, high = bins;
  while (high - low > 1) {
    const std::int32_t middle = low + (high - low) / 2;
    if (edges[middle] <= x)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/// WindowView::lower of this place; 0: there is no window.
GSIM_HD double window_at(const WindowView& w, const Vector3& x, std::int32_t group) {
  const double place[3] = {x.x, x.y, x.z};
  Index box = 0;
  for (int a = 2; a >= 0; --a) {
    const std::int32_t bin = window_bin(w.edges.data + w.first_edge[a], w.bins[a], place[a]);
    if (bin < 0) return 0.0;
    box = box * w.bins[a] + bin;
  }
  return w.lower[box * w.groups + group];
}

/// Into how many particles of which weight one becomes; none: it ends.
struct Population {
  std::int32_t count = 1;
  double weight = 1;
};

/// Russian roulette: goes on with the weight `survival` with the probability weight / survival.
template <class Random>
GSIM_HD Population play(double weight, double survival, Random& random) {
  if (random.uniform() * survival < weight) return {1, survival};
  return {0, 0};
}

/// What a weight becomes in a window; `lower` as in WindowView, not 0.
template <class Random>
GSIM_HD Population fit(const WindowView& w, double lower, double weight, Random& random) {
  const double least = lower < 0 ? -lower : lower;
  if (weight < least) return play(weight, least * w.survival_ratio, random);
  if (lower < 0) return {1, weight};
  const double upper = lower * w.upper_ratio;
  if (!(weight > upper)) return {1, weight};
  const double parts = weight / upper;
  const std::int32_t count =
      parts < w.max_split ? static_cast<std::int32_t>(parts) + 1 : w.max_split;
  return {count, weight / count};
}

/// What a weight becomes on the way between cells of importances `from` > 0 and `to`: as many as
/// the ratio, on average, of the weight over the ratio. Nothing goes on into a cell of importance
/// 0.
template <class Random>
GSIM_HD Population cross_importance(double from, double to, double weight, Random& random) {
  if (from == to) return {1, weight};
  if (!(to > 0)) return {0, 0};
  const double ratio = to / from;
  if (ratio < 1) return play(weight, weight / ratio, random);
  return {static_cast<std::int32_t>(ratio + random.uniform()), weight / ratio};
}

}  // namespace transport_kernels
GSIM_TARGET_END
