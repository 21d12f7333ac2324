#pragma once
// Sums of what workers, passes and ranks have scored.

#include "kernels/transport/histories.hpp"

namespace gsim::transport {

/// Adds `from`; the first of the lost particles is the one of the lowest history.
inline void add_scores(HistoryScores& to, const HistoryScores& from) {
  to.k_collision += from.k_collision;
  to.k_absorption += from.k_absorption;
  to.k_track_length += from.k_track_length;
  to.leakage += from.leakage;
  to.timed_out += from.timed_out;
  to.bred += from.bred;
  to.collisions += from.collisions;
  to.flights += from.flights;
  to.secondaries += from.secondaries;
  const bool is_first = to.lost == 0 || from.first_lost.history < to.first_lost.history;
  if (from.lost != 0 && is_first) to.first_lost = from.first_lost;
  to.lost += from.lost;
  to.multiplying += from.multiplying;
}

}  // namespace gsim::transport
