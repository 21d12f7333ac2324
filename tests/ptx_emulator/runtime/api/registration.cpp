// Functions that are called by start-up code of nvcc and by kernel launches.

#include <cstdlib>

#include <cuda_runtime.h>

#include "runtime/api/api.hpp"

using namespace ptxemu;

namespace {
/// What a launch <<<grid, block, shared, stream>>> pushes, and the host function of the kernel
/// pops.
struct Configuration {
  dim3 grid, block;
  std::size_t shared;
  cudaStream_t stream;
};
std::vector<Configuration>& configurations() {
  thread_local std::vector<Configuration> stack;
  return stack;
}
cudaError_t launch(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                   cudaStream_t handle, bool cooperative = false) {
  return on_stream(handle, [&](Device& device, Stream& stream) {
    KernelWork work;
    const cudaError_t error =
        Runtime::instance().prepare(work, kernel, grid, block, arguments, shared, cooperative);
    return error != cudaSuccess ? error : submit(device, stream, std::move(work));
  });
}
}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  const std::lock_guard<std::recursive_mutex> lock(runtime_lock());
  auto& binaries = Runtime::instance().binaries;
  if (binaries.empty()) std::atexit([] { Runtime::instance().finish(); });
  binaries.push_back(std::make_unique<FatBinary>());
  binaries.back()->wrapper = wrapper;
  return reinterpret_cast<void**>(binaries.back().get());
}
void __cudaRegisterFatBinaryEnd(void**) {}
char __cudaInitModule(void**) { return 1; }

void __cudaUnregisterFatBinary(void** handle) {
  const std::lock_guard<std::recursive_mutex> lock(runtime_lock());
  Runtime& runtime = Runtime::instance();
  const auto* const binary = reinterpret_cast<FatBinary*>(handle);
  std::erase_if(runtime.kernels, [&](const auto& each) { return each.second.binary == binary; });
  std::erase_if(runtime.variables, [&](const auto& each) { return each.second.binary == binary; });
  // The binary is kept, because launches may be pending in streams.
}

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, uint3*,
                            uint3*, dim3*, dim3*, int*) {
  const std::lock_guard<std::recursive_mutex> lock(runtime_lock());
  Runtime::instance().kernels[host] = {reinterpret_cast<FatBinary*>(handle), name};
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, std::size_t, int,
                       int) {
  const std::lock_guard<std::recursive_mutex> lock(runtime_lock());
  Runtime::instance().variables[host] = {reinterpret_cast<FatBinary*>(handle), name};
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared,
                                     struct CUstream_st* stream) {
  configurations().push_back({grid, block, shared, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  if (configurations().empty()) return cudaErrorMissingConfiguration;
  const Configuration& top = configurations().back();
  *grid = top.grid, *block = top.block, *shared = top.shared;
  *static_cast<cudaStream_t*>(stream) = top.stream;
  configurations().pop_back();
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  return guarded([&](Runtime& runtime, Device&) {
    *kernel = reinterpret_cast<cudaKernel_t>(runtime.find_kernel(host));
    return *kernel != nullptr ? cudaSuccess : cudaErrorInvalidDeviceFunction;
  });
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared, cudaStream_t stream) {
  return launch(kernel, grid, block, arguments, shared, stream);
}

cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared, cudaStream_t stream) {
  return launch(kernel, grid, block, arguments, shared, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared, cudaStream_t stream) {
  int blocks = 0, multiprocessors = 0, device = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks, kernel, static_cast<int>(block.x * block.y * block.z), shared);
  if (error != cudaSuccess) return error;
  // All blocks must be resident, because they wait for each other.
  if (std::uint64_t{grid.x} * grid.y * grid.z >
      static_cast<std::uint64_t>(blocks) * static_cast<std::uint64_t>(multiprocessors))
    return last_error() = cudaErrorCooperativeLaunchTooLarge;
  return launch(kernel, grid, block, arguments, shared, stream, true);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel,
                                void** arguments) {
  bool cooperative = false;
  for (unsigned n = 0; n < config->numAttrs; ++n) {
    const cudaLaunchAttribute& attribute = config->attrs[n];
    if (attribute.id == cudaLaunchAttributeCooperative)
      cooperative = attribute.val.cooperative != 0;
    if (attribute.id == cudaLaunchAttributeClusterDimension) {
      std::fprintf(stderr, "emulated GPU: launches with clusters of blocks are not implemented\n");
      return last_error() = cudaErrorNotSupported;
    }
  }
  if (cooperative)
    return cudaLaunchCooperativeKernel(kernel, config->gridDim, config->blockDim, arguments,
                                       config->dynamicSmemBytes, config->stream);
  return launch(kernel, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                config->stream);
}

}  // extern "C"
