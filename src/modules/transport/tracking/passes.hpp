#pragma once
// How histories run in passes: which ones a pass starts beside the particles that go on in it, and
// how far these fly.

#include <algorithm>

#include "gsim/exec/executor.hpp"
#include "kernels/transport/tracking/histories.hpp"

namespace gsim::transport {

/// Particles that passes have in flight at once: they bound the memory of those that wait between
/// two passes, and are several times what the threads of a device can hold.
inline constexpr Index most_in_flight = Index{1} << 20;

/// HistoryRules::flights_a_pass, or where that is negative what suits the executor: on the host
/// particles are followed to their ends, which keeps nobody waiting there.
std::int64_t flights_a_pass(const Executor& executor, const HistoryRules& rules);

/// Memory of the particles of a rank's `histories` that are in flight; more, where they make others
/// than they start with.
double bytes_in_flight(const Executor& executor, const HistoryRules& rules, Index histories);

/// How many of `left` histories a pass starts beside `waiting` particles. Some, where nothing
/// waits.
constexpr Index starts_beside(Index waiting, Index left, Index most = most_in_flight) {
  return std::clamp(most - waiting, Index{0}, left);
}

/// `args` for `count` of its histories, from its number `first` on.
inline HistoriesArgs part_of(HistoriesArgs args, Index first, Index count) {
  args.first_history += first;
  args.first_parent += first;
  args.count = count;
  if (args.sites.size > 0) args.sites = {args.sites.data + first, count};
  if (args.particles.size > 0) args.particles = {args.particles.data + first, count};
  return args;
}

}  // namespace gsim::transport
