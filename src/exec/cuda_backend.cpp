// The CUDA executor: host code that uses the CUDA runtime, compiled by the host compiler. Kernels
// are compiled separately (kernels/) and launched through exec/launch.hpp.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <utility>

#include <cuda_runtime_api.h>

#include "backend.hpp"
#include "cuda_check.hpp"
#include "gsim/core/error.hpp"
#include "gsim/exec/device_scratch.hpp"
#include "gsim/exec/launch.hpp"

namespace gsim {
namespace {

using detail::check;
using detail::error_text;

/// GSIM_SYNC_LAUNCHES=1: the host waits for each kernel, so that one that fails is named.
bool waits_after_launches() {
  static const bool wait = [] {
    const char* const text = std::getenv("GSIM_SYNC_LAUNCHES");
    return text != nullptr && std::strcmp(text, "1") == 0;
  }();
  return wait;
}

struct Devices {
  std::vector<CudaDevice> list;
  std::string reason;  // the reason why the list is empty
};

std::string reason_for(cudaError_t error) {
  int driver = 0;
  if (cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0) return "no GPU driver was found";
  if (error == cudaErrorNoDevice || error == cudaSuccess) {
    const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
    return visible != nullptr
               ? std::string("no GPU is visible (CUDA_VISIBLE_DEVICES=\"") + visible + "\")"
               : "no GPU is visible";
  }
  return error_text(error);
}

Devices find_devices() {
  Devices devices;
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count <= 0) {
    cudaGetLastError();
    devices.reason = reason_for(error);
    return devices;
  }
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    cudaDeviceProp properties;
    if (const cudaError_t failure = cudaGetDeviceProperties(&properties, ordinal);
        failure != cudaSuccess) {  // the others stay usable
      cudaGetLastError();
      devices.reason = "device " + std::to_string(ordinal) + ": " + error_text(failure);
      continue;
    }
    devices.list.push_back({ordinal, properties.name,
                            detail::format_uuid(properties.uuid.bytes, properties.name),
                            properties.totalGlobalMem, properties.major * 10 + properties.minor});
  }
  if (!devices.list.empty()) devices.reason.clear();
  return devices;
}

const Devices& devices() {
  static const Devices found = find_devices();  // fixed for the life of a process
  return found;
}

/// The error that the current device, `name`, has too little memory for what `request` states.
DeviceError out_of_memory(const std::string& name, const std::string& request) {
  std::size_t free = 0, total = 0;
  const bool known = cudaMemGetInfo(&free, &total) == cudaSuccess;
  const auto text = [](std::size_t n) { return detail::memory_text(static_cast<double>(n)); };
  return DeviceError(
      "out of memory on " + name + ": " + request + ", " +
      (known ? text(free) + " free of " + text(total) : "free memory unknown") +
      "; use more GPUs or a smaller problem, and check whether other programs use this GPU");
}

/// "cuda:0 NVIDIA H200".
std::string device_text(const CudaDevice& device) {
  return "cuda:" + std::to_string(device.ordinal) + " " + device.name;
}
std::string current_device_text() {
  int ordinal = 0;
  if (cudaGetDevice(&ordinal) == cudaSuccess)
    for (const CudaDevice& device : devices().list)
      if (device.ordinal == ordinal) return device_text(device);
  return "the GPU";
}

/// The sizes of what is allocated, and the largest sum of them.
class AllocatedMemory {
 public:
  void add(void* pointer, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    sizes_[pointer] = bytes;
    sum_ += bytes;
    peak_ = std::max(peak_, sum_);
  }
  void remove(void* pointer) noexcept {
    const std::lock_guard lock(mutex_);
    const auto found = sizes_.find(pointer);
    if (found == sizes_.end()) return;
    sum_ -= found->second;
    sizes_.erase(found);
  }
  std::size_t peak() const {
    const std::lock_guard lock(mutex_);
    return peak_;
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<void*, std::size_t> sizes_;
  std::size_t sum_ = 0, peak_ = 0;
};

class CudaBackend final : public Executor::Backend {
 public:
  CudaBackend(const CudaDevice& device, int threads)
      : Backend(Target::cuda, threads), device_(device) {
    use_device();
    int pools = 0;
    check(cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, device_.ordinal),
          "cudaDeviceGetAttribute");
    has_pool_ = pools != 0;
    if (has_pool_) keep_freed_memory();
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  }
  ~CudaBackend() override {
    // Errors are ignored: the process may be ending, or the device may be unavailable.
    cudaSetDevice(device_.ordinal);
    cudaStreamSynchronize(stream_);
    if (scratch_ != nullptr) CudaBackend::deallocate(scratch_);
    if (staging_ != nullptr) cudaFreeHost(staging_);
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
  }

  /// Sets the current device of the calling thread; called before every operation.
  void* stream() const override {
    use_device();
    return stream_;
  }
  int device_ordinal() const override { return device_.ordinal; }

