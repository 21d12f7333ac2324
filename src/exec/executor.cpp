#include "gsim/exec/executor.hpp"

#include <cstdio>

#include "backend.hpp"
#include "gsim/core/error.hpp"
#include "gsim/exec/device_memory.hpp"
#include "gsim/exec/launch.hpp"

namespace gsim {

namespace detail {

int resolve_threads(int threads) {
  GSIM_VALIDATE(threads >= 0, "the number of threads is negative (" + std::to_string(threads) + ")",
                "give 0 to use all available threads");
  return threads == 0 ? available_threads() : threads;
}

}  // namespace detail
namespace launching {
void no_launcher(const char* name, Target target) {
  throw DeviceError(
      std::string("kernel \"") + name + "\" was not built for " + to_string(target) +
      "; choose another device, or build gsim or the plugin that contains it for this one");
}
}  // namespace launching
namespace detail {

std::string memory_text(double bytes) {
  const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  int unit = 0;
  for (; bytes >= 1024 && unit < 4; ++unit) bytes /= 1024;
  char text[48];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
  return text;
}

std::string format_uuid(const char* bytes, const std::string& device_name) {
  std::string text = device_name.find(" MIG ") != std::string::npos ? "MIG-" : "GPU-";
  for (int i = 0; i < 16; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(bytes[i]));
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += digits;
  }
  return text;
}

}  // namespace detail

Executor Executor::host(int threads) { return host(threads, best_cpu_target()); }

Executor Executor::host(int threads, Target level) {
  return Executor(detail::make_host_backend(detail::resolve_threads(threads), level));
}

Executor Executor::cuda(int ordinal, int threads) {
  return Executor(detail::make_cuda_backend(ordinal, detail::resolve_threads(threads)));
}

// Deliberately not inline: kernel sources are compiled once per CPU level, and the linker would
// keep only one copy of an inline function, compiled for an arbitrary level.
Target Executor::target() const { return backend_->target; }
bool Executor::is_cuda() const { return backend_->target == Target::cuda; }
int Executor::threads() const { return backend_->pool.threads(); }
ThreadPool& Executor::pool() const { return backend_->pool; }
void* Executor::stream() const { return backend_->stream(); }
int Executor::device_ordinal() const { return backend_->device_ordinal(); }
void* Executor::allocate(std::size_t bytes) const { return backend_->allocate(bytes); }
void Executor::deallocate(void* pointer) const noexcept {
  if (pointer != nullptr) backend_->deallocate(pointer);
}
void Executor::copy_from_host(void* to, const void* from, std::size_t bytes) const {
  if (bytes > 0) backend_->copy_from_host(to, from, bytes);
}
void Executor::copy_to_host(void* to, const void* from, std::size_t bytes) const {
  if (bytes > 0) backend_->copy_to_host(to, from, bytes);
}
void Executor::fill_zero(void* to, std::size_t bytes) const {
  if (bytes > 0) backend_->fill_zero(to, bytes);
}
void Executor::synchronize() const { backend_->synchronize(); }
std::string Executor::describe() const { return backend_->describe(); }
Executor::Backend& Executor::backend() const { return *backend_; }
std::string Executor::device_uuid() const { return backend_->device_uuid(); }

std::size_t peak_device_memory(const Executor& executor) {
  return executor.backend().peak_memory();
}

}  // namespace gsim
