#pragma once
// Utilisation, memory and energy of an NVIDIA GPU, from the management library of the driver (NVML
// API reference), which is loaded when it is there.

#include <string>

#include "energy_meter.hpp"

namespace gsim::engine {

/// What a GPU tells; NaN: nothing.
struct GpuReading {
  double joules = not_measured;        ///< since construction of the monitor
  double utilization = not_measured;   ///< share of time, 0 … 1
  double memory_bytes = not_measured;  ///< used, by all processes
};

class GpuMonitor {
 public:
  static constexpr const char* default_library = "libnvidia-ml.so.1";

  /// Watches the GPU with `uuid` ("GPU-…", as Executor::device_uuid()); none where it is empty, or
  /// where there is no such library or GPU.
  explicit GpuMonitor(const std::string& uuid, const char* library = default_library);
  ~GpuMonitor();
  GpuMonitor(const GpuMonitor&) = delete;
  GpuMonitor& operator=(const GpuMonitor&) = delete;

  GpuReading read() const;

 private:
  double total_joules() const;
  void* library_ = nullptr;
  void* device_ = nullptr;
  double joules_at_start_ = 0;
};

}  // namespace gsim::engine
