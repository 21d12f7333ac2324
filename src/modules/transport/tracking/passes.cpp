#include "src/modules/transport/tracking/passes.hpp"

namespace gsim::transport {

// Where a share 1/m of all particles ends in a flight, N flights a pass keep m / N (1 - exp(-N /
// m)) of a warp's 32 lanes busy, and flights to the end 1 / (1 + 1/2 + ... + 1/32) = 0.25 of them.
// With m some 100, as in a lattice of pins, N = 64 is 0.74; less would write and read the states of
// suspended more often. Chosen by this reckoning, not by measurements.
std::int64_t flights_a_pass(const Executor& executor, const HistoryRules& rules) {
  constexpr std::int64_t on_device = 64;
  if (rules.flights_a_pass >= 0) return rules.flights_a_pass;
  return executor.is_cuda() ? on_device : 0;
}

double bytes_in_flight(const Executor& executor, const HistoryRules& rules, Index histories) {
  const auto items = static_cast<double>(std::min(histories, most_in_flight));
  // Two lists, of this pass and of the one before; on the host they grow by half.
  const double room = executor.is_cuda() ? 2 : 3;
  double bytes = 0;
  if (flights_a_pass(executor, rules) > 0) bytes += room * sizeof(SuspendedParticle) * items;
  if (executor.is_cuda()) bytes += room * sizeof(BankedParticle) * items;
  return bytes;
}

}  // namespace gsim::transport
