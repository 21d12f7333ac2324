#pragma once
// An executor is where work runs: the host with its threads and vector registers, or one CUDA
// device with its stream and allocator. An Executor is a cheap handle; copies share the pool or
// stream.

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/exec/thread_pool.hpp"

namespace gsim {

/// The machine that a kernel was compiled for (math/target.hpp).
enum class Target { base, avx2, avx512, cuda };

/// Name of a target as printed and as accepted in GSIM_CPU_LEVEL: "base", "avx2", "avx512", "cuda".
const char* to_string(Target target);

/// CPU levels that this processor and operating system support, in ascending order.
std::vector<Target> processor_cpu_targets();

/// The supported levels for which this build compiled kernels (CMake option GSIM_CPU_LEVELS).
/// InputError if there is none.
std::vector<Target> available_cpu_targets();

/// The highest available level. The environment variable GSIM_CPU_LEVEL (base | avx2 | avx512)
/// selects a lower one; a level that is not available is an InputError.
Target best_cpu_target();

/// Number of threads that this process may use: the affinity mask, limited by GSIM_NUM_THREADS and
/// the cgroup quota.
int available_threads();

/// One visible CUDA device.
struct CudaDevice {
  int ordinal = 0;
  std::string name;
  std::string uuid;  ///< "GPU-xxxxxxxx-…" or, of a MIG device, "MIG-…"; identical in all processes
  std::size_t total_memory = 0;  ///< bytes
  int compute_capability = 0;    ///< e.g. 90
};

/// Visible CUDA devices; empty without a driver, without a device, or in a build without CUDA.
std::vector<CudaDevice> cuda_devices();
/// The reason why there are none ("no GPU driver found", "built without CUDA", …); empty if there
/// are devices.
std::string no_cuda_reason();

class Executor {
 public:
  /// The host at CPU level `level` (default: best_cpu_target()) with `threads` threads (0:
  /// available_threads()). InputError for a negative number or a level that this processor does not
  /// support.
  static Executor host(int threads = 0);
  static Executor host(int threads, Target level);
  /// CUDA device `ordinal`, and `threads` host threads; DeviceError if there is no such device.
  static Executor cuda(int ordinal, int threads = 0);

  Target target() const;
  bool is_cuda() const;
  /// Number of threads of pool().
  int threads() const;
  /// The host threads of this process, for host work; also available on a CUDA executor.
  ThreadPool& pool() const;

  /// The CUDA stream as cudaStream_t; null on the host.
  void* stream() const;
  int device_ordinal() const;  ///< -1 on the host

  /// Allocates `bytes` > 0 bytes in this executor's memory, 256-byte aligned, with undefined
  /// contents. DeviceError with requested and free size if memory is short.
  void* allocate(std::size_t bytes) const;
  void deallocate(void* pointer) const noexcept;
  /// Copies between host memory and this executor's memory, in order with its launches. The host
  /// memory may be used afterwards; a copy to a device may end later, as launches do.
  void copy_from_host(void* to, const void* from, std::size_t bytes) const;
  void copy_to_host(void* to, const void* from, std::size_t bytes) const;
  /// Sets bytes to zero, in order with its launches.
  void fill_zero(void* to, std::size_t bytes) const;

  /// Waits for all launches; on CUDA, throws DeviceError for errors of kernels.
  void synchronize() const;

  /// A description for the start banner: "2 threads · cpu (AVX2)" or "cuda:0 NVIDIA H200".
  std::string describe() const;
  /// The UUID "GPU-xxxxxxxx-xxxx-…" of a CUDA device; empty for the host.
  std::string device_uuid() const;

  class Backend;  ///< the implementation, for classes in src/exec
  Backend& backend() const;

 private:
  explicit Executor(std::shared_ptr<Backend> backend) : backend_(std::move(backend)) {}
  std::shared_ptr<Backend> backend_;
};

}  // namespace gsim
