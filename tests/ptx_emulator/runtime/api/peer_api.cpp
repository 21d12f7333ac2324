// Memory of other devices: peer access within the process, and handles for other processes.

#include <cstring>

#include <cuda_runtime_api.h>
#include <unistd.h>

#include "runtime/api/api.hpp"

using namespace ptxemu;

namespace {
bool is_device(const Runtime& runtime, int ordinal) {
  return ordinal >= 0 && ordinal < runtime.device_count();
}

/// Names an event for other processes of the node.
struct EventHandle {
  std::uint32_t magic;
  std::int32_t process;
};
constexpr std::uint32_t event_magic = 0x50547845;
}  // namespace

extern "C" {

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return guarded_without_device([&](Runtime& runtime) {
    if (!is_device(runtime, device) || !is_device(runtime, peer)) return cudaErrorInvalidDevice;
    *can = device != peer ? 1 : 0;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return guarded([&](Runtime& runtime, Device& device) {
    if (flags != 0) return cudaErrorInvalidValue;
    if (!is_device(runtime, peer) || peer == device.ordinal()) return cudaErrorInvalidDevice;
    return device.memory.add_peer(runtime.device(peer).memory) ? cudaSuccess
                                                               : cudaErrorPeerAccessAlreadyEnabled;
  });
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return guarded([&](Runtime& runtime, Device& device) {
    if (!is_device(runtime, peer)) return cudaErrorInvalidDevice;
    device.drain_all();
    return device.memory.remove_peer(runtime.device(peer).memory) ? cudaSuccess
                                                                  : cudaErrorPeerAccessNotEnabled;
  });
}
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, std::size_t size) {
  return cudaMemcpy(to, from, size, cudaMemcpyDeviceToDevice);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t size,
                                cudaStream_t stream) {
  return cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer) {
  return guarded([&](Runtime& runtime, Device&) {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    Device* const owner = runtime.find_device(address);
    if (owner == nullptr) return cudaErrorInvalidValue;
    owner->drain_all();
    const IpcHandle* const shared = owner->memory.share(address);
    if (shared == nullptr) {
      std::fprintf(stderr,
                   "emulated GPU %d: a handle can only be made of memory of cudaMalloc, by its "
                   "first address\n",
                   owner->ordinal());
      return cudaErrorInvalidValue;
    }
    std::memset(handle, 0, sizeof *handle);
    std::memcpy(handle, shared, sizeof *shared);
    return cudaSuccess;
  });
}
cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned flags) {
  return guarded([&](Runtime&, Device& device) {
    if (flags != cudaIpcMemLazyEnablePeerAccess) return cudaErrorInvalidValue;
    IpcHandle shared;
    std::memcpy(&shared, &handle, sizeof shared);
    std::uint64_t address = 0;
    switch (device.memory.open(shared, address)) {
      case DeviceMemory::OpenResult::own_process:
        return cudaErrorDeviceUninitialized;
      case DeviceMemory::OpenResult::stale:
        return cudaErrorInvalidValue;
      case DeviceMemory::OpenResult::no_addresses:
        return cudaErrorMapBufferObjectFailed;
      case DeviceMemory::OpenResult::opened:
        break;
    }
    *pointer = reinterpret_cast<void*>(address);
    return cudaSuccess;
  });
}
cudaError_t cudaIpcCloseMemHandle(void* pointer) {
  return guarded([&](Runtime& runtime, Device& device) {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    device.drain_all();
    Device* const owner = runtime.find_device(address);
    if (owner == nullptr) return cudaErrorInvalidValue;
    owner->drain_all();
    return owner->memory.close(address) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

// The record of an event for other processes is executed at once, with all work before it in the
// stream. So such an event never has to be waited for, in any process.
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
  return guarded([&](Runtime&, Device&) {
    if (event == nullptr) return cudaErrorInvalidResourceHandle;
    if (!reinterpret_cast<Event*>(event)->interprocess) return cudaErrorInvalidValue;
    const EventHandle shared{event_magic, getpid()};
    std::memset(handle, 0, sizeof *handle);
    std::memcpy(handle, &shared, sizeof shared);
    return cudaSuccess;
  });
}
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle) {
  return guarded([&](Runtime&, Device&) {
    EventHandle shared;
    std::memcpy(&shared, &handle, sizeof shared);
    if (shared.magic != event_magic) return cudaErrorInvalidValue;
    if (shared.process == getpid()) return cudaErrorDeviceUninitialized;
    return cudaEventCreateWithFlags(event, cudaEventInterprocess | cudaEventDisableTiming);
  });
}

}  // extern "C"
