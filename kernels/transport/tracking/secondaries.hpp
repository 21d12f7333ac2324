#pragma once
// Lost particles, and secondaries of a history: fission neutrons, particles from splitting and
// from forced collisions.

#include "gsim/transport/noinline.hpp"
#include "kernels/transport/tallies/history_tallies.hpp"
#include "kernels/transport/tracking/lost_particles.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Counts a particle that is lost for `reason`.
template <int levels>
GSIM_TRANSPORT_NOINLINE void count_as_lost(const HistoriesArgs& args, HistoryScores& scores,
                                           const ParticleOf<levels>& p,
                                           LostParticle::Reason reason) {
  LostParticle lost;
  lost.reason = reason;
  lost.cell = p.coordinates.depth > 0 ? innermost_cell(p) : -1;
  lost.history = static_cast<std::int64_t>(p.random.state().history);
  lost.stream = p.random.state().position;
  lost.position = position_of(p);
  lost.direction = p.direction;
  count_lost(args, scores, lost);
}
/// Ends the particle and counts it as lost for `reason`.
template <class Banks>
GSIM_TRANSPORT_HOST_NOINLINE Fate mark_as_lost(History<Banks>& h, LostParticle::Reason reason) {
  tally_whole_track(h);
  count_as_lost(h.args, h.scores, h.particle, reason);
  return Fate::lost;
}

/// A particle at the position of the current one, in its cell.
template <int levels>
GSIM_HD BankedParticle banked_here(const ParticleOf<levels>& p, const Vector3& direction,
                                   double weight, double time, double free_paths,
                                   const transport::RandomState& random, std::int32_t group) {
  return {position_of(p), direction, weight, time,          free_paths,
          random,         group,     p.cell, p.secondaries, p.flight};
}

/// Banks a secondary. Where the history has produced more than HistoryRules::max_secondaries, the
/// current particle is lost and all waiting secondaries are discarded.
template <class Banks>
GSIM_TRANSPORT_HOST_NOINLINE Fate push_secondary(History<Banks>& h, BankedParticle secondary) {
  auto& p = h.particle;
  h.banks.count_secondary(h.scores);
  secondary.secondaries = ++p.secondaries;
  if (p.secondaries > h.rules.max_secondaries) {
    mark_as_lost(h, LostParticle::Reason::too_many_secondaries);
    BankedParticle waiting;
    while (h.banks.pop_secondary(waiting)) {
    }
    return Fate::lost;
  }
  h.banks.push_secondary(secondary);
  return Fate::alive;
}

}  // namespace transport_kernels
GSIM_TARGET_END
