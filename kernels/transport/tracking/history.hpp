#pragma once
// One history: how its particles begin and end, and their flights by surface or delta tracking.

#include "kernels/transport/sources/start_history.hpp"
#include "kernels/transport/tracking/delta_tracking.hpp"
#include "kernels/transport/tracking/surface_tracking.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Adds a particle's contributions to k to the sums; those of a suspended particle have been moved
/// to its SuspendedParticle.
template <class Banks>
GSIM_HD void score_k(History<Banks>& h) {
  add_score(h.scores.k_collision, h.particle.k.k_collision);
  add_score(h.scores.k_absorption, h.particle.k.k_absorption);
  if constexpr (Banks::features.surface_tracking)
    add_score(h.scores.k_track_length, h.particle.k.k_track_length);
}

/// Makes item `i` of a pass the current particle.
template <class Banks>
GSIM_HD Fate begin_item(History<Banks>& h, const PassItems& items, Index i) {
  const HistoriesArgs& args = h.args;
  const Index n = i - items.resumed;
  if constexpr (Banks::features.others)
    if (n < 0) return restore(h, args.resumed[i]);
  if constexpr (Banks::features.secondaries)
    if (n < items.banked) return restore(h, args.banked[n]);
  if (const Fate fate = start_history(h, items.started + n - items.banked); has_ended(fate))
    return fate;
  return check_domain(h);
}

}  // namespace transport_kernels
GSIM_TARGET_END
