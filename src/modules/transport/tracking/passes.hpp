#pragma once
// Passes of histories: the memory of their particles, and the histories of a part of a batch.

#include "gsim/exec/executor.hpp"
#include "kernels/transport/tracking/histories.hpp"

namespace gsim::transport {

/// Memory of the particles of a rank's `histories` that are in flight, without secondaries, and of
/// those that host threads transport together, bytes.
double bytes_in_flight(const Executor& executor, const HistoryRules& rules, Index histories);

/// The arguments for `count` histories of `args`, from number `first` on.
inline HistoriesArgs part_of(HistoriesArgs args, Index first, Index count) {
  args.first_history += first;
  args.first_parent += first;
  args.count = count;
  if (args.sites.size > 0) args.sites = {args.sites.data + first, count};
  if (args.particles.size > 0) args.particles = {args.particles.data + first, count};
  return args;
}

}  // namespace gsim::transport
