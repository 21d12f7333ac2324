#include "src/modules/transport/tracking/passes.hpp"

#include <algorithm>

namespace gsim::transport {

double bytes_in_flight(const Executor& executor, const HistoryRules& rules, Index histories) {
  const auto items = static_cast<double>(std::min(histories, max_in_flight));
  // Two lists, of this pass and the previous one; on the host they grow by factors of 1.5.
  const double capacity = executor.is_cuda() ? 2 : 3;
  double bytes = 0;
  if (rules.flights_per_pass > 0) bytes += capacity * sizeof(SuspendedParticle) * items;
  if (executor.is_cuda()) bytes += capacity * sizeof(BankedParticle) * items;
  return bytes;
}

}  // namespace gsim::transport
