// CUDA IPC: memory of cudaMalloc that other processes of the node map by a handle of 64 bytes.
#include <cstring>
#include <vector>

#include "cuda_check.hpp"

namespace gsim::detail {
namespace {

class CudaPeerMemory final : public PeerMemory {
 public:
  explicit CudaPeerMemory(int ordinal) : ordinal_(ordinal) {
    use_device();
    check(cudaStreamCreateWithFlags(&copies_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  }
  ~CudaPeerMemory() override {
    cudaSetDevice(ordinal_);
    cudaStreamSynchronize(copies_);
    for (const cudaEvent_t event : events_) cudaEventDestroy(event);
    cudaStreamDestroy(copies_);
  }

  MemoryHandle handle(const ShareableMemory& memory) override {
    use_device();
    MemoryHandle result{this_process(),
                        memory.number,
                        reinterpret_cast<std::uintptr_t>(memory.data),
                        memory.bytes,
                        {}};
    cudaIpcMemHandle_t key;
    static_assert(sizeof key <= sizeof result.key);
    require(cudaIpcGetMemHandle(&key, memory.data), "cudaIpcGetMemHandle");
    std::memcpy(result.key.data(), &key, sizeof key);
    return result;
  }
  void* open(const MemoryHandle& handle) override {
    use_device();
    cudaIpcMemHandle_t key;
    std::memcpy(&key, handle.key.data(), sizeof key);
    void* opened = nullptr;
    require(cudaIpcOpenMemHandle(&opened, key, cudaIpcMemLazyEnablePeerAccess),
            "cudaIpcOpenMemHandle");
    return opened;
  }
  void close(void* opened) noexcept override {
    cudaSetDevice(ordinal_);
    cudaIpcCloseMemHandle(opened);
  }

  Copy start_copy(void* to, const void* from, std::size_t bytes) override {
    use_device();
    const int slot = free_slot();
    const cudaEvent_t event = events_[static_cast<std::size_t>(slot)];
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, copies_), "cudaMemcpyAsync");
    check(cudaEventRecord(event, copies_), "cudaEventRecord");
    return {slot};
  }
  bool is_done(Copy copy) override {
    if (copy.slot < 0) return true;
    const cudaError_t state = cudaEventQuery(events_[static_cast<std::size_t>(copy.slot)]);
    if (state == cudaErrorNotReady) {
      cudaGetLastError();  // clears the result, so that the check of the next launch does not
                           // report it
      return false;
    }
    free_.push_back(copy.slot);
    check(state, "a copy to another rank's device memory");
    return true;
  }

 private:
  void use_device() const { check(cudaSetDevice(ordinal_), "cudaSetDevice"); }
  /// Failure to share memory is not fatal: messages are then copied through host memory.
  static void require(cudaError_t error, const char* call) {
    if (error == cudaSuccess) return;
    cudaGetLastError();
    throw DeviceError(std::string(call) + ": " + error_text(error));
  }
  /// The index of an event that is not in use.
  int free_slot() {
    if (free_.empty()) {
      cudaEvent_t event = nullptr;
      check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
      events_.push_back(event);
      return static_cast<int>(events_.size()) - 1;
    }
    const int slot = free_.back();
    free_.pop_back();
    return slot;
  }

  int ordinal_;
  cudaStream_t copies_ = nullptr;    // stream of the copies
  std::vector<cudaEvent_t> events_;  // one per copy that is not done, and unused ones
  std::vector<int> free_;            // indices of unused events
};

}  // namespace

std::unique_ptr<PeerMemory> make_cuda_peer_memory(int ordinal) {
  return std::make_unique<CudaPeerMemory>(ordinal);
}

}  // namespace gsim::detail
