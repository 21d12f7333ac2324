// Stream capture.

#include <cuda_runtime_api.h>

#include "runtime/api/api.hpp"
#include "runtime/api/graph_handles.hpp"

using namespace ptxemu;

namespace {
/// The legacy default stream cannot be queried while a blocking stream is captured.
cudaError_t check_query(const Device& device, const Stream& stream) {
  return &stream == &device.legacy ? Capture::blocks_legacy_stream(device) : cudaSuccess;
}
cudaStreamCaptureStatus status_of(const Stream& stream) {
  if (stream.capture == nullptr) return cudaStreamCaptureStatusNone;
  return stream.capture->active() ? cudaStreamCaptureStatusActive
                                  : cudaStreamCaptureStatusInvalidated;
}
}  // namespace

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  return guarded([&](Runtime&, Device& device) {
    Stream* const stream = stream_of(device, handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    if (mode != cudaStreamCaptureModeGlobal && mode != cudaStreamCaptureModeThreadLocal &&
        mode != cudaStreamCaptureModeRelaxed)
      return cudaErrorInvalidValue;
    if (stream == &device.legacy) return cudaErrorStreamCaptureUnsupported;
    if (stream->capture != nullptr) return cudaErrorIllegalState;
    Capture::begin(device, *stream, mode);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  return guarded([&](Runtime&, Device& device) {
    Stream* const stream = stream_of(device, handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    if (graph == nullptr) return cudaErrorInvalidValue;
    *graph = nullptr;
    std::unique_ptr<Graph> captured;
    const cudaError_t error = Capture::end(*stream, captured);
    if (captured != nullptr) *graph = own(std::move(captured));
    return error;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  return guarded([&](Runtime&, Device& device) {
    const Stream* const stream = stream_of(device, handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    const cudaError_t error = check_query(device, *stream);
    if (error == cudaSuccess) *status = status_of(*stream);
    return error;
  });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status,
                                     unsigned long long* number, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edges, std::size_t* count) {
  return guarded([&](Runtime&, Device& device) {
    const Stream* const stream = stream_of(device, handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    const cudaError_t error = check_query(device, *stream);
    if (error != cudaSuccess) return error;
    *status = status_of(*stream);
    if (*status != cudaStreamCaptureStatusActive) return cudaSuccess;
    // All edges are ordinary ones, whose data are zero.
    static const std::vector<cudaGraphEdgeData> zeros(1024);
    const std::vector<Node*>& nodes = stream->capture_dependencies;
    if (nodes.size() > zeros.size()) return cudaErrorNotSupported;
    if (number != nullptr) *number = stream->capture->number();
    if (graph != nullptr) *graph = handle_of(stream->capture->graph());
    if (dependencies != nullptr)
      *dependencies = reinterpret_cast<const cudaGraphNode_t*>(nodes.data());
    if (edges != nullptr) *edges = zeros.data();
    if (count != nullptr) *count = nodes.size();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t* nodes,
                                                const cudaGraphEdgeData*, std::size_t count,
                                                unsigned flags) {
  return guarded([&](Runtime&, Device& device) {
    Stream* const stream = stream_of(device, handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    if (stream->capture == nullptr) return cudaErrorIllegalState;
    if (!stream->capture->active()) return cudaErrorStreamCaptureInvalidated;
    std::vector<Node*> dependencies;
    if (flags != cudaStreamSetCaptureDependencies) dependencies = stream->capture_dependencies;
    for (std::size_t n = 0; n < count; ++n) {
      Node* const node = node_of(nodes[n]);
      if (node == nullptr || node->graph != stream->capture->graph()) return cudaErrorInvalidValue;
      dependencies.push_back(node);
    }
    stream->capture_dependencies = std::move(dependencies);
    return cudaSuccess;
  });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return guarded([&](Runtime&, Device&) {
    std::swap(*mode, Capture::mode_of_thread());
    return cudaSuccess;
  });
}

}  // extern "C"
