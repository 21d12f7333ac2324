// State of the process: devices, registered device code, launches.

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "checks/findings.hpp"
#include "exec/grid.hpp"
#include "fatbin/fat_binary.hpp"
#include "reader/error.hpp"
#include "runtime/device.hpp"
#include "runtime/failures.hpp"
#include "runtime/report/occupancy.hpp"
#include "runtime/report/open_resources.hpp"
#include "runtime/report/report.hpp"
#include "runtime/settings.hpp"

namespace ptxemu {

namespace {
Checks checks_of_environment() {
  Checks checks;
  checks.initialised = setting("PTXEMU_INITCHECK", std::uint64_t{0}) != 0;
  const std::string races = setting("PTXEMU_RACECHECK", std::string("0"));
  if (races == "1") checks.races = Checks::Races::faults;
  if (races == "continue") checks.races = Checks::Races::reported;
  return checks;
}
}  // namespace

Runtime& Runtime::instance() {
  static Runtime* const runtime =
      new Runtime;  // never destroyed, because destructors may call the runtime
  return *runtime;
}

Runtime::Runtime()
    : descriptions_(visible_devices(devices_of_node(), std::getenv("CUDA_VISIBLE_DEVICES"))),
      node_(setting("PTXEMU_NODE", "")),
      seed_(setting("PTXEMU_SEED", std::uint64_t{0})),
      checks_(checks_of_environment()),
      report_(setting("PTXEMU_REPORT", std::string())),
      l2_bytes_(setting("PTXEMU_L2", std::uint64_t{50} << 20)) {
  if (report_ == "0") report_.clear();
  devices_.resize(descriptions_.size());
}

Device& Runtime::device(int ordinal) {
  auto& device = devices_.at(static_cast<std::size_t>(ordinal));
  if (device == nullptr) {
    device =
        std::make_unique<Device>(ordinal, descriptions_[static_cast<std::size_t>(ordinal)], node_);
    device->memory.set_initialised_check(checks_.initialised);
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

void Runtime::read_resources(FatBinary& binary) {
  if (binary.has_read_resources) return;
  if (const std::string cubin = extract_cubin(binary.wrapper); !cubin.empty())
    binary.resources = read_cubin(cubin);
  binary.has_read_resources = true;
}

Program& Runtime::program(FatBinary& binary, Device& device) {
  read_resources(binary);
  auto& program = binary.programs[device.ordinal()];
  if (program == nullptr) {
    const int capability = device.description().capability;
    const std::string text = extract_ptx(binary.wrapper, capability);
    if (text.empty())
      throw NoKernelImage("the fat binary contains no PTX for sm_" + std::to_string(capability) +
                          " or older: compile with -gencode arch=compute_" +
                          std::to_string(capability) + ",code=compute_" +
                          std::to_string(capability));
    program = std::make_unique<Program>(text, device.memory, !report_.empty(), checks_.any());
  }
  return *program;
}

std::uint32_t Runtime::registers_of(const Kernel& kernel) {
  read_resources(*kernel.binary);
  const auto found = kernel.binary->resources.find(kernel.name);
  return found == kernel.binary->resources.end() ? 0 : found->second.registers;
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

/// Memory with which the blocks of a cooperative launch synchronise, as the headers of cooperative
/// groups expect it: its size and a barrier, which is zero at first.
class GridWorkspace {
 public:
  GridWorkspace(DeviceMemory& memory, bool cooperative) : memory_(memory) {
    if (!cooperative) return;
    address_ = memory.allocate(size);
    if (address_ == 0) throw std::bad_alloc();
    const std::uint32_t words[2] = {size, 0};
    std::memcpy(memory.access(address_, size, true), words, size);
  }
  ~GridWorkspace() {
    if (address_ != 0) memory_.release(address_);
  }
  GridWorkspace(const GridWorkspace&) = delete;
  GridWorkspace& operator=(const GridWorkspace&) = delete;
  std::uint64_t address() const { return address_; }

 private:
  static constexpr std::uint32_t size = 8;
  DeviceMemory& memory_;
  std::uint64_t address_ = 0;
};
}  // namespace

cudaError_t Runtime::prepare(KernelWork& work, const void* handle, dim3 grid, dim3 block,
                             void** arguments, std::size_t shared, bool cooperative) {
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
  launch->checks = checks_;
  const cudaError_t error =
      check_launch_size(launch->grid, launch->block, *launch->kernel->function, shared);
  if (error != cudaSuccess) return error;
  launch->parameters.resize(launch->kernel->parameter_bytes);
  auto pointers = std::make_shared<std::vector<void*>>();
  for (std::size_t n = 0; n < launch->kernel->parameters.size(); ++n) {
    const ParameterSlot& parameter = launch->kernel->parameters[n];
    std::byte* const value = &launch->parameters[parameter.offset];
    std::memcpy(value, arguments[n], parameter.size);
    pointers->push_back(value);
  }
  work = {handle, kernel, std::move(launch), std::move(pointers), cooperative};
  return cudaSuccess;
}

void Runtime::finish() const {
  report();
  OpenResources::instance().report_leaks();
  const Findings& findings = Findings::instance();
  findings.print_summary();
  const auto code = static_cast<int>(setting("PTXEMU_EXITCODE", std::uint64_t{0}));
  if (code == 0 || findings.empty()) return;
  std::fflush(nullptr);
  std::_Exit(code);
}

void Runtime::execute(const KernelWork& work, Device& device, bool in_graph) {
  const Code& code = *work.launch->kernel;
  if (Failures::of_process().next_launch_fails(work.kernel->name)) {
    std::fprintf(stderr, "emulated GPU %d: a failure of kernel %s was provoked\n", device.ordinal(),
                 code.function->name.c_str());
    device.sticky = cudaErrorLaunchFailure;
    return;
  }
  const GridWorkspace workspace(device.memory, work.cooperative);
  Launch launch = *work.launch;
  launch.grid_workspace = workspace.address();
  KernelCounts& sum = counts[code.function->name];
  ++sum.launches;
  sum.launches_in_graphs += in_graph ? 1 : 0;
  sum.approximate = code.approximate;
  sum.counts.add(report_.empty() ? run_grid(launch)
                                 : execute_counted(launch, sum, *work.kernel->binary, device));
}

Counts Runtime::execute_counted(const Launch& launch, KernelCounts& sum, const FatBinary& binary,
                                const Device& device) {
  const Code& kernel = *launch.kernel;
  if (sum.profile == nullptr) {
    sum.profile = std::make_unique<KernelProfile>();
    sum.local_bytes = kernel.local_bytes;
    sum.static_shared = kernel.shared_bytes;
    const auto found = binary.resources.find(kernel.function->name);
    sum.has_resources = found != binary.resources.end();
    if (sum.has_resources) sum.resources = found->second;
  }
  auto& l2 = l2_[device.ordinal()];
  if (l2 == nullptr) l2 = std::make_unique<SectorCache>(l2_bytes_);
  cudaDeviceProp p;
  device.write_properties(p);
  const std::uint64_t shared = kernel.shared_bytes + std::uint64_t{launch.dynamic_shared};
  const auto blocks = static_cast<std::uint64_t>(
      std::max(resident_blocks(p, launch.block.count(), sum.resources.registers, shared), 1));
  // L1 and shared memory have 256 KiB together; the resident blocks share what remains.
  const std::uint64_t l1_bytes =
      ((256u << 10) -
       std::min<std::uint64_t>(blocks * (shared + p.reservedSharedMemPerBlock), 228u << 10)) /
      blocks;
  Launch counted = launch;
  counted.profile = sum.profile.get();
  sum.profile->begin_launch(launch, l1_bytes, *l2);
  const Counts result = run_grid(counted);
  sum.profile->end_launch();
  return result;
}

void Runtime::report() const {
  if (report_.empty()) return;
  if (report_ == "1") {
    std::fputs(report_text(*this).c_str(), stderr);
    return;
  }
  const std::string name = report_file(report_);
  std::FILE* const file = std::fopen(name.c_str(), "w");
  if (file == nullptr) {
    std::fprintf(stderr, "emulated GPU: the report %s cannot be written\n", name.c_str());
    return;
  }
  std::fputs(report_json(*this).c_str(), file);
  std::fclose(file);
}

}  // namespace ptxemu
