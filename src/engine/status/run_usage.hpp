#pragma once
// What a run uses: processors, GPUs, memory, energy; and how evenly its ranks work.

#include <cstdint>
#include <span>
#include <vector>

#include "energy_meter.hpp"
#include "gpu_monitor.hpp"
#include "gsim/engine/module.hpp"

namespace gsim::engine {

/// The measurements of one rank, which are sent as bytes. NaN: not known.
struct RankUsage {
  std::uint64_t host = 0;  ///< digest of the host's name
  std::uint64_t gpu = 0;   ///< digest of the GPU's UUID; 0: none
  double threads = 1;
  double peak_memory_bytes = 0;
  double busy_seconds = 0;           ///< in the loop
  double cpu_joules = not_measured;  ///< of the whole host
  GpuReading gpu_reading;
};

/// The measurements of all ranks.
struct RunUsage {
  Index ranks = 0, threads = 0, hosts = 0, gpus = 0;
  double peak_memory_bytes = 0;          ///< sum over ranks
  double largest_peak_memory_bytes = 0;  ///< of a rank
  /// Largest busy time of a rank in the loop divided by the mean, less 1 (Pearce et al. 2012,
  /// percent imbalance); NaN before there is any, and for one rank.
  double imbalance = not_measured;
  double cpu_joules = not_measured;        ///< sum over hosts that tell it
  double gpu_joules = not_measured;        ///< sum over GPUs that tell it
  double gpu_utilization = not_measured;   ///< mean over GPUs
  double gpu_memory_bytes = not_measured;  ///< sum over GPUs
};

/// Combines the measurements of ranks: those of a host or of a GPU count once.
RunUsage combine(std::span<const RankUsage> ranks);

/// The most physical memory that this process has used so far, bytes; 0 where it is unknown.
double peak_memory_bytes();

/// Measures this rank from its construction on.
class UsageMeter {
 public:
  explicit UsageMeter(const Context& context);
  /// Busy times count from now on.
  void start_loop();
  /// The usage of all ranks, on rank 0. Collective.
  RunUsage gather();

 private:
  double busy_seconds() const;
  const Context& context_;
  EnergyMeter energy_;
  GpuMonitor gpu_;
  std::uint64_t host_, gpu_digest_;
  double busy_before_loop_ = 0;
};

}  // namespace gsim::engine
