// Settings and hints of devices and streams that do not change results: limits, flags, priorities,
// profiling.

#include <array>

#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>

#include "runtime/api/api.hpp"

using namespace ptxemu;

namespace {
/// Limits by number, with the defaults of a device; the emulator does not enforce them.
std::array<std::size_t, cudaLimitPersistingL2CacheSize + 1>& limits() {
  static std::array<std::size_t, cudaLimitPersistingL2CacheSize + 1> values{
      1024, 1u << 20, 8u << 20, 2, 2048, 64, 0};
  return values;
}
}  // namespace

extern "C" {

cudaError_t cudaSetDeviceFlags(unsigned) {
  return guarded([](Runtime&, Device&) { return cudaSuccess; });
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
  return guarded([&](Runtime&, Device&) {
    if (static_cast<std::size_t>(limit) >= limits().size()) return cudaErrorUnsupportedLimit;
    limits()[limit] = value;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  return guarded([&](Runtime&, Device&) {
    if (static_cast<std::size_t>(limit) >= limits().size()) return cudaErrorUnsupportedLimit;
    *value = limits()[limit];
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* lowest, int* highest) {
  return guarded([&](Runtime&, Device&) {
    if (lowest != nullptr) *lowest = 0;
    if (highest != nullptr) *highest = -5;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaStreamAttrID, const cudaStreamAttrValue*) {
  return guarded([](Runtime&, Device&) { return cudaSuccess; });
}
cudaError_t cudaCtxResetPersistingL2Cache() {
  return guarded([](Runtime&, Device&) { return cudaSuccess; });
}
cudaError_t cudaProfilerStart() {
  return guarded([](Runtime&, Device&) { return cudaSuccess; });
}
cudaError_t cudaProfilerStop() {
  return guarded([](Runtime&, Device&) { return cudaSuccess; });
}

}  // extern "C"
