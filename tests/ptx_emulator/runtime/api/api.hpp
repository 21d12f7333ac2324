#pragma once
// Common parts of the functions of the CUDA runtime interface.

#include <mutex>
#include <new>

#include "memory/fault.hpp"
#include "reader/error.hpp"
#include "runtime/device.hpp"
#include "runtime/graphs/capture.hpp"

namespace ptxemu {

std::recursive_mutex& runtime_lock();
cudaError_t& last_error();

/// Calls f(runtime) under the lock and records the error that it returns. For functions that do not
/// use the current device.
template <class F>
cudaError_t guarded_without_device(const F& f) {
  const std::lock_guard<std::recursive_mutex> lock(runtime_lock());
  cudaError_t error = cudaSuccess;
  try {
    Runtime& runtime = Runtime::instance();
    if (runtime.device_count() < 1) return last_error() = cudaErrorNoDevice;
    error = f(runtime);
  } catch (const NoKernelImage& failure) {
    std::fprintf(stderr, "emulated GPU: %s\n", failure.what());
    error = cudaErrorNoKernelImageForDevice;
  } catch (const PtxError& failure) {
    std::fprintf(stderr, "emulated GPU: %s\n", failure.what());
    error = cudaErrorInvalidPtx;
  } catch (const Fault& failure) {
    std::fprintf(stderr, "emulated GPU: %s\n", failure.what());
    error = cudaErrorInvalidValue;
  } catch (const std::bad_alloc&) {
    error = cudaErrorMemoryAllocation;
  }
  // cudaErrorNotReady is a status, not an error.
  if (error != cudaSuccess && error != cudaErrorNotReady) last_error() = error;
  return error;
}

/// Calls f(runtime, current device) under the lock and records the error that it returns, or the
/// sticky error of the device. All other functions of the interface use it.
template <class F>
cudaError_t guarded(const F& f) {
  return guarded_without_device([&](Runtime& runtime) {
    Device& device = runtime.current();
    if (device.description().unusable) return cudaErrorDevicesUnavailable;
    const cudaError_t error = f(runtime, device);
    return device.sticky != cudaSuccess ? device.sticky : error;
  });
}

/// As guarded(), for calls that stream capture does not permit in most modes.
template <class F>
cudaError_t guarded_outside_capture(const F& f) {
  return guarded([&](Runtime& runtime, Device& device) {
    const cudaError_t error = Capture::check_unsafe_call();
    return error != cudaSuccess ? error : f(runtime, device);
  });
}

/// The stream of a handle; null if it is not a stream of the device.
inline Stream* stream_of(Device& device, cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy) return &device.legacy;
  if (handle == cudaStreamPerThread) return &device.per_thread;
  auto* const stream = reinterpret_cast<Stream*>(handle);
  return device.owns(stream) ? stream : nullptr;
}

/// Calls f(device, stream) for the stream of a handle, to which it submits work. An unknown handle
/// and a stream whose capture does not permit it are errors.
template <class F>
cudaError_t on_stream(cudaStream_t handle, const F& f) {
  return guarded([&](Runtime&, Device& device) {
    Stream* const stream = stream_of(device, handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    const cudaError_t error = Capture::check_use(device, *stream);
    return error != cudaSuccess ? error : f(device, *stream);
  });
}

}  // namespace ptxemu
