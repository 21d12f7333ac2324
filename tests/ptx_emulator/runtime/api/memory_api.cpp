// Allocation, memcpy and memset.

#include <cstring>

#include <cuda_runtime_api.h>

#include "runtime/api/api.hpp"
#include "runtime/api/managed.hpp"
#include "runtime/failures.hpp"
#include "runtime/report/open_resources.hpp"

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

/// A copy that returns before it is executed unless the target is pageable.
cudaError_t copy(Device& device, CopyWork work, Stream& stream) {
  if (work.bytes() == 0) return cudaSuccess;
  const cudaError_t error = check(work);
  if (error != cudaSuccess) return error;
  const bool captured = stream.capture != nullptr;
  if (!captured) stage(work);
  const bool waits = work.pageable_target && !captured;
  submit(device, stream, std::move(work));
  if (!waits) return cudaSuccess;
  Runtime::instance().activity.copy.add(true);
  device.drain(stream);
  return cudaSuccess;
}

/// A copy in the legacy default stream that returns after it has been executed.
cudaError_t copy_and_wait(CopyWork work) {
  return on_stream(nullptr, [&](Device& device, Stream& stream) {
    if (work.bytes() == 0) return cudaSuccess;
    cudaError_t error = Capture::check_unsafe_call();
    if (error == cudaSuccess) error = check(work);
    if (error != cudaSuccess) return error;
    stage(work);
    submit(device, stream, std::move(work));
    Runtime::instance().activity.copy.add(true);
    device.drain(stream);
    return cudaSuccess;
  });
}

cudaError_t copy_in_stream(CopyWork work, cudaStream_t handle) {
  return on_stream(handle, [&](Device& device, Stream& stream) {
    return copy(device, std::move(work), stream);
  });
}

CopyWork bytes(void* to, const void* from, std::size_t size, cudaMemcpyKind kind) {
  CopyWork work;
  work.to = static_cast<std::byte*>(to);
  work.from = static_cast<const std::byte*>(from);
  work.width = size;
  work.kind = kind;
  return work;
}

CopyWork rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
              std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  CopyWork work = bytes(to, from, width, kind);
  work.height = height;
  work.to_pitch = to_pitch;
  work.from_pitch = from_pitch;
  return work;
}

cudaError_t fill_in_stream(FillWork work, cudaStream_t handle) {
  return on_stream(handle, [&](Device& device, Stream& stream) {
    if (work.width == 0 || work.height == 0) return cudaSuccess;
    const cudaError_t error = check(work);
    return error != cudaSuccess ? error : submit(device, stream, work);
  });
}

FillWork fill(void* to, int value, std::size_t size) {
  return {static_cast<std::byte*>(to), 0, static_cast<unsigned>(value), 1, size, 1};
}

/// The device address of `size` bytes from `offset` of a variable; 0 if it does not contain them.
std::uint64_t address_in_symbol(const void* symbol, std::size_t size, std::size_t offset) {
  std::uint64_t address = 0;
  guarded([&](Runtime& runtime, Device&) {
    const DeviceMemory::Range range = runtime.find_variable(symbol);
    if (size <= range.size && offset <= range.size - size) address = range.start + offset;
    return cudaSuccess;
  });
  return address;
}

