// Allocation, memcpy and memset.

#include <cstring>

#include <cuda_runtime_api.h>

#include "runtime/api.hpp"
#include "runtime/failures.hpp"
#include "runtime/managed.hpp"
#include "runtime/open_resources.hpp"

using namespace ptxemu;

namespace {

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

cudaError_t allocate(Device& device, void** pointer, std::size_t size, bool shareable) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (size == 0) return cudaSuccess;
  if (Failures::of_process().next_allocation_fails()) return cudaErrorMemoryAllocation;
  std::uint64_t address = device.allocate(size, shareable);
  if (address == 0) {  // frees pending in streams may release memory
    device.drain_all();
    address = device.allocate(size, shareable);
  }
  if (address == 0) return cudaErrorMemoryAllocation;
  Runtime::instance().activity.device_allocations.add(size);
  *pointer = reinterpret_cast<void*>(address);
  OpenResources::instance().opened("allocation", *pointer, size);
  return cudaSuccess;
}

/// The kind of memory on one side of a copy: device memory, registered host memory, or other host
/// memory.
enum class Side { device, pinned, pageable, invalid };

Side side_of(const void* pointer, std::size_t size) {
  const std::uint64_t address = address_of(pointer);
  if (const Device* const device = Runtime::instance().find_device(address)) {
    const DeviceMemory::Range range = device->memory.allocation(address);
    return range.size != 0 && size <= range.start + range.size - address ? Side::device
                                                                         : Side::invalid;
  }
  return DeviceMemory::is_host(address, size) ? Side::pinned : Side::pageable;
}

/// Whether the two sides match the kind of the copy.
bool matches(cudaMemcpyKind kind, Side to, Side from) {
  if (to == Side::invalid || from == Side::invalid) return false;
  const bool to_device = to == Side::device, from_device = from == Side::device;
  switch (kind) {
    case cudaMemcpyHostToDevice:
      return !from_device && to != Side::pageable;
    case cudaMemcpyDeviceToHost:
      return !to_device && from != Side::pageable;
    case cudaMemcpyDeviceToDevice:
      return to != Side::pageable && from != Side::pageable;
    case cudaMemcpyHostToHost:
      return !to_device && !from_device;
    default:
      return true;
  }
}

/// The bytes at an address of a device or of the host, after the check of access().
void* bytes_at(const void* pointer, std::size_t size, bool write) {
  Device* const device = Runtime::instance().find_device(address_of(pointer));
  return device != nullptr ? device->memory.access(address_of(pointer), size, write)
                           : const_cast<void*>(pointer);
}

void copy_bytes(void* to, const void* from, std::size_t size) {
  const void* const source = bytes_at(from, size, false);
  std::memmove(bytes_at(to, size, true), source, size);
}

/// Appends the failure that PTXEMU_FAIL_COPY demands for this copy, if any.
void enqueue_failure(Device& device, Stream& stream) {
  if (!Failures::of_process().next_copy_fails()) return;
  device.enqueue(stream, [&device] {
    std::fprintf(stderr, "emulated GPU %d: a failure of a copy was provoked\n", device.ordinal());
    device.sticky = cudaErrorECCUncorrectable;
  });
}

void count_copy(Side to, Side from, std::size_t size) {
  const bool to_device = to == Side::device, from_device = from == Side::device;
  const Direction direction =
      to_device     ? from_device ? Direction::device_to_device : Direction::host_to_device
      : from_device ? Direction::device_to_host
                    : Direction::host_to_host;
  const bool pageable = to == Side::pageable || from == Side::pageable;
  Runtime::instance().activity.copies[static_cast<int>(direction)][pageable ? 0 : 1].add(size);
}

cudaError_t copy(Device& device, void* to, const void* from, std::size_t size, cudaMemcpyKind kind,
                 Stream& stream, bool asynchronous) {
  if (size == 0) return cudaSuccess;
  const Side to_side = side_of(to, size), from_side = side_of(from, size);
  if (!matches(kind, to_side, from_side)) return cudaErrorInvalidValue;
  count_copy(to_side, from_side, size);
  enqueue_failure(device, stream);
  if (from_side == Side::pageable && to_side == Side::device) {
    // The driver stages pageable memory before the call returns.
    auto staged = std::make_shared<std::vector<std::byte>>(size);
    std::memcpy(staged->data(), from, size);
    device.enqueue(stream, [to, staged] { copy_bytes(to, staged->data(), staged->size()); });
  } else {
    device.enqueue(stream, [to, from, size] { copy_bytes(to, from, size); });
  }
  if (!asynchronous || to_side == Side::pageable) {
    Runtime::instance().activity.copy.add(true);
    device.drain(stream);
  }
  return cudaSuccess;
}

