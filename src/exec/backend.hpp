#pragma once
// What an Executor stands on: host memory and threads, or a CUDA device.

#include "gsim/exec/executor.hpp"

namespace gsim {

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
  virtual void copy_from_host(void* to, const void* from, std::size_t bytes) = 0;
  virtual void copy_to_host(void* to, const void* from, std::size_t bytes) = 0;
  virtual void fill_zero(void* to, std::size_t bytes) = 0;
  virtual void synchronize() = 0;
  virtual std::string describe() const = 0;
  virtual std::string device_uuid() const { return {}; }

  const Target target;
  ThreadPool pool;
};

namespace detail {
std::shared_ptr<Executor::Backend> make_host_backend(int threads, Target level);
/// Throws DeviceError when device `ordinal` is not there, or in a build without CUDA.
std::shared_ptr<Executor::Backend> make_cuda_backend(int ordinal, int threads);
/// `threads`, or all available ones for 0; InputError when negative.
int resolve_threads(int threads);
/// "out of GPU memory: 3.2 GiB wanted, 1.1 GiB free of 139.7 GiB".
std::string memory_text(double bytes);
}  // namespace detail

}  // namespace gsim
