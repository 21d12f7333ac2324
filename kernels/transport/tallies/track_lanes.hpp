#pragma once
// Tracks of several particles in the lanes of packs through the bins of a rectilinear mesh, with
// the bits of add_plane_track().

#include "kernels/transport/geometry/lanes.hpp"
#include "kernels/transport/tallies/score_lanes.hpp"
#include "kernels/transport/tallies/tallies.hpp"

#if !defined(__CUDACC__)

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// LinearCuts in lanes, of bins of equal width.
template <class R>
struct CutLanes {
  const double* edges;
  double bins;
  R origin, inverse, ahead, step, bin, next;

  /// Finds the bins at the path lengths p; false in lanes whose coordinate is constant, and in
  /// those that are not between the outer bounds.
  GSIM_HD mask_of<R> begin(const double* e, std::int32_t n, double per_length, R x, R dx, R p) {
    const R zero(0.0), one(1.0);
    edges = e;
    bins = n;
    origin = x;
    auto is_inside = abs(dx) > R(0x1p-500);
    inverse = one / dx;
    ahead = select(dx > zero, one, zero);
    step = ahead + ahead - one;
    const R scaled = (fma(p, dx, x) - edges[0]) * per_length;
    bin = select(scaled > zero, select(scaled < R(bins), floor(scaled), R(bins - 1)), zero);
    bin = select(is_inside, bin, zero);
    next = cut(bin + ahead);
    // Corrects the bin for rounding errors at p.
    for (auto is_behind = is_inside & (next <= p); any(is_behind);
         is_behind = is_behind & is_inside & (next <= p)) {
      is_inside = is_inside & (is_in(bin + step) | !is_behind);
      bin = select(is_behind & is_inside, bin + step, bin);
      next = cut(bin + ahead);
    }
    R before = cut(bin + one - ahead);
    for (auto is_before = is_inside & (before > p); any(is_before);
         is_before = is_before & is_inside & (before > p)) {
      is_inside = is_inside & (is_in(bin - step) | !is_before);
      bin = select(is_before & is_inside, bin - step, bin);
      next = select(is_before, before, next);
      before = cut(bin + one - ahead);
    }
    return is_inside;
  }
  /// Advances the lanes in `moved` to their next bins; returns those that leave the mesh.
  GSIM_HD mask_of<R> advance(mask_of<R> moved) {
    const R to = bin + step;
    const auto leaves = moved & !is_in(to);
    const auto stays = moved & !leaves;
    bin = select(stays, to, bin);
    next = select(stays, cut(bin + ahead), next);
    return leaves;
  }

 private:
  GSIM_HD mask_of<R> is_in(R i) const { return (i >= R(0.0)) & (i < R(bins)); }
  GSIM_HD R cut(R i) const { return (gather(edges, convert<std::int32_t>(i)) - origin) * inverse; }
};

/// Whether the tracks of a tally can be scored in lanes: planes of bins of equal width divide them.
inline bool has_uniform_planes(const TallyView& t, const transport::Tally& tally) {
  if (tally.only_planes == 0) return false;
  const TallyMesh& mesh = t.meshes[t.filters[tally.first_filter + tally.track_filters].mesh];
  for (std::int32_t d = 0; d < mesh.dimensions; ++d)
    if (!(mesh.per_length[d] > 0)) return false;
  return true;
}

/// Tracks of particles; integers as reals.
template <class R>
struct TrackLanes {
  LaneVector<R> origin, direction;
  R weight, group, from, to;
};

/// Adds the tracks of the lanes in `scored` to tally number `number`, for which
/// has_uniform_planes(); rows[i] is the row of the bins of the other filters in lane i. Returns the
/// lanes that were added: those that begin in the mesh, whose scores are neither negative nor too
/// large.
template <int dimensions, class R>
GSIM_TRANSPORT_NOINLINE mask_of<R> add_plane_tracks(const TallyView& t, std::int32_t number,
                                                    const TallySink& sink, const TrackLanes<R>& s,
                                                    const Index* rows, mask_of<R> scored) {
  constexpr int lanes = lanes_of<R>;
  const transport::Tally& tally = t.tallies[number];
  const TallyFilter& filter = t.filters[tally.first_filter + tally.track_filters];
  const TallyMesh& mesh = t.meshes[filter.mesh];
  CutLanes<R> cuts[dimensions];
  double stride[dimensions];
  for (int d = 0; d < dimensions; ++d) {
    const int axis = mesh.axis[d];
    stride[d] = d == 0 ? static_cast<double>(filter.stride) : stride[d - 1] * mesh.bins[d - 1];
    scored =
        scored & cuts[d].begin(t.edges.data + mesh.first_edge[d], mesh.bins[d], mesh.per_length[d],
                               axis == 0   ? s.origin.x
                               : axis == 1 ? s.origin.y
                                           : s.origin.z,
                               axis == 0   ? s.direction.x
                               : axis == 1 ? s.direction.y
                                           : s.direction.z,
                               s.from);
  }
  const double* const responses = t.responses.data + t.scores[tally.first_score].first_response;
  const R zero(0.0), factor = s.weight * gather(responses, convert<std::int32_t>(s.group));
  scored = scored & (factor >= zero) & (s.from >= zero) &
           (factor * s.to < R(transport::largest_contribution));
  PieceScores<R> scores(select(scored, factor * s.from, zero));
  double first_value[lanes], value[lanes];  // indices of values, exact as reals
  for (int i = 0; i < lanes; ++i) first_value[i] = static_cast<double>(rows[i] + tally.first_value);
  const R first_values = load<R>(first_value);
  auto active = scored & (factor != zero);
  R at = s.from;
  while (any(active)) {
    R next = cuts[0].next;
    for (int d = 1; d < dimensions; ++d) next = select(cuts[d].next < next, cuts[d].next, next);
    const auto continues = active & (next < s.to);
    const R end = select(continues, next, s.to);
    R values = first_values;
    for (int d = 0; d < dimensions; ++d) values = fma(cuts[d].bin, R(stride[d]), values);
    store(value, values);
    scores.end_pieces(select(active, factor * end, zero));
    for (unsigned pieces = lane_bits(active & (end > at)); pieces != 0; pieces &= pieces - 1) {
      const int i = __builtin_ctz(pieces);
      add_to_sum(sink, number, static_cast<Index>(value[i]), scores.contribution(i));
    }
    at = end;
    active = continues;
    auto moved = continues;
    for (int d = 0; d < dimensions; ++d) {
      const auto along_this = moved & (cuts[d].next == next);
      active = active & !cuts[d].advance(along_this);
      moved = moved & !along_this;
    }
  }
  return scored;
}

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