cudaError_t fill_bytes(Device& device, void* to, int value, std::size_t size, Stream& stream) {
  if (size == 0) return cudaSuccess;
  const Side side = side_of(to, size);
  if (side == Side::invalid || side == Side::pageable) return cudaErrorInvalidValue;
  Runtime::instance().activity.fills.add(size);
  device.enqueue(stream, [to, value, size] { std::memset(bytes_at(to, size, true), value, size); });
  return cudaSuccess;
}

cudaError_t copy_2d(Device& device, void* to, std::size_t to_pitch, const void* from,
                    std::size_t from_pitch, std::size_t width, std::size_t height,
                    cudaMemcpyKind kind, Stream& stream, bool asynchronous) {
  if (width > to_pitch || width > from_pitch) return cudaErrorInvalidPitchValue;
  for (std::size_t row = 0; row < height; ++row) {
    const cudaError_t error =
        copy(device, static_cast<std::byte*>(to) + row * to_pitch,
             static_cast<const std::byte*>(from) + row * from_pitch, width, kind, stream, true);
    if (error != cudaSuccess) return error;
  }
  if (!asynchronous) device.drain(stream);
  return cudaSuccess;
}

/// Calls f(device, stream) for the stream of a handle; an unknown handle is an error.
template <class F>
cudaError_t on_stream(cudaStream_t handle, const F& f) {
  return guarded([&](Runtime&, Device& device) {
    Stream* const stream = stream_of(device, handle);
    return stream == nullptr ? cudaErrorInvalidResourceHandle : f(device, *stream);
  });
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** pointer, std::size_t size) {
  return guarded([&](Runtime&, Device& device) { return allocate(device, pointer, size, true); });
}
cudaError_t cudaMallocAsync(void** pointer, std::size_t size, cudaStream_t handle) {
  return on_stream(handle,
                   [&](Device& device, Stream&) { return allocate(device, pointer, size, false); });
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t size, cudaMemPool_t,
                                    cudaStream_t handle) {
  return cudaMallocAsync(pointer, size, handle);
}
cudaError_t cudaFree(void* pointer) {
  return guarded([&](Runtime& runtime, Device& device) {
    runtime.activity.free.add(device.has_pending());
    device.drain_all();
    if (pointer == nullptr) return cudaSuccess;
    if (release_managed(pointer)) return cudaSuccess;
    Device* const owner = runtime.find_device(address_of(pointer));
    if (owner == nullptr) return cudaErrorInvalidValue;
    owner->drain_all();
    ++runtime.activity.device_frees;
    if (!owner->release(address_of(pointer))) return cudaErrorInvalidValue;
    OpenResources::instance().closed(pointer);
    return cudaSuccess;
  });
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t handle) {
  return on_stream(handle, [&](Device& device, Stream& stream) {
    if (pointer == nullptr) return cudaSuccess;
    if (device.memory.allocation(address_of(pointer)).start != address_of(pointer))
      return cudaErrorInvalidValue;
    ++Runtime::instance().activity.device_frees;
    OpenResources::instance().closed(pointer);
    device.enqueue(stream, [&device, pointer] { device.release(address_of(pointer)); });
    return cudaSuccess;
  });
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t size, unsigned) {
  return guarded([&](Runtime& runtime, Device& device) {
    *pointer = nullptr;
    if (size == 0) return cudaSuccess;
    runtime.activity.host_allocations.add(size);
    *pointer = std::aligned_alloc(4096, (size + 4095) / 4096 * 4096);
    if (*pointer == nullptr) return cudaErrorMemoryAllocation;
    DeviceMemory::add_host_range(*pointer, size);
    OpenResources::instance().opened("pinned allocation", *pointer, size);
    return cudaSuccess;
  });
}
cudaError_t cudaMallocHost(void** pointer, std::size_t size) {
  return cudaHostAlloc(pointer, size, 0);
}
cudaError_t cudaFreeHost(void* pointer) {
  return guarded([&](Runtime& runtime, Device& device) {
    runtime.activity.free.add(device.has_pending());
    ++runtime.activity.host_frees;
    device.drain_all();
    if (pointer == nullptr) return cudaSuccess;
    if (!DeviceMemory::remove_host_range(pointer)) return cudaErrorInvalidValue;
    OpenResources::instance().closed(pointer);
    std::free(pointer);
    return cudaSuccess;
  });
}
cudaError_t cudaHostRegister(void* pointer, std::size_t size, unsigned) {
  return guarded([&](Runtime&, Device& device) {
    if (pointer == nullptr || size == 0) return cudaErrorInvalidValue;
    if (DeviceMemory::is_host(address_of(pointer))) return cudaErrorHostMemoryAlreadyRegistered;
    DeviceMemory::add_host_range(pointer, size);
    OpenResources::instance().opened("registration of host memory", pointer, size);
    return cudaSuccess;
  });
}
cudaError_t cudaHostUnregister(void* pointer) {
  return guarded([&](Runtime&, Device& device) {
    device.drain_all();
    if (!DeviceMemory::remove_host_range(pointer)) return cudaErrorHostMemoryNotRegistered;
    OpenResources::instance().closed(pointer);
    return cudaSuccess;
  });
}
cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* host, unsigned) {
  return guarded([&](Runtime&, Device& device) {
    if (!DeviceMemory::is_host(address_of(host))) return cudaErrorInvalidValue;
    *device_pointer = host;
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t size, cudaMemcpyKind kind) {
  return on_stream(nullptr, [&](Device& device, Stream& stream) {
    return copy(device, to, from, size, kind, stream, false);
  });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t size, cudaMemcpyKind kind,
                            cudaStream_t handle) {
  return on_stream(handle, [&](Device& device, Stream& stream) {
    return copy(device, to, from, size, kind, stream, true);
  });
}
cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return on_stream(nullptr, [&](Device& device, Stream& stream) {
    return copy_2d(device, to, to_pitch, from, from_pitch, width, height, kind, stream, false);
  });
}
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t handle) {
  return on_stream(handle, [&](Device& device, Stream& stream) {
    return copy_2d(device, to, to_pitch, from, from_pitch, width, height, kind, stream, true);
  });
}
cudaError_t cudaMemset(void* to, int value, std::size_t size) {
  return on_stream(nullptr, [&](Device& device, Stream& stream) {
    return fill_bytes(device, to, value, size, stream);
  });
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t size, cudaStream_t handle) {
  return on_stream(handle, [&](Device& device, Stream& stream) {
    return fill_bytes(device, to, value, size, stream);
  });
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t size,
                               std::size_t offset, cudaMemcpyKind kind) {
  return on_stream(nullptr, [&](Device& device, Stream& stream) {
    const DeviceMemory::Range range = Runtime::instance().find_variable(symbol);
    if (size > range.size || offset > range.size - size) return cudaErrorInvalidSymbol;
    return copy(device, reinterpret_cast<void*>(range.start + offset), from, size, kind, stream,
                false);
  });
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t size, std::size_t offset,
                                 cudaMemcpyKind kind) {
  return on_stream(nullptr, [&](Device& device, Stream& stream) {
    const DeviceMemory::Range range = Runtime::instance().find_variable(symbol);
    if (size > range.size || offset > range.size - size) return cudaErrorInvalidSymbol;
    return copy(device, to, reinterpret_cast<const void*>(range.start + offset), size, kind, stream,
                false);
  });
}
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return guarded([&](Runtime& runtime, Device&) {
    const DeviceMemory::Range range = runtime.find_variable(symbol);
    *pointer = reinterpret_cast<void*>(range.start);
    return range.size != 0 ? cudaSuccess : cudaErrorInvalidSymbol;
  });
}

cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total) {
  return guarded([&](Runtime&, Device& device) {
    *free_bytes = device.free_memory();
    *total = device.memory.capacity();
    return cudaSuccess;
  });
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return guarded([&](Runtime& runtime, Device& device) {
    *attributes = {};
    const Device* const owner = runtime.find_device(address_of(pointer));
    attributes->device = (owner != nullptr ? *owner : device).ordinal();
    const Side side = side_of(pointer, 1);
    if (side == Side::device) {
      attributes->type = cudaMemoryTypeDevice;
      attributes->devicePointer = const_cast<void*>(pointer);
    } else if (side == Side::pinned) {
      attributes->type = is_managed(pointer) ? cudaMemoryTypeManaged : cudaMemoryTypeHost;
      attributes->devicePointer = attributes->hostPointer = const_cast<void*>(pointer);
    } else {
      attributes->type = cudaMemoryTypeUnregistered;
      attributes->device = -1;
    }
    return cudaSuccess;
  });
}

/// Each device has one pool, which has no state. Its handle is the address of the device.
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int ordinal) {
  return guarded([&](Runtime& runtime, Device&) {
    if (ordinal < 0 || ordinal >= runtime.device_count()) return cudaErrorInvalidDevice;
    *pool = reinterpret_cast<cudaMemPool_t>(&runtime.device(ordinal));
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) {
  return guarded([](Runtime&, Device&) { return cudaSuccess; });
}

}  // extern "C"
