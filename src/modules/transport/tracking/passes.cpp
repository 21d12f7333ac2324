#include "src/modules/transport/tracking/passes.hpp"

#include <algorithm>

namespace gsim::transport {

// If a fraction 1/m of all particles ends in each flight, passes of N flights keep a fraction
// m / N (1 - exp(-N / m)) of the 32 lanes of a warp busy; without passes this fraction is
// 1 / (1 + 1/2 + ... + 1/32) = 0.25. For m = 100, as in a lattice of pins, N = 64 yields 0.74;
// smaller N would write and read suspended particles more often. This is an estimate, not measured.
std::int64_t flights_per_pass(const Executor& executor, const HistoryRules& rules) {
  constexpr std::int64_t on_device = 64;
  if (rules.flights_per_pass >= 0) return rules.flights_per_pass;
  return executor.is_cuda() ? on_device : 0;
}

double bytes_in_flight(const Executor& executor, const HistoryRules& rules, Index histories) {
  const auto items = static_cast<double>(std::min(histories, max_in_flight));
  // Two lists, of this pass and the previous one; on the host they grow by factors of 1.5.
  const double capacity = executor.is_cuda() ? 2 : 3;
  double bytes = 0;
  if (flights_per_pass(executor, rules) > 0) bytes += capacity * sizeof(SuspendedParticle) * items;
  if (executor.is_cuda()) bytes += capacity * sizeof(BankedParticle) * items;
  return bytes;
}

}  // namespace gsim::transport
