#include "src/modules/transport/tracking/passes.hpp"

#include <algorithm>

namespace gsim::transport {

/// Upper bound of the particles and lists of event-based tracking on a host thread, bytes.
constexpr double bytes_of_event_loop = 0x1p18;

double bytes_in_flight(const Executor& executor, const HistoryRules& rules, Index histories) {
  const auto items = static_cast<double>(std::min(histories, max_in_flight));
  // Two lists, of this pass and the previous one; on the host they grow by factors of 1.5.
  const double capacity = executor.is_cuda() ? 2 : 3;
  double bytes = executor.is_cuda() ? 0 : bytes_of_event_loop * executor.threads();
  if (rules.flights_per_pass > 0) bytes += capacity * sizeof(SuspendedParticle) * items;
  if (executor.is_cuda()) bytes += capacity * sizeof(BankedParticle) * items;
  return bytes;
}

}  // namespace gsim::transport
