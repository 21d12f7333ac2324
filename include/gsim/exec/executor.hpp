#pragma once
// Where work runs: the host, with its threads and vector registers, or one CUDA device with its
// stream and allocator. An Executor is a cheap handle; copies share the pool or stream.

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/exec/thread_pool.hpp"

namespace gsim {

/// The machine a kernel was compiled for (math/target.hpp).
enum class Target { base, avx2, avx512, cuda };

/// Name of a target as printed and as accepted by GSIM_CPU_LEVEL: "base", "avx2", "avx512", "cuda".
const char* to_string(Target target);

/// CPU levels that this processor and operating system can run, in rising order.
std::vector<Target> processor_cpu_targets();

/// Those of processor_cpu_targets() for which this build of gsim compiled its kernels (the CMake
/// option GSIM_CPU_LEVELS). InputError where there is none.
std::vector<Target> available_cpu_targets();

/// The highest of available_cpu_targets(). The environment variable GSIM_CPU_LEVEL (base | avx2 |
/// avx512) chooses a lower one; a level that is not available is an InputError.
Target best_cpu_target();

/// Threads this process may use: the affinity mask, capped by GSIM_NUM_THREADS and cgroup quota.
int available_threads();

/// One visible CUDA device.
struct CudaDevice {
  int ordinal = 0;
  std::string name;
  std::string uuid;  ///< "GPU-xxxxxxxx-xxxx-…", the same for every process that sees the device
  std::size_t total_memory = 0;  ///< bytes
  int compute_capability = 0;    ///< e.g. 90
};

/// Visible CUDA devices; empty without a driver, without a device, or in a build without CUDA.
std::vector<CudaDevice> cuda_devices();
/// Why there are none ("no GPU driver found", "built without CUDA", …); empty when there are.
std::string no_cuda_reason();

class Executor {
 public:
  /// The host at CPU level `level` (default: best_cpu_target()) with `threads` threads (0:
  /// available_threads()). InputError for a negative count or a level that this processor cannot
  /// run.
  static Executor host(int threads = 0);
  static Executor host(int threads, Target level);
  /// CUDA device `ordinal`, with `threads` host threads beside it; DeviceError when there is none.
  static Executor cuda(int ordinal, int threads = 0);

  Target target() const;
  bool is_cuda() const;
  /// Threads of pool().
  int threads() const;
  /// The host threads of this process. On a CUDA executor, too: for work that stays on the host.
  ThreadPool& pool() const;

  /// The CUDA stream as cudaStream_t; null on the host.
  void* stream() const;
  int device_ordinal() const;  ///< -1 on the host

  /// `bytes` > 0 of this executor's memory, 256-byte aligned, contents undefined. Throws
  /// DeviceError with the size wanted and the size free.
  void* allocate(std::size_t bytes) const;
  void deallocate(void* pointer) const noexcept;
  /// Copies between host memory and this executor's memory, in order with its launches; returns
  /// when the data has arrived.
  void copy_from_host(void* to, const void* from, std::size_t bytes) const;
  void copy_to_host(void* to, const void* from, std::size_t bytes) const;
  /// Sets bytes to zero, in order with its launches.
  void fill_zero(void* to, std::size_t bytes) const;

  /// Waits for all launches; on CUDA, throws DeviceError for errors that kernels raised.
  void synchronize() const;

  /// One line for the start banner: "2 threads · cpu (AVX2)" or "cuda:0 NVIDIA H200".
  std::string describe() const;
  /// "GPU-xxxxxxxx-xxxx-…" of a CUDA device, empty for the host.
  std::string device_uuid() const;

  class Backend;  ///< what stands behind the handle; defined in src/exec, for its own classes
  Backend& backend() const;

 private:
  explicit Executor(std::shared_ptr<Backend> backend) : backend_(std::move(backend)) {}
  std::shared_ptr<Backend> backend_;
};

}  // namespace gsim
