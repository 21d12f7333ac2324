#pragma once
// Conversion of errors of CUDA runtime calls to exceptions.

#include <memory>
#include <string>

#include <cuda_runtime_api.h>

#include "gsim/core/error.hpp"
#include "gsim/exec/peer_memory.hpp"
#include "src/exec/launch_graph.hpp"

namespace gsim::detail {

/// The text "out of memory (cudaErrorMemoryAllocation)".
inline std::string error_text(cudaError_t error) {
  return std::string(cudaGetErrorString(error)) + " (" + cudaGetErrorName(error) + ")";
}

inline void check(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // clears the error, so that the check of the next launch does not report it
                       // again
  throw DeviceError(std::string(call) + " failed: " + error_text(error) +
                    "; see `nvidia-smi` and the system log for the device's health");
}

/// CUDA IPC for memory of device `ordinal` (cuda_peer_memory.cpp).
std::unique_ptr<PeerMemory> make_cuda_peer_memory(int ordinal);
/// Sequences of launches on a stream as graphs (cuda_launch_graph.cpp). Must not outlive the
/// stream.
std::unique_ptr<LaunchGraph::Implementation> make_cuda_launch_graph(cudaStream_t stream);

}  // namespace gsim::detail
