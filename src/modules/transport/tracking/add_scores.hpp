#pragma once
// Sums of the scores of workers, passes and ranks.

#include "kernels/transport/tracking/histories.hpp"

namespace gsim::transport {

/// Adds `from` to `to`.
inline void add_scores(HistoryScores& to, const HistoryScores& from) {
  to.k_collision += from.k_collision;
  to.k_absorption += from.k_absorption;
  to.k_track_length += from.k_track_length;
  to.leakage += from.leakage;
  to.timed_out += from.timed_out;
  to.fission_production += from.fission_production;
  to.collisions += from.collisions;
  to.flights += from.flights;
  to.secondaries += from.secondaries;
  if (from.first_lost.comes_before(to.first_lost)) to.first_lost = from.first_lost;
  to.lost += from.lost;
  to.too_many_secondaries += from.too_many_secondaries;
  to.overlapping += from.overlapping;
}

}  // namespace gsim::transport
