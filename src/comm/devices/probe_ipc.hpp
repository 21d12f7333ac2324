#pragma once
// Tests which ranks can write into each other's device memory.

#include <memory>
#include <string>

#include "gsim/comm/communicator.hpp"
#include "gsim/exec/peer_memory.hpp"

namespace gsim::detail {

/// Result of probe_ipc(), the same on every rank.
struct IpcReport {
  Index connected = 0;  ///< number of connected pairs of different ranks
  Index pairs = 0;      ///< number of all pairs of different ranks
  /// why a pair is not connected, as a clause, from the lowest rank that has a reason; empty if all
  /// pairs are connected
  std::string why_not;
};

/// Every rank writes a pattern into the memory of every other rank of its node and checks the
/// patterns of the others; pairs that exchanged both patterns correctly are connected
/// (ControlMessages::ipc_connections of the backend). A rank without `memory` does not take part
/// and is not connected; `no_memory_reason` may give the reason. A DeviceError during the test is
/// recorded as the reason. Collective.
IpcReport probe_ipc(const Communicator& communicator, const Executor& executor,
                    std::shared_ptr<PeerMemory> memory, std::string no_memory_reason = {});

}  // namespace gsim::detail
