#pragma once
// Ranks that write into each other's memory (BufferPath::ipc), with or without a GPU.

#include "gsim/comm/device_binding.hpp"
#include "gsim/core/error.hpp"
#include "gsim/exec/peer_memory.hpp"
#include "src/comm/devices/probe_ipc.hpp"

namespace gsim::test {

/// Connects all ranks through the memory of `executor`, by default shared host memory;
/// release_buffer_path() ends it. Collective.
inline void connect_ipc(const Communicator& comm, const Executor& executor = Executor::host(1)) {
  const auto report = detail::probe_ipc(comm, executor, PeerMemory::of(executor));
  if (report.connected != report.pairs)
    throw Error("not all ranks are connected: " + report.why_not);
}

}  // namespace gsim::test