  void* allocate(std::size_t bytes) override {
    use_device();
    void* pointer = nullptr;
    require_memory(
        has_pool_ ? cudaMallocAsync(&pointer, bytes, stream_) : cudaMalloc(&pointer, bytes), bytes);
    memory_.add(pointer, bytes);
    return pointer;
  }
  void deallocate(void* pointer) noexcept override {
    cudaSetDevice(device_.ordinal);
    memory_.remove(pointer);
    if (has_pool_)
      cudaFreeAsync(pointer, stream_);
    else
      cudaFree(pointer);
  }
  void* allocate_shareable(std::size_t bytes) override {
    use_device();
    // Allocate whole pages of the driver: a smaller allocation would share its page with others,
    // and its handle would expose those, too (CUDA runtime reference, cudaIpcGetMemHandle).
    constexpr std::size_t page = std::size_t{2} << 20;
    const std::size_t rounded = (bytes + page - 1) / page * page;
    void* pointer = nullptr;
    require_memory(cudaMalloc(&pointer, rounded), rounded);
    memory_.add(pointer, rounded);
    return pointer;
  }
  void deallocate_shareable(void* pointer) noexcept override {
    cudaSetDevice(device_.ordinal);
    memory_.remove(pointer);
    cudaFree(pointer);
  }
  void* allocate_pinned(std::size_t bytes) override {
    use_device();
    void* pointer = nullptr;
    const cudaError_t error = cudaHostAlloc(&pointer, bytes, cudaHostAllocDefault);
    if (error != cudaSuccess) {
      cudaGetLastError();
      throw DeviceError("page-locked host memory could not be allocated: " +
                        detail::memory_text(static_cast<double>(bytes)) + " requested, " +
                        error_text(error) + "; see `ulimit -l` and the memory limit of the job");
    }
    return pointer;
  }
  void deallocate_pinned(void* pointer) noexcept override { cudaFreeHost(pointer); }

  /// Small blocks are copied into page-locked memory first, from where the device reads them later.
  void copy_from_host(void* to, const void* from, std::size_t bytes) override {
    if (bytes > largest_staged) {
      start_copy(to, from, bytes, cudaMemcpyHostToDevice);
      return synchronize();
    }
    std::byte* const staged = staging_for_write(bytes);
    std::memcpy(staged, from, bytes);
    start_copy(to, staged, bytes, cudaMemcpyHostToDevice);
  }
  void copy_to_host(void* to, const void* from, std::size_t bytes) override {
    std::byte* const staged = bytes <= largest_staged ? staging() : nullptr;
    start_copy(staged != nullptr ? staged : to, from, bytes, cudaMemcpyDeviceToHost);
    synchronize();
    if (staged != nullptr) std::memcpy(to, staged, bytes);
  }
  void start_copy_to_host(void* pinned, const void* from, std::size_t bytes) override {
    start_copy(pinned, from, bytes, cudaMemcpyDeviceToHost);
  }
  std::unique_ptr<ExecutorEvent> make_event() override {
    use_device();
    return std::make_unique<CudaEvent>(*this);
  }
  /// See device_scratch().
  DeviceScratch scratch(std::size_t bytes) {
    constexpr std::size_t counter_bytes = 256;  // keeps the alignment of the data
    if (bytes > scratch_bytes_ || scratch_ == nullptr) {
      if (scratch_ != nullptr) deallocate(std::exchange(scratch_, nullptr));
      scratch_bytes_ = std::max(bytes, 2 * scratch_bytes_);
      scratch_ = static_cast<std::byte*>(allocate(counter_bytes + scratch_bytes_));
      fill_zero(scratch_, counter_bytes);
    }
    return {scratch_ + counter_bytes, reinterpret_cast<std::uint32_t*>(scratch_)};
  }
  void copy_within(void* to, const void* from, std::size_t bytes) override {
    start_copy(to, from, bytes, cudaMemcpyDeviceToDevice);
  }
  std::unique_ptr<LaunchGraph::Implementation> make_launch_graph() override {
    if (waits_after_launches()) return nullptr;
    return detail::make_cuda_launch_graph(stream_);
  }
  std::size_t peak_memory() const override { return memory_.peak(); }
  void fill_zero(void* to, std::size_t bytes) override {
    use_device();
    check(cudaMemsetAsync(to, 0, bytes, stream_), "cudaMemsetAsync");
  }
  std::unique_ptr<PeerMemory> make_peer_memory() override {
    return detail::make_cuda_peer_memory(device_.ordinal);
  }
  void synchronize() override {
    use_device();
    check_wait(cudaStreamSynchronize(stream_));
    staged_ = 0;
  }
  std::string describe() const override { return device_text(device_); }
  std::string device_uuid() const override { return device_.uuid; }

