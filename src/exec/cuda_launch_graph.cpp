// Sequences of launches as CUDA graphs, which are captured from the stream.

#include <map>

#include <cuda_runtime_api.h>

#include "src/exec/cuda_check.hpp"

namespace gsim::detail {
namespace {

class CudaLaunchGraph final : public LaunchGraph::Implementation {
 public:
  explicit CudaLaunchGraph(cudaStream_t stream) : stream_(stream) {}
  ~CudaLaunchGraph() override {
    for (const auto& [length, executable] : executables_) cudaGraphExecDestroy(executable);
  }
  CudaLaunchGraph(const CudaLaunchGraph&) = delete;
  CudaLaunchGraph& operator=(const CudaLaunchGraph&) = delete;

  void run(int length, const std::function<void()>& enqueue) override {
    const CapturedGraph graph(stream_, enqueue);
    cudaGraphExec_t& executable = executables_[length];
    if (executable != nullptr && !is_updated(executable, graph.get())) {
      cudaGraphExecDestroy(executable);
      executable = nullptr;
    }
    if (executable == nullptr)
      check(cudaGraphInstantiate(&executable, graph.get(), 0), "cudaGraphInstantiate");
    check(cudaGraphLaunch(executable, stream_), "cudaGraphLaunch");
  }

  bool repeat(int length) override {
    const auto found = executables_.find(length);
    if (found == executables_.end()) return false;
    check(cudaGraphLaunch(found->second, stream_), "cudaGraphLaunch");
    return true;
  }

 private:
  /// What `enqueue` puts into the stream.
  class CapturedGraph {
   public:
    CapturedGraph(cudaStream_t stream, const std::function<void()>& enqueue) {
      check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal),
            "cudaStreamBeginCapture");
      try {
        enqueue();
      } catch (...) {
        cudaStreamEndCapture(stream, &graph_);
        if (graph_ != nullptr) cudaGraphDestroy(graph_);
        cudaGetLastError();  // of a capture that an operation of `enqueue` has ended
        throw;
      }
      check(cudaStreamEndCapture(stream, &graph_), "cudaStreamEndCapture");
    }
    ~CapturedGraph() { cudaGraphDestroy(graph_); }
    CapturedGraph(const CapturedGraph&) = delete;
    CapturedGraph& operator=(const CapturedGraph&) = delete;
    cudaGraph_t get() const { return graph_; }

   private:
    cudaGraph_t graph_ = nullptr;
  };

  /// Gives the executable graph the arguments of `graph`; false if their kernels differ.
  static bool is_updated(cudaGraphExec_t executable, cudaGraph_t graph) {
    cudaGraphExecUpdateResultInfo info{};
    const cudaError_t error = cudaGraphExecUpdate(executable, graph, &info);
    if (error == cudaSuccess) return true;
    cudaGetLastError();
    if (error != cudaErrorGraphExecUpdateFailure) check(error, "cudaGraphExecUpdate");
    return false;
  }

  cudaStream_t stream_;
  std::map<int, cudaGraphExec_t> executables_;  // by length
};

}  // namespace

std::unique_ptr<LaunchGraph::Implementation> make_cuda_launch_graph(cudaStream_t stream) {
  return std::make_unique<CudaLaunchGraph>(stream);
}

}  // namespace gsim::detail
