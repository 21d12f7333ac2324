#pragma once
// Whole-track tallies of several particles in the lanes of packs, with the bits of
// tally_whole_track().

#include "kernels/transport/tallies/track_lanes.hpp"
#include "kernels/transport/tracking/events/particle_batch.hpp"

#if !defined(__CUDACC__)

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// The particles of a pack as their tallies see them, for those that lanes do not score.
template <class Batch>
class TallyStates {
 public:
  GSIM_HD TallyStates(const Batch& batch, PlacesOf at) : batch_(batch), at_(at) {}
  GSIM_HD TallyState operator[](int lane) const {
    const int place = at_.place(lane);
    TallyState state;
    state.origin = vector_at(batch_.origin, place);
    state.direction = vector_at(batch_.direction, place);
    state.weight = batch_.weight[place];
    state.group = batch_.group[place];
    return state;
  }

 private:
  const Batch& batch_;
  PlacesOf at_;
};

/// Finds the rows of the bins of the filters that are constant along a track, for the lanes in
/// `scored`; returns the lanes that have bins. `groups`: energy groups of the lanes.
template <class Batch>
GSIM_HD Lanes find_track_bins(const TallyView& t, const transport::Tally& tally, Reals groups,
                              const TallyStates<Batch>& states, Lanes scored, Index* rows) {
  const TallyFilter& first = t.filters[tally.first_filter];
  const bool is_by_group =
      tally.track_filters == 1 && first.functor == static_cast<std::int32_t>(FilterNumber::group);
  std::int32_t group[lanes];
  store(group, convert<std::int32_t>(groups));
  unsigned matching = 0;
  for (unsigned bits = lane_bits(scored); bits != 0; bits &= bits - 1) {
    const int i = __builtin_ctz(bits);
    bool matches = true;
    if (is_by_group) {
      const std::int32_t bin = mapped_bin(t, first, group[i]);
      matches = bin >= 0;
      rows[i] = bin * first.stride;
    } else if (tally.track_filters > 0) {
      matches = add_track_bins(t, tally, states[i], {}, rows[i]);
    }
    if (matches) matching |= 1u << i;
  }
  return mask_from_bits<Reals>(matching);
}

/// Scores tracks at tally `number` in the lanes of `scored`; returns the lanes that are not scored.
template <class Batch>
GSIM_HD Lanes add_tracks(const TallyView& t, std::int32_t number, const TallySink& sink,
                         const TrackLanes<Reals>& tracks, const TallyStates<Batch>& states,
                         Lanes scored) {
  const transport::Tally& tally = t.tallies[number];
  if (!has_uniform_planes(t, tally)) return scored;
  Index rows[lanes] = {};
  scored = find_track_bins(t, tally, tracks.group, states, scored, rows);
  const Lanes done =
      tally.only_planes == 1   ? add_plane_tracks<1>(t, number, sink, tracks, rows, scored)
      : tally.only_planes == 2 ? add_plane_tracks<2>(t, number, sink, tracks, rows, scored)
                               : add_plane_tracks<3>(t, number, sink, tracks, rows, scored);
  return scored & !done;
}

/// Bins per cm along the first dimension of the mesh of a tally that lanes score; 0 if there is
/// none.
inline double bins_per_length(const TallyView& t, std::int32_t first_tally,
                              std::int32_t last_tally) {
  for (std::int32_t n = first_tally; n < last_tally; ++n) {
    const transport::Tally& tally = t.tallies[n];
    if (has_uniform_planes(t, tally))
      return t.meshes[t.filters[tally.first_filter + tally.track_filters].mesh].per_length[0];
  }
  return 0;
}

/// Sorts the places of `list`, whose last pack is filled, by the lengths of their tracks in bins of
/// a mesh: the tracks of a pack then have similar numbers of pieces. Sums do not depend on the
/// order.
template <class Batch>
void sort_by_length(const Batch& b, const PlaceList& list, const double* end, double per_length,
                    PlaceList& sorted) {
  constexpr int classes = 32, per_bin = 2;
  std::int32_t of_place[ParticleBatch::capacity + lanes], first[classes] = {};
  for (int k = 0; k < list.count; k += lanes) {
    const PlacesOf at(list.place + k);
    const Reals length = at.reals(end) - at.reals(b.track_start);
    const Reals scaled = length * (per_length * per_bin);
    const Reals limit(classes - 1.0), zero(0.0);
    store(of_place + k, convert<std::int32_t>(
                            select(scaled > zero, select(scaled < limit, scaled, limit), zero)));
  }
  for (int k = 0; k < list.count; ++k) ++first[of_place[k]];
  for (int c = 0, count = 0; c < classes; ++c) {
    const std::int32_t in_class = first[c];
    first[c] = count;
    count += in_class;
  }
  for (int k = 0; k < list.count; ++k) sorted.place[first[of_place[k]]++] = list.place[k];
  sorted.count = list.count;
  sorted.fill_last_pack();
}

/// Ends the tracks of the particles in `unsorted`, whose last pack is filled, at the path lengths
/// end[place] of their flights, and scores them.
template <class Banks, class Batch>
void end_tracks(const History<Banks>& h, Batch& b, const PlaceList& unsorted, const double* end) {
  const TallyView& t = h.args.tallies;
  const std::int32_t last =
      t.tallies_of_estimator[static_cast<int>(transport::TallyEstimator::track_length)];
  const std::int32_t first_tally = last - t.whole_track_tallies;
  const double per_length = bins_per_length(t, first_tally, last);
  PlaceList by_length;
  if (per_length > 0 && unsorted.count > lanes)
    sort_by_length(b, unsorted, end, per_length, by_length);
  const PlaceList& list = by_length.count > 0 ? by_length : unsorted;
  for (int first = 0; first < list.count; first += lanes) {
    const PlacesOf at(list.place + first);
    TrackLanes<Reals> tracks{at.vectors(b.origin), at.vectors(b.direction), at.reals(b.weight),
                             at.integers(b.group), at.reals(b.track_start), at.reals(end)};
    const Lanes scored = mask_from_bits<Reals>(list.used(first)) & (tracks.from < tracks.to);
    const TallyStates<Batch> states(b, at);
    for (std::int32_t n = first_tally; n < last; ++n) {
      unsigned others = lane_bits(add_tracks(t, n, *h.sink, tracks, states, scored));
      for (; others != 0; others &= others - 1) {
        const int i = __builtin_ctz(others), place = at.place(i);
        add_track(t, n, n + 1, *h.sink, states[i], b.track_start[place], end[place]);
      }
    }
    at.put(b.track_start, tracks.to);
  }
}

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