 private:
  class CudaEvent final : public ExecutorEvent {
   public:
    explicit CudaEvent(const CudaBackend& backend) : backend_(backend) {
      check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    }
    ~CudaEvent() override { cudaEventDestroy(event_); }
    CudaEvent(const CudaEvent&) = delete;
    CudaEvent& operator=(const CudaEvent&) = delete;
    void record() override { check(cudaEventRecord(event_, backend_.stream_), "cudaEventRecord"); }
    void wait() override { backend_.check_wait(cudaEventSynchronize(event_)); }

   private:
    const CudaBackend& backend_;
    cudaEvent_t event_ = nullptr;
  };

  // Page-locked memory for small copies: one block for a copy to the host, which is awaited, and
  // blocks for copies from the host, which are used again after a synchronisation.
  static constexpr std::size_t largest_staged = std::size_t{16} << 10;
  static constexpr std::size_t staged_writes = std::size_t{64} << 10;

  void use_device() const { check(cudaSetDevice(device_.ordinal), "cudaSetDevice"); }

  void check_wait(cudaError_t error) const {
    if (error != cudaSuccess)
      throw DeviceError("a kernel or copy on " + describe() + " failed: " + error_text(error) +
                        "; set GSIM_SYNC_LAUNCHES=1 and run again to see which kernel");
  }

  std::byte* staging() {
    if (staging_ == nullptr)
      staging_ = static_cast<std::byte*>(allocate_pinned(largest_staged + staged_writes));
    return staging_;
  }
  /// A block that no copy under way uses.
  std::byte* staging_for_write(std::size_t bytes) {
    if (staged_ + bytes > staged_writes) synchronize();
    std::byte* const block = staging() + largest_staged + staged_;
    staged_ += (bytes + 15) / 16 * 16;
    return block;
  }

  /// Lets the pool keep freed memory for later allocations; by default it returns such memory to
  /// the driver at every synchronisation.
  void keep_freed_memory() {
    cudaMemPool_t pool = nullptr;
    check(cudaDeviceGetDefaultMemPool(&pool, device_.ordinal), "cudaDeviceGetDefaultMemPool");
    std::uint64_t no_limit = UINT64_MAX;
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &no_limit),
          "cudaMemPoolSetAttribute");
  }

  void require_memory(cudaError_t error, std::size_t bytes) const {
    if (error == cudaSuccess) return;
    cudaGetLastError();
    if (error != cudaErrorMemoryAllocation) check(error, "device memory allocation");
    throw out_of_memory(describe(), detail::memory_text(static_cast<double>(bytes)) + " requested");
  }

  void start_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    use_device();
    check(cudaMemcpyAsync(to, from, bytes, kind, stream_), "cudaMemcpyAsync");
  }

  CudaDevice device_;
  AllocatedMemory memory_;
  bool has_pool_ = false;
  cudaStream_t stream_ = nullptr;
  std::byte* scratch_ = nullptr;  // the counter, then scratch_bytes_ bytes
  std::size_t scratch_bytes_ = 0;
  std::byte* staging_ = nullptr;
  std::size_t staged_ = 0;  // bytes for writes in use since the last synchronisation
};

}  // namespace

std::vector<CudaDevice> cuda_devices() { return devices().list; }
std::string no_cuda_reason() { return devices().reason; }

DeviceScratch device_scratch(const Executor& executor, std::size_t bytes) {
  GSIM_EXPECT(executor.is_cuda());
  return static_cast<CudaBackend&>(executor.backend()).scratch(bytes);
}

namespace detail {

std::shared_ptr<Executor::Backend> make_cuda_backend(int ordinal, int threads) {
  const auto& list = devices().list;
  if (list.empty())
    throw DeviceError("no CUDA executor: " + devices().reason + "; use device = \"cpu\"");
  for (const CudaDevice& device : list)
    if (device.ordinal == ordinal) return std::make_shared<CudaBackend>(device, threads);
  throw DeviceError("there is no CUDA device " + std::to_string(ordinal) + "; " +
                    std::to_string(list.size()) + " usable, counted from 0");
}

}  // namespace detail
namespace launching {
void check_launch(const char* label, int launch_error, void* stream) {
  auto error = static_cast<cudaError_t>(launch_error);
  if (error == cudaSuccess && waits_after_launches())
    error = cudaStreamSynchronize(static_cast<cudaStream_t>(stream));
  if (error == cudaSuccess) return;
  // The first launch of a kernel loads its code.
  if (error == cudaErrorMemoryAllocation)
    throw out_of_memory(current_device_text(),
                        std::string("memory for the kernel \"") + label + "\" requested");
  std::string advice = "; please report it";
  if (error == cudaErrorNoKernelImageForDevice)
    advice =
        "; this gsim was built for other GPUs: rebuild with GSIM_CUDA_ARCHITECTURES set for it";
  throw DeviceError(std::string("kernel \"") + label + "\" failed: " + error_text(error) + advice);
}
}  // namespace launching
}  // namespace gsim
