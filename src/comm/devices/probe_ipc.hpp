#pragma once
// Finds out which ranks can write into each other's device memory, by doing it.

#include <memory>
#include <string>

#include "gsim/comm/communicator.hpp"
#include "gsim/exec/peer_memory.hpp"

namespace gsim::detail {

/// The same on every rank.
struct IpcReport {
  Index connected = 0;  ///< pairs of different ranks that can
  Index pairs = 0;      ///< all
  std::string why_not;  ///< a clause: what the first rank found that has none; empty if all have
};

/// Every rank writes a pattern into the memory of every other rank of its node, and looks for those
/// of the others; pairs where both arrive are connected (ControlMessages::ipc_connections of the
/// backend). A rank without `memory` takes no part, and is connected with none; `why_none` may say
/// why. A DeviceError on the way is the reason why pairs are not connected. Collective.
IpcReport probe_ipc(const Communicator& communicator, const Executor& executor,
                    std::shared_ptr<PeerMemory> memory, std::string why_none = {});

}  // namespace gsim::detail
