// Devices, attributes, occupancy and errors.

#include <algorithm>

#include <cuda_runtime_api.h>

#include "runtime/api/api.hpp"
#include "runtime/report/occupancy.hpp"

namespace ptxemu {
std::recursive_mutex& runtime_lock() {
  static std::recursive_mutex* const lock = new std::recursive_mutex;
  return *lock;
}
cudaError_t& last_error() {
  thread_local cudaError_t error = cudaSuccess;
  return error;
}
}  // namespace ptxemu

using namespace ptxemu;

namespace {
struct ErrorRow {
  cudaError_t code;
  const char *name, *text;
};
constexpr ErrorRow errors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {cudaErrorInvalidPitchValue, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {cudaErrorMissingConfiguration, "cudaErrorMissingConfiguration",
     "__global__ function call is not configured"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorDevicesUnavailable, "cudaErrorDevicesUnavailable",
     "CUDA-capable device(s) is/are busy or unavailable"},
    {cudaErrorDeviceUninitialized, "cudaErrorDeviceUninitialized", "invalid device context"},
    {cudaErrorMapBufferObjectFailed, "cudaErrorMapBufferObjectFailed",
     "mapping of buffer object failed"},
    {cudaErrorECCUncorrectable, "cudaErrorECCUncorrectable", "uncorrectable ECC error encountered"},
    {cudaErrorPeerAccessAlreadyEnabled, "cudaErrorPeerAccessAlreadyEnabled",
     "peer access is already enabled"},
    {cudaErrorPeerAccessNotEnabled, "cudaErrorPeerAccessNotEnabled",
     "peer access has not been enabled"},
    {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorInvalidPtx, "cudaErrorInvalidPtx", "a PTX JIT compilation failed"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress",
     "an illegal memory access was encountered"},
    {cudaErrorLaunchTimeout, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {cudaErrorIllegalInstruction, "cudaErrorIllegalInstruction",
     "an illegal instruction was encountered"},
    {cudaErrorMisalignedAddress, "cudaErrorMisalignedAddress", "misaligned address"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorAssert, "cudaErrorAssert", "device-side assert triggered"},
    {cudaErrorCooperativeLaunchTooLarge, "cudaErrorCooperativeLaunchTooLarge",
     "too many blocks in cooperative launch"},
    {cudaErrorHostMemoryAlreadyRegistered, "cudaErrorHostMemoryAlreadyRegistered",
     "part or all of the requested memory range is already mapped"},
    {cudaErrorHostMemoryNotRegistered, "cudaErrorHostMemoryNotRegistered",
     "pointer does not correspond to a registered memory region"},
    {cudaErrorIllegalState, "cudaErrorIllegalState",
     "the operation cannot be performed in the present state"},
    {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
    {cudaErrorStreamCaptureInvalidated, "cudaErrorStreamCaptureInvalidated",
     "operation failed due to a previous error during capture"},
    {cudaErrorStreamCaptureMerge, "cudaErrorStreamCaptureMerge",
     "operation would result in a merge of separate capture sequences"},
    {cudaErrorStreamCaptureUnmatched, "cudaErrorStreamCaptureUnmatched",
     "capture was not ended in the same stream as it began"},
    {cudaErrorStreamCaptureUnjoined, "cudaErrorStreamCaptureUnjoined",
     "capturing stream has unjoined work"},
    {cudaErrorStreamCaptureIsolation, "cudaErrorStreamCaptureIsolation",
     "dependency created on uncaptured work in another stream"},
    {cudaErrorStreamCaptureImplicit, "cudaErrorStreamCaptureImplicit",
     "operation would make the legacy stream depend on a capturing blocking stream"},
    {cudaErrorCapturedEvent, "cudaErrorCapturedEvent",
     "operation not permitted on an event last recorded in a capturing stream"},
    {cudaErrorStreamCaptureWrongThread, "cudaErrorStreamCaptureWrongThread",
     "attempt to terminate a thread-local capture sequence from another thread"},
    {cudaErrorGraphExecUpdateFailure, "cudaErrorGraphExecUpdateFailure",
     "the graph update was not performed because it included changes which violated constraints "
     "specific to instantiated graph update"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"}};

const ErrorRow* find_error(cudaError_t code) {
  for (const ErrorRow& row : errors)
    if (row.code == code) return &row;
  return nullptr;
}

int attribute(const cudaDeviceProp& p, cudaDeviceAttr which, bool& known) {
  switch (which) {
    case cudaDevAttrMaxThreadsPerBlock:
      return p.maxThreadsPerBlock;
    case cudaDevAttrMaxBlockDimX:
      return p.maxThreadsDim[0];
    case cudaDevAttrMaxBlockDimY:
      return p.maxThreadsDim[1];
    case cudaDevAttrMaxBlockDimZ:
      return p.maxThreadsDim[2];
    case cudaDevAttrMaxGridDimX:
      return p.maxGridSize[0];
    case cudaDevAttrMaxGridDimY:
      return p.maxGridSize[1];
    case cudaDevAttrMaxGridDimZ:
      return p.maxGridSize[2];
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return static_cast<int>(p.sharedMemPerBlock);
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return static_cast<int>(p.sharedMemPerBlockOptin);
    case cudaDevAttrReservedSharedMemoryPerBlock:
      return static_cast<int>(p.reservedSharedMemPerBlock);
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return static_cast<int>(p.sharedMemPerMultiprocessor);
    case cudaDevAttrWarpSize:
      return p.warpSize;
    case cudaDevAttrMaxRegistersPerBlock:
      return p.regsPerBlock;
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      return p.regsPerMultiprocessor;
    case cudaDevAttrClockRate:
      return 1980000;  // kHz
    case cudaDevAttrMemoryClockRate:
      return 3201000;  // kHz
    case cudaDevAttrGlobalMemoryBusWidth:
      return p.memoryBusWidth;
    case cudaDevAttrMultiProcessorCount:
      return p.multiProcessorCount;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return p.maxThreadsPerMultiProcessor;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      return p.maxBlocksPerMultiProcessor;
    case cudaDevAttrL2CacheSize:
      return p.l2CacheSize;
    case cudaDevAttrComputeCapabilityMajor:
      return p.major;
    case cudaDevAttrComputeCapabilityMinor:
      return p.minor;
    case cudaDevAttrMemoryPoolsSupported:
      return 1;
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrGpuOverlap:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrGlobalL1CacheSupported:
    case cudaDevAttrLocalL1CacheSupported:
      return 1;
    case cudaDevAttrAsyncEngineCount:
      return p.asyncEngineCount;
    case cudaDevAttrTotalConstantMemory:
      return static_cast<int>(p.totalConstMem);
    case cudaDevAttrMaxPitch:
      return static_cast<int>(p.memPitch);
    case cudaDevAttrCanMapHostMemory:
      return 1;
    case cudaDevAttrConcurrentKernels:
      return 1;
    case cudaDevAttrHostRegisterSupported:
      return 1;
    case cudaDevAttrEccEnabled:
      return p.ECCEnabled;
    case cudaDevAttrPciBusId:
      return p.pciBusID;
    case cudaDevAttrTextureAlignment:
      return static_cast<int>(p.textureAlignment);
    case cudaDevAttrComputeMode:
    case cudaDevAttrIntegrated:
    case cudaDevAttrPciDeviceId:
    case cudaDevAttrPciDomainId:
    case cudaDevAttrPageableMemoryAccess:
    case cudaDevAttrKernelExecTimeout:
    case cudaDevAttrTccDriver:
      return 0;
    default:
      known = false;
      return 0;
  }
}

const Code& code_of(Runtime& runtime, Device& device, const void* function) {
  const Kernel* const kernel = runtime.find_kernel(function);
  if (kernel == nullptr) throw PtxError("the pointer is not a registered kernel");
  return runtime.program(*kernel->binary, device).kernel(kernel->name);
}
}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  *count = Runtime::instance().device_count();
  return *count > 0 ? cudaSuccess : last_error() = cudaErrorNoDevice;
}
cudaError_t cudaGetDevice(int* ordinal) {
  return guarded_without_device([&](Runtime& runtime) {
    *ordinal = runtime.current_device();
    return cudaSuccess;
  });
}
cudaError_t cudaSetDevice(int ordinal) {
  return guarded_without_device([&](Runtime& runtime) {
    if (ordinal < 0 || ordinal >= runtime.device_count()) return cudaErrorInvalidDevice;
    const Device& device = runtime.device(ordinal);
    if (device.description().unusable) return cudaErrorDevicesUnavailable;
    runtime.current_device() = ordinal;
    return device.sticky;
  });
}
cudaError_t cudaDeviceSynchronize() {
  return guarded([](Runtime& runtime, Device& device) {
    if (const cudaError_t error = Capture::check_device_wait(device); error != cudaSuccess)
      return error;
    runtime.activity.device.add(device.has_pending());
    device.drain_all();
    return cudaSuccess;
  });
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int ordinal) {
  return guarded_without_device([&](Runtime& runtime) {
    if (ordinal < 0 || ordinal >= runtime.device_count()) return cudaErrorInvalidDevice;
    if (runtime.device(ordinal).description().hides_properties) return cudaErrorUnknown;
    runtime.device(ordinal).write_properties(*properties);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int ordinal) {
  return guarded_without_device([&](Runtime& runtime) {
    if (ordinal < 0 || ordinal >= runtime.device_count()) return cudaErrorInvalidDevice;
    if (runtime.device(ordinal).description().hides_properties) return cudaErrorUnknown;
    cudaDeviceProp properties;
    runtime.device(ordinal).write_properties(properties);
    bool known = true;
    *value = attribute(properties, which, known);
    if (known) return cudaSuccess;
    std::fprintf(stderr, "emulated GPU: the device attribute %d is not implemented\n",
                 static_cast<int>(which));
    return cudaErrorNotSupported;
  });
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaGetLastError() {
  const cudaError_t error = last_error();
  last_error() = cudaSuccess;
  return error;
}
cudaError_t cudaPeekAtLastError() { return last_error(); }
const char* cudaGetErrorName(cudaError_t code) {
  const ErrorRow* const row = find_error(code);
  return row != nullptr ? row->name : "unrecognized error code";
}
const char* cudaGetErrorString(cudaError_t code) {
  const ErrorRow* const row = find_error(code);
  return row != nullptr ? row->text : "unrecognized error code";
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return guarded([&](Runtime& runtime, Device& device) {
    if (runtime.find_kernel(function) == nullptr) return cudaErrorInvalidDeviceFunction;
    const Code& code = code_of(runtime, device, function);
    *attributes = {};
    attributes->sharedSizeBytes = code.shared_bytes;
    attributes->numRegs = static_cast<int>(runtime.registers_of(*runtime.find_kernel(function)));
    attributes->localSizeBytes = code.local_bytes;
    attributes->maxThreadsPerBlock =
        code.function->max_threads != 0 ? code.function->max_threads : 1024;
    attributes->ptxVersion = attributes->binaryVersion = 90;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>((227u << 10) - code.shared_bytes);
    return cudaSuccess;
  });
}
cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute, int) {
  return guarded([&](Runtime& runtime, Device&) {
    return runtime.find_kernel(function) != nullptr ? cudaSuccess : cudaErrorInvalidDeviceFunction;
  });
}
cudaError_t cudaFuncSetCacheConfig(const void*, cudaFuncCache) { return cudaSuccess; }

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   const void* function,
                                                                   int threads, std::size_t shared,
                                                                   unsigned) {
  return guarded([&](Runtime& runtime, Device& device) {
    cudaDeviceProp properties;
    device.write_properties(properties);
    const Code& code = code_of(runtime, device, function);
    *blocks = resident_blocks(properties, static_cast<std::uint64_t>(std::max(threads, 1)),
                              runtime.registers_of(*runtime.find_kernel(function)),
                              code.shared_bytes + shared);
    return cudaSuccess;
  });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int threads, std::size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared,
                                                                0);
}

}  // extern "C"
