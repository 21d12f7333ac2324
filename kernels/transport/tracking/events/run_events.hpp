#pragma once
// Passes over histories whose particles a host thread transports event by event (event_loop.hpp).

#include "kernels/transport/tracking/events/delta_events.hpp"
#include "kernels/transport/tracking/events/surface_events.hpp"

#if !defined(__CUDACC__)

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Whether surfaces with boundary conditions are such as next_outer_surface() for lanes needs.
inline bool has_simple_outer_surfaces(const GeometryView& g) {
  for (Index i = 0; i < g.outer_surfaces.size; ++i) {
    const transport::OuterSurface& outer = g.outer_surfaces[i];
    const SurfaceForm form = g.surfaces[outer.surface].form;
    if (outer.inside < 0 || !(is_plane(form) || is_round(form))) return false;
  }
  return true;
}

/// Whether tallies score nothing but whole tracks.
inline bool has_whole_tracks_only(const transport::TallyView& t) {
  std::int32_t tallies = 0;
  for (const std::int32_t of_estimator : t.tallies_of_estimator) tallies += of_estimator;
  return tallies == t.whole_track_tallies;
}

/// Whether the geometry is such as events need.
inline bool has_simple_geometry(const GeometryView& g, transport::Tracking tracking) {
  if (g.search.universes.size == 0) return false;
  return tracking == transport::Tracking::delta
             ? g.search.universes[g.root].shape >= 0 && has_simple_outer_surfaces(g)
             : g.search.levels > 0 && g.search.levels <= SurfaceBatch::levels;
}

/// Whether the histories of a pass can be transported event by event: without times, secondaries in
/// the same batch, domains, passes, weight windows, importances, biases of flights, point
/// detectors, recorded surfaces, and tallies that depend on cells.
inline bool can_run_by_events(const HistoriesArgs& args) {
  const transport::VarianceReductionView& v = args.variance_reduction;
  const transport::HistoryRules& rules = args.rules;
  constexpr Index largest_table = Index{1} << 27;  // of indices in units of 8 numbers
  return rules.is_timed == 0 && rules.fission != transport::Fission::same_batch &&
         rules.flights_per_pass == 0 && args.domains.cuts.size == 0 && v.windows.lower.size == 0 &&
         v.importance.size == 0 && v.biases.size == 0 && args.recorded.sides.size == 0 &&
         args.resumed.size == 0 && args.banked.size == 0 && args.materials.transfers.size > 0 &&
         args.materials.transfers.size < largest_table &&
         args.materials.data.size < largest_table &&
         has_simple_geometry(args.geometry, rules.tracking) &&
         (args.tally_sinks == nullptr || has_whole_tracks_only(args.tallies));
}
/// Whether they are transported so. Measured with registers of four numbers: delta tracking takes
/// 0.6 to 0.7 of the time, surface tracking in three nested universes 1.2 times as long.
inline bool runs_by_events(const HistoriesArgs& args) {
  constexpr int lanes_for_delta = 4, lanes_for_surfaces = 8;
  return lanes >= (args.rules.tracking == transport::Tracking::delta ? lanes_for_delta
                                                                     : lanes_for_surfaces) &&
         can_run_by_events(args);
}

/// Whether so many particles were lost after too many flights that the run will end with an error.
template <class Banks>
bool is_aborted(const History<Banks>& h) {
  return h.scores.lost > h.rules.max_lost &&
         h.scores.first_lost.reason == LostParticle::Reason::too_many_flights;
}

/// Takes the histories of a pass one after the other. Workers take them in chunks.
class HistorySupply {
 public:
  HistorySupply(const HistoriesArgs& args, Index& chunks_taken)
      : args_(args), chunks_taken_(chunks_taken) {}

  /// The number of the next history in the pass; -1: none is left, or the run will be aborted.
  template <class Banks>
  Index next(const History<Banks>& h) {
    if (is_aborted(h)) return -1;
    if (at_ == end_) {
      const Index chunk = __atomic_fetch_add(&chunks_taken_, 1, __ATOMIC_RELAXED);
      const Index first = chunk * args_.chunk_size;
      if (first >= args_.count) return -1;
      at_ = first;
      end_ = first + args_.chunk_size < args_.count ? first + args_.chunk_size : args_.count;
    }
    return at_++;
  }

 private:
  const HistoriesArgs& args_;
  Index& chunks_taken_;
  Index at_ = 0, end_ = 0;
};

/// Transports histories of `supply` to their ends.
template <class Events, class Banks>
void run_events(History<Banks>& h, HistorySupply& supply) {
  Events events(h);
  for (events.refill(supply); events.count() > 0 && !is_aborted(h); events.refill(supply))
    events.advance();
}
template <class Banks>
void run_events(History<Banks>& h, HistorySupply& supply) {
  if (tracks_surfaces(h))
    run_events<SurfaceEvents<Banks>>(h, supply);
  else
    run_events<DeltaEvents<Banks>>(h, supply);
}

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
