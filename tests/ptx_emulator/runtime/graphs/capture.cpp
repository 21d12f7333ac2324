#include "runtime/graphs/capture.hpp"

#include <algorithm>
#include <cstdio>
#include <set>

#include "runtime/device.hpp"

namespace ptxemu {
namespace {

/// The captures that have not ended.
std::vector<std::shared_ptr<Capture>>& captures() {
  static auto* const all = new std::vector<std::shared_ptr<Capture>>;
  return *all;
}

/// All nodes on which the given ones depend, and these.
std::set<const Node*> with_ancestors(const std::vector<Node*>& nodes) {
  std::set<const Node*> found;
  std::vector<const Node*> open(nodes.begin(), nodes.end());
  while (!open.empty()) {
    const Node* const node = open.back();
    open.pop_back();
    if (!found.insert(node).second) continue;
    open.insert(open.end(), node->dependencies.begin(), node->dependencies.end());
  }
  return found;
}

}  // namespace

void Capture::begin(Device& device, Stream& origin, cudaStreamCaptureMode mode) {
  static std::uint64_t last_number = 0;
  auto capture = std::make_shared<Capture>();
  capture->device_ = &device;
  capture->origin_ = &origin;
  capture->mode_ = mode;
  capture->thread_ = std::this_thread::get_id();
  capture->number_ = ++last_number;
  capture->graph_ = std::make_unique<Graph>();
  capture->streams_ = {&origin};
  origin.capture = capture;
  origin.capture_dependencies.clear();
  captures().push_back(std::move(capture));
}

void Capture::release_streams() {
  for (Stream* const stream : streams_) {
    stream->capture = nullptr;
    stream->capture_dependencies.clear();
  }
  streams_.clear();
}

bool Capture::joined() const {
  const std::set<const Node*> reached = with_ancestors(origin_->capture_dependencies);
  return std::all_of(streams_.begin(), streams_.end(), [&](const Stream* stream) {
    const auto& last = stream->capture_dependencies;
    return std::all_of(last.begin(), last.end(),
                       [&](const Node* node) { return reached.count(node) != 0; });
  });
}

cudaError_t Capture::end(Stream& stream, std::unique_ptr<Graph>& graph) {
  const std::shared_ptr<Capture> capture = stream.capture;
  if (capture == nullptr) return cudaErrorIllegalState;
  if (capture->origin_ != &stream) {
    capture->invalidate();
    return cudaErrorStreamCaptureUnmatched;
  }
  if (capture->mode_ != cudaStreamCaptureModeRelaxed &&
      capture->thread_ != std::this_thread::get_id())
    return cudaErrorStreamCaptureWrongThread;
  const cudaError_t error = !capture->valid_     ? cudaErrorStreamCaptureInvalidated
                            : !capture->joined() ? cudaErrorStreamCaptureUnjoined
                                                 : cudaSuccess;
  capture->release_streams();
  std::unique_ptr<Graph> captured = std::move(capture->graph_);
  std::erase(captures(), capture);
  if (error == cudaSuccess) graph = std::move(captured);
  return error;
}

void Capture::add(Stream& stream, Work work) {
  Node& node = graph_->add(std::move(work), stream.capture_dependencies);
  stream.capture_dependencies = {&node};
}

cudaError_t Capture::wait(Device& device, Stream& stream, const Event& event) {
  if (device_ != &device) {
    std::fprintf(stderr,
                 "emulated GPU: the capture of streams of several devices is not "
                 "implemented\n");
    invalidate();
    return cudaErrorNotSupported;
  }
  if (&stream == &device.legacy) {
    invalidate();
    return cudaErrorStreamCaptureImplicit;
  }
  if (stream.capture == nullptr) {
    stream.capture = shared_from_this();
    stream.capture_dependencies.clear();
    streams_.push_back(&stream);
  } else if (stream.capture.get() != this) {
    invalidate();
    stream.capture->invalidate();
    return cudaErrorStreamCaptureMerge;
  }
  for (Node* const node : event.capture_dependencies) {
    auto& dependencies = stream.capture_dependencies;
    if (std::find(dependencies.begin(), dependencies.end(), node) == dependencies.end())
      dependencies.push_back(node);
  }
  return cudaSuccess;
}

cudaStreamCaptureMode& Capture::mode_of_thread() {
  thread_local cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  return mode;
}

cudaError_t Capture::check_unsafe_call() {
  const cudaStreamCaptureMode mode = mode_of_thread();
  if (mode == cudaStreamCaptureModeRelaxed) return cudaSuccess;
  cudaError_t error = cudaSuccess;
  for (const auto& capture : captures()) {
    const bool own = capture->thread_ == std::this_thread::get_id();
    const bool prohibits =
        own ? capture->mode_ != cudaStreamCaptureModeRelaxed
            : mode == cudaStreamCaptureModeGlobal && capture->mode_ == cudaStreamCaptureModeGlobal;
    if (!prohibits) continue;
    capture->invalidate();
    error = cudaErrorStreamCaptureUnsupported;
  }
  return error;
}

cudaError_t Capture::check_device_wait(const Device& device) {
  cudaError_t error = cudaSuccess;
  for (const auto& capture : captures()) {
    if (capture->device_ != &device) continue;
    capture->invalidate();
    error = cudaErrorStreamCaptureUnsupported;
  }
  return error;
}

bool Capture::blocks_legacy_stream_of(const Device& device) const {
  return device_ == &device && std::any_of(streams_.begin(), streams_.end(),
                                           [](const Stream* stream) { return stream->blocking; });
}

cudaError_t Capture::blocks_legacy_stream(const Device& device) {
  const auto& all = captures();
  const bool blocks = std::any_of(all.begin(), all.end(), [&](const auto& capture) {
    return capture->blocks_legacy_stream_of(device);
  });
  return blocks ? cudaErrorStreamCaptureImplicit : cudaSuccess;
}

cudaError_t Capture::check_use(const Device& device, const Stream& stream) {
  if (stream.capture != nullptr)
    return stream.capture->active() ? cudaSuccess : cudaErrorStreamCaptureInvalidated;
  if (&stream != &device.legacy) return cudaSuccess;
  // The legacy default stream would synchronise with the captured streams.
  cudaError_t error = cudaSuccess;
  for (const auto& capture : captures()) {
    if (!capture->blocks_legacy_stream_of(device)) continue;
    capture->invalidate();
    error = cudaErrorStreamCaptureImplicit;
  }
  return error;
}

cudaError_t Capture::check_wait(const Device& device, const Stream& stream) {
  if (stream.capture != nullptr) {
    stream.capture->invalidate();
    return cudaErrorStreamCaptureUnsupported;
  }
  const cudaError_t error = check_use(device, stream);
  return error != cudaSuccess ? error : check_unsafe_call();
}

cudaError_t Capture::check_wait(const Event& event) {
  if (event.capture == nullptr) return check_unsafe_call();
  event.capture->invalidate();
  return cudaErrorCapturedEvent;
}

}  // namespace ptxemu
