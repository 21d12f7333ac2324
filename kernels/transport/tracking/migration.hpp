#pragma once
// Suspending and restoring particles: for other ranks, for the next pass, from banks.

#include "gsim/transport/noinline.hpp"
#include "kernels/transport/tallies/history_tallies.hpp"
#include "kernels/transport/tracking/secondaries.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Moves the particle's complete state to `to`. Its contributions to k go with it.
template <class Banks>
GSIM_TRANSPORT_NOINLINE void suspend(HistoryArgument<Banks> h, SuspendedParticle& to,
                                     std::int32_t owner, SuspendedParticle::Stage stage,
                                     double tallied_to) {
  auto& p = h.particle;
  to.particle =
      banked_here(p, p.direction, p.weight, p.time, p.free_paths, p.random.state(), p.group);
  to.outer = p.outer_boundary;
  to.tallied_to = tallied_to;
  to.track_start = p.track_start;
  to.k = p.k;
  p.k = KContributions{};
  to.flights = p.flights;
  to.fission_sites = p.fission_sites;
  to.recorded_crossings = p.recorded_crossings;
  to.owner = owner;
  to.stage = stage;
  copy_levels(to.at, p.coordinates);
}

/// Sends the particle to the rank `owner`.
template <class Banks>
GSIM_TRANSPORT_NOINLINE Fate leave_domain(HistoryArgument<Banks> h, std::int32_t owner,
                                          SuspendedParticle::Stage stage, double tallied_to) {
  SuspendedParticle suspended;
  suspend(h, suspended, owner, stage, tallied_to);
  h.banks.send_to_owner(suspended);
  return Fate::left_domain;
}

/// Sends the particle to the rank that owns its position, unless that is this one.
template <class Banks>
GSIM_HD Fate check_domain(History<Banks>& h,
                          SuspendedParticle::Stage stage = SuspendedParticle::Stage::unlocated) {
  if (!has_domains(h)) return Fate::alive;
  const std::int32_t owner =
      domain_owner(h.args.domains, position_of(h.particle), h.particle.direction);
  return owner == h.args.domains.rank ? Fate::alive : leave_domain(h, owner, stage, -1);
}

/// The number of flights at which the particle's pass ends, or the particle counts as lost.
template <class Banks>
GSIM_HD std::int64_t last_flight(const History<Banks>& h) {
  const std::int64_t pass = h.rules.flights_per_pass, max_flights = h.rules.max_flights;
  const std::int64_t flights = h.particle.flights;
  return has_passes(h) && pass < max_flights - flights ? flights + pass : max_flights;
}
/// Banks a particle that has reached last_flight() for the next pass. This is a call, since the
/// loops over flights are 10 % slower when it is inlined in them.
template <class Banks>
GSIM_TRANSPORT_HOST_NOINLINE Fate end_pass(History<Banks>& h) {
  if (!has_passes(h) || h.particle.flights >= h.rules.max_flights)
    return mark_as_lost(h, LostParticle::Reason::too_many_flights);
  suspend(h, *h.banks.bank_for_next_pass(), h.args.domains.rank,
          SuspendedParticle::Stage::in_flight, h.particle.tallied_to);
  return Fate::banked;
}

/// Resets the members that are counted from the start of a particle's transport.
template <int levels>
GSIM_HD void reset(ParticleOf<levels>& p) {
  p.free_paths = p.tallied_to = -1;
  p.flights = 0;
  p.fission_sites = p.recorded_crossings = 0;
  p.continues_flight = false;
  p.flight = {};
  p.weight_attenuation = 0;
  p.track_start = 0;
  p.k = KContributions{};
}
template <class Banks>
GSIM_HD void set_particle(History<Banks>& h, const BankedParticle& from) {
  auto& p = h.particle;
  p.random = HistoryRandom(h.args.key, from.random);
  p.direction = from.direction;
  p.weight = from.weight;
  p.time = from.time;
  p.free_paths = from.free_paths;
  p.group = from.group;
  p.cell = from.cell;
  p.flight = from.flight;
  if (!transports_whole_history(h)) p.secondaries = from.secondaries;
}

/// Ends a particle that starts at or after the time cutoff.
template <class Banks>
GSIM_HD Fate check_time(History<Banks>& h) {
  if (!has_times(h) || h.particle.time < h.rules.time_cutoff) return Fate::alive;
  add_score(h.scores.timed_out, h.particle.weight);
  return Fate::time_cutoff;
}

/// Makes a banked particle the current one.
template <class Banks>
GSIM_HD Fate restore(History<Banks>& h, const BankedParticle& from) {
  reset(h.particle);
  set_particle(h, from);
  begin_flight(h.particle.coordinates, from.position, h.particle.direction);
  if (const Fate fate = check_time(h); has_ended(fate)) return fate;
  return check_domain(h);
}
/// Makes a suspended particle the current one.
template <class Banks>
GSIM_TRANSPORT_NOINLINE Fate restore(HistoryArgument<Banks> h, const SuspendedParticle& from) {
  auto& p = h.particle;
  reset(p);
  set_particle(h, from.particle);
  if (from.stage == SuspendedParticle::Stage::unlocated) {
    begin_flight(p.coordinates, from.particle.position, p.direction);
    return Fate::alive;
  }
  copy_levels(p.coordinates, from.at);
  p.outer_boundary = from.outer;
  p.tallied_to = from.tallied_to;
  p.track_start = from.track_start;
  p.k = from.k;
  p.flights = from.flights;
  p.fission_sites = from.fission_sites;
  p.recorded_crossings = from.recorded_crossings;
  p.continues_flight = true;
  if (from.stage == SuspendedParticle::Stage::translated) tally_reentry(h);
  return Fate::alive;
}

}  // namespace transport_kernels
GSIM_TARGET_END
