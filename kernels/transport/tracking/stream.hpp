#pragma once
// Moving a particle without a collision: track scores, the time cutoff, domains, and the outcome of
// surface crossings.

#include "gsim/transport/noinline.hpp"
#include "kernels/transport/tracking/migration.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Scores the track from the current path to the path `end`, or to where it leaves this rank's
/// domain, in which case the particle is sent to the owner of the next domain. Each rank scores the
/// part of a flight in its domain; the event at the end of the flight takes place on the rank on
/// which the flight ends.
template <class Banks>
GSIM_HD Fate track_in_domain(History<Banks>& h, std::int32_t material, const GroupData* xs,
                             double end) {
  auto& p = h.particle;
  const double path = p.coordinates.path;
  if (!has_domains(h)) {
    tally_track(h, material, xs, path, end);
    return Fate::alive;
  }
  const Vector3& origin = p.coordinates.level[0].origin;
  const DomainExit exit = domain_exit(h.args.domains, origin, p.direction);
  const double from = p.tallied_to > path ? p.tallied_to : path;
  const bool remains = !(exit.path < end);
  const double to = remains ? end : exit.path;
  if (from < to) tally_track(h, material, xs, from, to);
  p.tallied_to = -1;
  if (remains) return Fate::alive;
  const double tallied_to = from < to ? to : from;
  tally_whole_track(h, origin, tallied_to);
  return leave_domain(h, owner_behind(h.args.domains, exit, origin, p.direction),
                      SuspendedParticle::Stage::in_flight, tallied_to);
}

/// Streams the particle over `distance` (cm) without a collision, to the path `end` of its flight,
/// and scores the track; the caller updates the path. `xs` are the macroscopic cross sections of
/// the current material, null in void and in delta tracking. Returns Fate::time_cutoff or
/// Fate::left_domain where that comes first.
template <class Banks>
GSIM_HD Fate stream(History<Banks>& h, std::int32_t material, const GroupData* xs, double distance,
                    double end) {
  if (!has_times(h)) {
    if (const Fate fate = track_in_domain(h, material, xs, end); has_ended(fate)) return fate;
    score_k_track_length(h, xs, distance);
    return Fate::alive;
  }
  auto& p = h.particle;
  const double speed = speed_of(h, xs);
  const double to_cutoff = (h.rules.time_cutoff - p.time) * speed;
  if (const Fate fate = track_in_domain(
          h, material, xs, distance < to_cutoff ? end : p.coordinates.path + to_cutoff);
      has_ended(fate))
    return fate;
  score_k_track_length(h, xs, distance < to_cutoff ? distance : to_cutoff);
  p.time += distance / speed;
  if (distance < to_cutoff) return Fate::alive;
  tally_whole_track(h, p.coordinates.level[0].origin, p.coordinates.path + to_cutoff);
  add_score(h.scores.timed_out, weight_after(p, to_cutoff));
  return Fate::time_cutoff;
}

/// Records a leakage, or a crossing into another cell, if the surface is recorded from this side.
template <class Banks>
GSIM_TRANSPORT_NOINLINE Fate record_on_selected_surface(HistoryArgument<Banks> h, Vector3 origin,
                                                        double path, Argument<Crossing> crossing) {
  auto& p = h.particle;
  const transport::RecordedSurfaces& recorded = h.args.recorded;
  const bool is_leaked = crossing.kind == CrossingKind::leaked;
  if (crossing.half_space < 0 || !(is_leaked || crossing.kind == CrossingKind::next_cell))
    return Fate::alive;
  const std::int32_t side = (crossing.half_space & 1) + 1;
  if ((recorded.sides[crossing.half_space >> 1] & side) == 0) return Fate::alive;
  h.banks.record_crossing(CrossingRecord{along(origin, path, p.direction), p.direction, p.weight,
                                         p.time, p.random.state(), p.recorded_crossings++, p.group,
                                         crossing.half_space});
  if (is_leaked || recorded.ends == 0) return Fate::alive;
  tally_whole_track(h, origin, path);
  return Fate::recorded;
}
/// Records a crossing at `path` of the flight from `origin` if its surface is one of
/// RecordedSurfaces.
template <class Banks>
GSIM_HD Fate record_crossing(History<Banks>& h, const Vector3& origin, double path,
                             const Crossing& crossing) {
  return !has_recorded_surfaces(h) ? Fate::alive
                                   : record_on_selected_surface(h, origin, path, crossing);
}

/// After a crossing at `path` of the flight from `origin`: ends the track if the crossing has ended
/// the flight, and the particle if it has leaked or is lost.
template <class Banks>
GSIM_HD Fate apply_crossing(History<Banks>& h, const Crossing& crossing, const Vector3& origin,
                            double path) {
  auto& p = h.particle;
  if (crossing.kind != CrossingKind::same_cell && crossing.kind != CrossingKind::next_cell) {
    tally_whole_track(h, origin, path);
    p.track_start = p.coordinates.path;
  }
  p.direction = p.coordinates.level[0].direction;
  if (crossing.kind == CrossingKind::leaked) {
    add_score(h.scores.leakage, p.weight);
    return Fate::leaked;
  }
  return crossing.kind == CrossingKind::lost ? mark_as_lost(h, LostParticle::Reason::no_cell)
                                             : Fate::alive;
}

/// After a boundary condition has reflected or translated the particle: finds the owner of its new
/// position, and scores its crossing back into the geometry.
template <class Banks>
GSIM_HD Fate reenter(History<Banks>& h, const Crossing& crossing) {
  if (crossing.kind == CrossingKind::translated)
    if (const Fate fate = check_domain(h, SuspendedParticle::Stage::translated); has_ended(fate))
      return fate;
  if (crossing.kind == CrossingKind::translated || crossing.kind == CrossingKind::reflected)
    tally_reentry(h);
  return Fate::alive;
}

}  // namespace transport_kernels
GSIM_TARGET_END
