#pragma once
// One history: a source particle and all of its secondaries, from start to end, by surface or delta
// tracking.

#include "kernels/transport/sources/start_history.hpp"
#include "kernels/transport/tracking/delta_tracking.hpp"
#include "kernels/transport/tracking/surface_tracking.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

template <class Banks>
GSIM_HD void transport_particle(History<Banks>& h) {
  if (h.rules.tracking == transport::Tracking::surface)
    track_by_surfaces(h);
  else
    track_by_majorant(h);
}

/// Adds a particle's contributions to k to the sums; those of a suspended particle have been moved
/// to its SuspendedParticle.
template <class Banks>
GSIM_HD void score_k(History<Banks>& h) {
  add_score(h.scores.k_collision, h.particle.k.k_collision);
  add_score(h.scores.k_absorption, h.particle.k.k_absorption);
  add_score(h.scores.k_track_length, h.particle.k.k_track_length);
}

/// Makes item `i` of a pass the current particle.
template <class Banks>
GSIM_HD Fate begin_item(History<Banks>& h, const PassItems& items, Index i) {
  const HistoriesArgs& args = h.args;
  const Index n = i - items.resumed;
  if (n < 0) return restore(h, args.resumed[i]);
  if (n < items.banked) return restore(h, args.banked[n]);
  if (const Fate fate = start_history(h, items.started + n - items.banked); has_ended(fate))
    return fate;
  return check_domain(h);
}

/// Transports item `i` of a pass, and all secondaries that it produces on this thread.
template <class Banks>
GSIM_HD void transport_history(History<Banks>& h, const PassItems& items, Index i) {
  Fate fate = begin_item(h, items, i);
  for (;;) {
    if (fate == Fate::alive) {
      transport_particle(h);
      score_k(h);
    }
    BankedParticle next;
    if (!h.banks.pop_secondary(next)) return;
    fate = restore(h, next);
  }
}

}  // namespace transport_kernels
GSIM_TARGET_END
