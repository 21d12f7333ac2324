#pragma once
// The implementation of an Executor: host memory and threads, or a CUDA device.

#include <memory>
#include <string>

#include "gsim/exec/executor.hpp"
#include "gsim/exec/peer_memory.hpp"
#include "src/exec/launch_graph.hpp"

namespace gsim {

/// A place among the operations of an executor that the host can wait for.
class ExecutorEvent {
 public:
  virtual ~ExecutorEvent() = default;
  /// Moves the event behind the operations enqueued so far.
  virtual void record() = 0;
  /// Waits for the operations before the last record(); DeviceError if one failed.
  virtual void wait() = 0;
};

class Executor::Backend {
 public:
  Backend(Target level, int pool_threads) : target(level), pool(pool_threads) {}
  virtual ~Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  virtual void* stream() const { return nullptr; }
  virtual int device_ordinal() const { return -1; }
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void deallocate(void* pointer) noexcept = 0;
  /// Executor memory that other processes can map.
  virtual void* allocate_shareable(std::size_t bytes) = 0;
  virtual void deallocate_shareable(void* pointer) noexcept = 0;
  /// Host memory that the device can access directly.
  virtual void* allocate_pinned(std::size_t bytes) { return allocate(bytes); }
  virtual void deallocate_pinned(void* pointer) noexcept { deallocate(pointer); }
  virtual void copy_from_host(void* to, const void* from, std::size_t bytes) = 0;
  virtual void copy_to_host(void* to, const void* from, std::size_t bytes) = 0;
  /// Copies to memory of allocate_pinned(), in order with launches, without waiting.
  virtual void start_copy_to_host(void* pinned, const void* from, std::size_t bytes) {
    copy_to_host(pinned, from, bytes);
  }
  /// Null if all operations of the backend are synchronous. Must not outlive the backend.
  virtual std::unique_ptr<ExecutorEvent> make_event() { return nullptr; }
  /// Copies between two places in executor memory, in order with launches.
  virtual void copy_within(void* to, const void* from, std::size_t bytes) = 0;
  /// See peak_device_memory().
  virtual std::size_t peak_memory() const { return 0; }
  virtual void fill_zero(void* to, std::size_t bytes) = 0;
  /// Null if sequences of launches are executed one by one. Must not outlive the backend.
  virtual std::unique_ptr<LaunchGraph::Implementation> make_launch_graph() { return nullptr; }
  /// Access to memory of allocate_shareable(). Must not outlive the backend.
  virtual std::unique_ptr<PeerMemory> make_peer_memory() = 0;
  virtual void synchronize() = 0;
  virtual std::string describe() const = 0;
  virtual std::string device_uuid() const { return {}; }

  const Target target;
  ThreadPool pool;
};

namespace detail {
std::shared_ptr<Executor::Backend> make_host_backend(int threads, Target level);
/// Throws DeviceError if there is no device `ordinal`, or in a build without CUDA.
std::shared_ptr<Executor::Backend> make_cuda_backend(int ordinal, int threads);
/// `threads`, or the number of available threads for 0; InputError if negative.
int resolve_threads(int threads);
/// A size for messages: "3.2 GiB".
std::string memory_text(double bytes);
/// The UUID as nvidia-smi prints it, "GPU-01234567-89ab-cdef-0123-456789abcdef", from 16 bytes. It
/// begins with "MIG-" for a MIG device, which the CUDA runtime names "NVIDIA … MIG 1g.5gb".
std::string format_uuid(const char* bytes, const std::string& device_name);
}  // namespace detail

}  // namespace gsim
