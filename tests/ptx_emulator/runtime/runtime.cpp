// State of the process: devices, registered device code, launches.

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "exec/grid.hpp"
#include "fatbin/fat_binary.hpp"
#include "reader/error.hpp"
#include "runtime/device.hpp"
#include "runtime/failures.hpp"
#include "runtime/settings.hpp"

namespace ptxemu {

Runtime& Runtime::instance() {
  static Runtime* const runtime =
      new Runtime;  // never destroyed, because destructors may call the runtime
  return *runtime;
}

Runtime::Runtime()
    : descriptions_(visible_devices(devices_of_node(), std::getenv("CUDA_VISIBLE_DEVICES"))),
      node_(setting("PTXEMU_NODE", "")),
      seed_(setting("PTXEMU_SEED", std::uint64_t{0})),
      check_initialised_(setting("PTXEMU_INITCHECK", std::uint64_t{0}) != 0),
      report_(setting("PTXEMU_REPORT", std::uint64_t{0}) != 0) {
  devices_.resize(descriptions_.size());
}

Device& Runtime::device(int ordinal) {
  auto& device = devices_.at(static_cast<std::size_t>(ordinal));
  if (device == nullptr) {
    device =
        std::make_unique<Device>(ordinal, descriptions_[static_cast<std::size_t>(ordinal)], node_);
    device->memory.set_initialised_check(check_initialised_);
  }
  return *device;
}

Device* Runtime::find_device(std::uint64_t address) {
  for (const auto& device : devices_)
    if (device != nullptr && device->memory.in_device(address)) return device.get();
  return nullptr;
}

int& Runtime::current_device() {
  thread_local int ordinal = 0;
  return ordinal;
}

Device& Runtime::current() { return device(current_device()); }

Program& Runtime::program(FatBinary& binary, Device& device) {
  if (!binary.extracted) {
    binary.text = extract_ptx(binary.wrapper);
    binary.extracted = true;
  }
  if (binary.text.empty())
    throw PtxError(
        "the fat binary contains no PTX for sm_90 or older: compile with "
        "-gencode arch=compute_90,code=compute_90");
  auto& program = binary.programs[device.ordinal()];
  if (program == nullptr) program = std::make_unique<Program>(binary.text, device.memory);
  return *program;
}

Kernel* Runtime::find_kernel(const void* host_function) {
  const auto found = kernels.find(host_function);
  if (found != kernels.end()) return &found->second;
  for (auto& [host, kernel] : kernels)  // a cudaKernel_t points to the kernel
    if (&kernel == host_function) return &kernel;
  return nullptr;
}

DeviceMemory::Range Runtime::find_variable(const void* host_variable) {
  const auto found = variables.find(host_variable);
  if (found == variables.end()) return {};
  return program(*found->second.binary, current()).variable(found->second.name);
}

namespace {
cudaError_t check_launch_size(const Extent& grid, const Extent& block, const Function& function,
                              std::size_t shared) {
  if (grid.count() == 0 || block.count() == 0 || block.count() > 1024 || block.x > 1024 ||
      block.y > 1024 || block.z > 64 || grid.y > 65535 || grid.z > 65535)
    return cudaErrorInvalidConfiguration;
  if (function.max_threads != 0 && block.count() > static_cast<std::uint64_t>(function.max_threads))
    return cudaErrorInvalidValue;
  return shared > (227u << 10) ? cudaErrorInvalidValue : cudaSuccess;
}
}  // namespace

cudaError_t Runtime::launch(const void* handle, dim3 grid, dim3 block, void** arguments,
                            std::size_t shared, Stream& stream) {
  Kernel* const kernel = find_kernel(handle);
  if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  Device& device = current();
  auto launch = std::make_shared<Launch>();
  try {
    Program& module = program(*kernel->binary, device);
    launch->kernel = &module.kernel(kernel->name);
    launch->dynamic_shared_offset = module.dynamic_shared_offset();
    launch->functions = &module.functions();
  } catch (const PtxError& error) {
    std::fprintf(stderr, "emulated GPU %d: %s\n", device.ordinal(), error.what());
    return device.sticky = cudaErrorInvalidPtx;
  }
  launch->grid = {grid.x, grid.y, grid.z};
  launch->block = {block.x, block.y, block.z};
  launch->dynamic_shared = static_cast<std::uint32_t>(shared);
  launch->memory = &device.memory;
  launch->seed = seed_;
  launch->checks.initialised = check_initialised_;
  const cudaError_t error =
      check_launch_size(launch->grid, launch->block, *launch->kernel->function, shared);
  if (error != cudaSuccess) return error;
  launch->parameters.resize(launch->kernel->parameter_bytes);
  for (std::size_t n = 0; n < launch->kernel->parameters.size(); ++n) {
    const ParameterSlot& parameter = launch->kernel->parameters[n];
    std::memcpy(&launch->parameters[parameter.offset], arguments[n], parameter.size);
  }
  const bool fails = Failures::of_process().next_launch_fails(kernel->name);
  device.enqueue(stream, [this, &device, launch, fails] {
    if (fails) {
      std::fprintf(stderr, "emulated GPU %d: a failure of kernel %s was provoked\n",
                   device.ordinal(), launch->kernel->function->name.c_str());
      device.sticky = cudaErrorLaunchFailure;
      return;
    }
    KernelCounts& sum = counts[launch->kernel->function->name];
    ++sum.launches;
    sum.approximate = launch->kernel->approximate;
    sum.counts.add(run_grid(*launch));
  });
  return cudaSuccess;
}

void Runtime::report() const {
  if (!report_) return;
  for (const auto& [name, sum] : counts) {
    const Counts& c = sum.counts;
    const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
    std::fprintf(
        stderr,
        "emulated GPU: %s: %llu launches, %llu warp and %llu lane instructions (integer %llu, "
        "FP32 %llu, FP64 %llu, special %llu, memory %llu, control %llu, warp %llu), %llu "
        "divergent branches%s\n",
        name.c_str(), number(sum.launches), number(c.warp_instructions),
        number(c.lane_instructions), number(c.units[0]), number(c.units[1]), number(c.units[2]),
        number(c.units[3]), number(c.units[4]), number(c.units[5]), number(c.units[6]),
        number(c.divergent_branches), sum.approximate ? ", approximate instructions" : "");
  }
}

}  // namespace ptxemu
