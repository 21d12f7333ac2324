#pragma once
// Scoring of a history: passes its tracks, collisions, analog events and surface crossings on to
// the tallies (tallies.hpp), where there are any.

#include "gsim/transport/noinline.hpp"
#include "kernels/transport/tallies/tallies.hpp"
#include "kernels/transport/tracking/history_state.hpp"
#include "kernels/transport/variance_reduction/exponential_transform.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// The particle's state for tallies, at `path` of its flight.
template <HistoryFeatures features>
GSIM_HD TallyState tally_state_of(const HistoriesArgs& args, const ParticleOf<features.levels>& p,
                                  std::int32_t material, const GroupData* xs, double path) {
  TallyState state;
  state.origin = p.coordinates.level[0].origin;
  state.direction = p.direction;
  state.weight = p.weight;
  state.group = p.group;
  state.material = material;
  state.data = xs;
  if constexpr (features.levels > 1) state.at = &p.coordinates;
  state.weight_attenuation = p.weight_attenuation;
  state.attenuated_from = p.coordinates.path;
  if (features.times && args.rules.is_timed != 0) {
    state.inverse_speed = 1 / speed_of(args, p.group, xs);
    state.time = p.time - path * state.inverse_speed;
  }
  return state;
}
template <class Banks>
GSIM_HD TallyState tally_state(const History<Banks>& h, std::int32_t material, const GroupData* xs,
                               double path) {
  return tally_state_of<Banks::features>(h.args, h.particle, material, xs, path);
}

/// Whether any tally uses `estimator`, which is not track_length. The state that such tallies need
/// is computed only if this is true.
template <class Banks>
GSIM_HD bool has_tallies(const History<Banks>& h, TallyEstimator estimator) {
  return has_tallies(h) && h.args.tallies.tallies_of_estimator[static_cast<int>(estimator)] != 0;
}

/// Scores the track from path `from` to path `to` of the flight.
template <class Banks>
GSIM_HD void tally_track(const History<Banks>& h, std::int32_t material, const GroupData* xs,
                         double from, double to) {
  if (has_tallies(h) && single_track_tallies(h.args.tallies) != 0)
    score_track(h.args.tallies, *h.sink, tally_state(h, material, xs, h.particle.coordinates.path),
                from, to);
}

template <HistoryFeatures features>
GSIM_TRANSPORT_NOINLINE void end_whole_track(const HistoriesArgs& args, const TallySink& sink,
                                             ParticleOf<features.levels>& p, Vector3 origin,
                                             double path) {
  if (p.track_start < path) {
    TallyState state = tally_state_of<features>(args, p, Cell::void_material, nullptr, path);
    state.origin = origin;
    score_whole_track(args.tallies, sink, state, p.track_start, path);
  }
  p.track_start = path;
}
/// Ends the track of whole-track tallies (TallyView::whole_track_tallies) at `path` of the flight
/// from `origin` and scores it.
template <class Banks>
GSIM_HD void tally_whole_track(History<Banks>& h, const Vector3& origin, double path) {
  if (has_tallies(h) && h.args.tallies.whole_track_tallies != 0)
    end_whole_track<Banks::features>(h.args, *h.sink, h.particle, origin, path);
}
/// Ends the track of whole-track tallies at the particle's position and scores it.
template <class Banks>
GSIM_HD void tally_whole_track(History<Banks>& h) {
  tally_whole_track(h, h.particle.coordinates.level[0].origin, h.particle.coordinates.path);
}
/// Adds a track to the track-length estimator of k.
template <class Banks>
GSIM_HD void score_k_track_length(History<Banks>& h, const GroupData* xs, double distance) {
  auto& p = h.particle;
  if (xs != nullptr && xs->nu_fission > 0)
    p.k.k_track_length += p.weight * xs->nu_fission * weighted_length(p, distance);
}

template <class Banks>
GSIM_TRANSPORT_HOST_NOINLINE void score_collision_here(const History<Banks>& h,
                                                       std::int32_t material, const GroupData* xs,
                                                       double sampled_from) {
  const double path = h.particle.coordinates.path;
  score_collision(h.args.tallies, *h.sink, tally_state(h, material, xs, path), path, sampled_from);
}
/// Scores a collision whose distance was sampled from the cross section `sampled_from` (1/cm).
template <class Banks>
GSIM_HD void tally_collision(const History<Banks>& h, std::int32_t material, const GroupData* xs,
                             double sampled_from) {
  if (has_tallies(h, TallyEstimator::collision))
    score_collision_here(h, material, xs, sampled_from);
}

/// The particle as it enters a collision.
struct Incoming {
  std::int32_t group;
  Vector3 direction;
  double weight;
};

template <class Banks>
GSIM_TRANSPORT_HOST_NOINLINE void score_events_here(const History<Banks>& h, std::int32_t material,
                                                    const GroupData& xs, Incoming before,
                                                    double absorbed, double scattered) {
  const double path = h.particle.coordinates.path;
  TallyState state = tally_state(h, material, &xs, path);
  state.group = before.group;
  state.direction = before.direction;
  state.weight = before.weight;
  score_analog(h.args.tallies, *h.sink, state, path, absorbed, scattered, h.particle.weight);
}
/// Scores the analog events of a real collision: `absorbed` and `scattered` are weights.
template <class Banks>
GSIM_HD void tally_events(const History<Banks>& h, std::int32_t material, const GroupData& xs,
                          const Incoming& before, double absorbed, double scattered) {
  if (has_tallies(h, TallyEstimator::analog))
    score_events_here(h, material, xs, before, absorbed, scattered);
}

template <class Banks>
GSIM_TRANSPORT_HOST_NOINLINE void score_crossing_at(const History<Banks>& h, const Vector3& origin,
                                                    double path, const GroupData* xs,
                                                    const Crossing& crossing) {
  TallyState state = tally_state(h, Cell::void_material, xs, path);
  state.origin = origin;
  score_crossing(h.args.tallies, *h.sink, h.args.geometry, state, path, crossing,
                 h.particle.coordinates);
}
/// Scores a surface crossing at `path` of the flight from `origin` along the particle's direction.
template <class Banks>
GSIM_HD void tally_crossing(const History<Banks>& h, const Vector3& origin, double path,
                            const GroupData* xs, const Crossing& crossing) {
  if constexpr (Banks::features.levels > 1)
    if (has_tallies(h, TallyEstimator::crossing)) score_crossing_at(h, origin, path, xs, crossing);
}

template <class Banks>
GSIM_TRANSPORT_HOST_NOINLINE void score_reentry_here(const History<Banks>& h) {
  score_reentry(h.args.tallies, *h.sink, h.args.geometry,
                tally_state(h, Cell::void_material, nullptr, h.particle.coordinates.path),
                h.particle.coordinates);
}
/// Scores the second crossing of a particle that a boundary condition has reflected or translated:
/// back into the geometry.
template <class Banks>
GSIM_HD void tally_reentry(const History<Banks>& h) {
  if constexpr (Banks::features.levels > 1)
    if (has_tallies(h, TallyEstimator::crossing)) score_reentry_here(h);
}

}  // namespace transport_kernels
GSIM_TARGET_END
