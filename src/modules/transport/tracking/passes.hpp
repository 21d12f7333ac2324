#pragma once
// Passes of histories: how many histories a pass starts beside its resumed particles, and how many
// flights it has.

#include <algorithm>

#include "gsim/exec/executor.hpp"
#include "kernels/transport/tracking/histories.hpp"

namespace gsim::transport {

/// Largest number of particles in one pass, which limits the memory of suspended particles; several
/// times the number of threads that are resident on a device.
inline constexpr Index max_in_flight = Index{1} << 20;

/// HistoryRules::flights_per_pass or, if that is negative, the default of the executor: on the host
/// 0, since no thread waits for others there.
std::int64_t flights_per_pass(const Executor& executor, const HistoryRules& rules);

/// Memory of the particles of a rank's `histories` that are in flight, without secondaries, bytes.
double bytes_in_flight(const Executor& executor, const HistoryRules& rules, Index histories);

/// Number of histories that a pass starts, of `remaining` ones, if it also resumes `resumed`
/// particles; positive if there are remaining histories and no resumed particles.
constexpr Index new_histories_in_pass(Index resumed, Index remaining,
                                      Index max_particles = max_in_flight) {
  return std::clamp(max_particles - resumed, Index{0}, remaining);
}

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
