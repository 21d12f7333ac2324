#pragma once
// The host executor's exchangeable memory: shared mappings without a name in any file system, so
// that nothing is left behind by a process that dies.

#include <cstddef>
#include <memory>

#include "gsim/exec/peer_memory.hpp"

namespace gsim::detail {

/// DeviceError with the size when there is none.
void* allocate_shared(std::size_t bytes);
void deallocate_shared(void* pointer) noexcept;

/// For memory of allocate_shared().
std::unique_ptr<PeerMemory> make_host_peer_memory();

}  // namespace gsim::detail
