// Managed memory. Kernels are executed when the host synchronises, so that host accesses before
// that see the old data; advice and prefetches have no effect.

#include <cstdlib>
#include <cstring>
#include <map>

#include <cuda_runtime_api.h>

#include "runtime/api/api.hpp"
#include "runtime/api/managed.hpp"

namespace ptxemu {
namespace {
/// Start to size of all managed allocations.
std::map<const std::byte*, std::size_t>& managed() {
  static auto* const ranges = new std::map<const std::byte*, std::size_t>;
  return *ranges;
}
}  // namespace

bool is_managed(const void* pointer) {
  const auto* const at = static_cast<const std::byte*>(pointer);
  auto range = managed().upper_bound(at);
  if (range == managed().begin()) return false;
  --range;
  return at < range->first + range->second;
}

bool release_managed(void* pointer) {
  if (managed().erase(static_cast<const std::byte*>(pointer)) == 0) return false;
  DeviceMemory::remove_host_range(pointer);
  std::free(pointer);
  return true;
}
}  // namespace ptxemu

using namespace ptxemu;

extern "C" {

cudaError_t cudaMallocManaged(void** pointer, std::size_t size, unsigned flags) {
  return guarded_outside_capture([&](Runtime&, Device&) {
    if (pointer == nullptr || size == 0 ||
        (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
      return cudaErrorInvalidValue;
    const std::size_t rounded = (size + 4095) / 4096 * 4096;
    *pointer = std::aligned_alloc(4096, rounded);
    if (*pointer == nullptr) return cudaErrorMemoryAllocation;
    std::memset(*pointer, 0, rounded);
    DeviceMemory::add_host_range(*pointer, size);
    managed()[static_cast<const std::byte*>(*pointer)] = size;
    return cudaSuccess;
  });
}
cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t, cudaMemLocation, unsigned,
                                 cudaStream_t) {
  return guarded(
      [&](Runtime&, Device&) { return is_managed(pointer) ? cudaSuccess : cudaErrorInvalidValue; });
}
cudaError_t cudaMemAdvise(const void* pointer, std::size_t, cudaMemoryAdvise, cudaMemLocation) {
  return guarded(
      [&](Runtime&, Device&) { return is_managed(pointer) ? cudaSuccess : cudaErrorInvalidValue; });
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void* pointer, std::size_t, unsigned) {
  return guarded(
      [&](Runtime&, Device&) { return is_managed(pointer) ? cudaSuccess : cudaErrorInvalidValue; });
}

}  // extern "C"
