#pragma once
// Ranks that write into each other's memory (BufferPath::ipc), without a GPU.

#include "gsim/comm/device_binding.hpp"
#include "gsim/core/error.hpp"
#include "gsim/exec/peer_memory.hpp"
#include "src/comm/link_devices.hpp"

namespace gsim::test {

/// Links all ranks by way of the host's shared memory; release_buffer_path() ends it. Collective.
inline void link(const Communicator& comm) {
  const Executor host = Executor::host(1);
  const auto report = detail::link_devices(comm, host, PeerMemory::of(host));
  if (report.linked != report.pairs) throw Error("not all ranks are linked: " + report.why_not);
}

}  // namespace gsim::test
