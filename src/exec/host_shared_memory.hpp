#pragma once
// Shareable memory of the host executor: anonymous shared mappings, so that nothing is left behind
// when a process is killed.

#include <cstddef>
#include <memory>

#include "gsim/exec/peer_memory.hpp"

namespace gsim::detail {

/// Throws a DeviceError that states the size if there is not enough memory.
void* allocate_shared(std::size_t bytes);
void deallocate_shared(void* pointer) noexcept;

/// Maps memory that other processes allocated with allocate_shared(), and copies into it.
std::unique_ptr<PeerMemory> make_host_peer_memory();

}  // namespace gsim::detail