/// Allocations and frees in the order of a stream would become nodes that allocate.
cudaError_t check_not_captured(const Stream& stream) {
  if (stream.capture == nullptr) return cudaSuccess;
  std::fprintf(stderr,
               "emulated GPU: nodes of graphs that allocate or free memory are not "
               "implemented\n");
  stream.capture->invalidate();
  return cudaErrorNotSupported;
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** pointer, std::size_t size) {
  return guarded_outside_capture(
      [&](Runtime&, Device& device) { return allocate(device, pointer, size, true); });
}
cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                            std::size_t height) {
  return guarded_outside_capture([&](Runtime&, Device& device) {
    constexpr std::size_t multiple = 512;
    const std::size_t bytes = (width + multiple - 1) / multiple * multiple;
    const cudaError_t error = allocate(device, pointer, bytes * height, true);
    if (error == cudaSuccess) *pitch = bytes;
    return error;
  });
}
cudaError_t cudaMallocAsync(void** pointer, std::size_t size, cudaStream_t handle) {
  return on_stream(handle, [&](Device& device, Stream& stream) {
    const cudaError_t error = check_not_captured(stream);
    return error != cudaSuccess ? error : allocate(device, pointer, size, false);
  });
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t size, cudaMemPool_t,
                                    cudaStream_t handle) {
  return cudaMallocAsync(pointer, size, handle);
}
cudaError_t cudaFree(void* pointer) {
  return guarded_outside_capture([&](Runtime& runtime, Device& device) {
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
    if (const cudaError_t error = check_not_captured(stream); error != cudaSuccess) return error;
    if (device.memory.allocation(address_of(pointer)).start != address_of(pointer))
      return cudaErrorInvalidValue;
    ++Runtime::instance().activity.device_frees;
    OpenResources::instance().closed(pointer);
    device.enqueue(stream, [&device, pointer] { device.release(address_of(pointer)); });
    return cudaSuccess;
  });
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t size, unsigned) {
  return guarded_outside_capture([&](Runtime& runtime, Device& device) {
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
  return guarded_outside_capture([&](Runtime& runtime, Device& device) {
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
  return guarded_outside_capture([&](Runtime&, Device& device) {
    if (pointer == nullptr || size == 0) return cudaErrorInvalidValue;
    if (DeviceMemory::is_host(address_of(pointer))) return cudaErrorHostMemoryAlreadyRegistered;
    DeviceMemory::add_host_range(pointer, size);
    OpenResources::instance().opened("registration of host memory", pointer, size);
    return cudaSuccess;
  });
}
cudaError_t cudaHostUnregister(void* pointer) {
  return guarded_outside_capture([&](Runtime&, Device& device) {
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
  return copy_and_wait(bytes(to, from, size, kind));
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t size, cudaMemcpyKind kind,
                            cudaStream_t handle) {
  return copy_in_stream(bytes(to, from, size, kind), handle);
}
cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return copy_and_wait(rows(to, to_pitch, from, from_pitch, width, height, kind));
}
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t handle) {
  return copy_in_stream(rows(to, to_pitch, from, from_pitch, width, height, kind), handle);
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  CopyWork work;
  const cudaError_t error = copy_of(*parameters, work);
  return error != cudaSuccess ? last_error() = error : copy_and_wait(work);
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t handle) {
  CopyWork work;
  const cudaError_t error = copy_of(*parameters, work);
  return error != cudaSuccess ? last_error() = error : copy_in_stream(work, handle);
}
cudaError_t cudaMemset(void* to, int value, std::size_t size) {
  return fill_in_stream(fill(to, value, size), nullptr);
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t size, cudaStream_t handle) {
  return fill_in_stream(fill(to, value, size), handle);
}
cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width,
                         std::size_t height) {
  return cudaMemset2DAsync(to, pitch, value, width, height, nullptr);
}
cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t handle) {
  return fill_in_stream(
      {static_cast<std::byte*>(to), pitch, static_cast<unsigned>(value), 1, width, height}, handle);
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t size,
                               std::size_t offset, cudaMemcpyKind kind) {
  const std::uint64_t address = address_in_symbol(symbol, size, offset);
  if (address == 0) return last_error() = cudaErrorInvalidSymbol;
  return copy_and_wait(bytes(reinterpret_cast<void*>(address), from, size, kind));
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t size, std::size_t offset,
                                 cudaMemcpyKind kind) {
  const std::uint64_t address = address_in_symbol(symbol, size, offset);
  if (address == 0) return last_error() = cudaErrorInvalidSymbol;
  return copy_and_wait(bytes(to, reinterpret_cast<const void*>(address), size, kind));
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
