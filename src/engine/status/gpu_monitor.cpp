#include "gpu_monitor.hpp"

#include <dlfcn.h>

namespace gsim::engine {
namespace {

// Declarations of nvml.h: nvmlReturn_t is an enum with NVML_SUCCESS = 0, nvmlDevice_t a pointer.
struct Utilization {
  unsigned gpu, memory;  // percent
};
struct Memory {
  unsigned long long total, free, used;  // bytes
};
using Start = int (*)();
using FindDevice = int (*)(const char* uuid, void** device);
using ReadUtilization = int (*)(void* device, Utilization*);
using ReadMemory = int (*)(void* device, Memory*);
using ReadEnergy = int (*)(void* device, unsigned long long* millijoules);

template <class Function>
Function find(void* library, const char* name) {
  return reinterpret_cast<Function>(::dlsym(library, name));
}

}  // namespace

GpuMonitor::GpuMonitor(const std::string& uuid, const char* library) {
  if (uuid.empty()) return;
  library_ = ::dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  if (library_ == nullptr) return;
  const auto start = find<Start>(library_, "nvmlInit_v2");
  const auto find_device = find<FindDevice>(library_, "nvmlDeviceGetHandleByUUID");
  if (start == nullptr || find_device == nullptr || start() != 0) return;
  if (find_device(uuid.c_str(), &device_) != 0) device_ = nullptr;
  joules_at_start_ = total_joules();
}

// The library stays loaded, because it may have started threads.
GpuMonitor::~GpuMonitor() {
  if (library_ == nullptr) return;
  if (const auto end = find<Start>(library_, "nvmlShutdown")) end();
}

double GpuMonitor::total_joules() const {
  if (device_ == nullptr) return not_measured;
  const auto energy = find<ReadEnergy>(library_, "nvmlDeviceGetTotalEnergyConsumption");
  unsigned long long millijoules = 0;
  return energy != nullptr && energy(device_, &millijoules) == 0
             ? 1e-3 * static_cast<double>(millijoules)
             : not_measured;
}

GpuReading GpuMonitor::read() const {
  GpuReading reading;
  if (device_ == nullptr) return reading;
  reading.joules = total_joules() - joules_at_start_;
  Utilization utilization{};
  const auto busy = find<ReadUtilization>(library_, "nvmlDeviceGetUtilizationRates");
  if (busy != nullptr && busy(device_, &utilization) == 0)
    reading.utilization = 0.01 * utilization.gpu;
  Memory memory{};
  const auto bytes = find<ReadMemory>(library_, "nvmlDeviceGetMemoryInfo");
  if (bytes != nullptr && bytes(device_, &memory) == 0)
    reading.memory_bytes = static_cast<double>(memory.used);
  return reading;
}

}  // namespace gsim::engine
