#pragma once
// Stream capture: work that is submitted to streams becomes nodes of a graph, and calls that
// cannot become nodes end the capture.

#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include <cuda_runtime_api.h>

#include "runtime/graphs/graph.hpp"

namespace ptxemu {

class Device;
struct Event;
struct Stream;

/// A capture sequence, from cudaStreamBeginCapture to cudaStreamEndCapture.
class Capture : public std::enable_shared_from_this<Capture> {
 public:
  /// Begins the capture of a stream, its origin.
  static void begin(Device& device, Stream& origin, cudaStreamCaptureMode mode);
  /// Ends the capture whose origin the stream is: sets `graph`, or null if it returns an error.
  static cudaError_t end(Stream& stream, std::unique_ptr<Graph>& graph);

  /// Appends a node after those that the stream depends on; the stream then depends on it.
  void add(Stream& stream, Work work);
  /// Lets the stream wait for a captured event: it becomes part of the capture, if it is not yet.
  cudaError_t wait(Device& device, Stream& stream, const Event& event);
  /// Nothing else is captured, and end() returns an error.
  void invalidate() { valid_ = false; }
  /// Whether it has been neither invalidated nor ended.
  bool active() const { return valid_ && graph_ != nullptr; }
  bool ended() const { return graph_ == nullptr; }
  std::uint64_t number() const { return number_; }
  Graph* graph() { return graph_.get(); }

  /// The mode of the calling host thread (cudaThreadExchangeStreamCaptureMode).
  static cudaStreamCaptureMode& mode_of_thread();

  /// The error of a query of the legacy default stream while a blocking stream is captured.
  static cudaError_t blocks_legacy_stream(const Device& device);

  // Each returns the error of a call that is not permitted, and invalidates the captures which
  // do not permit it; cudaSuccess otherwise.

  /// A call that is not captured and may change the results of a graph, such as cudaMalloc: it is
  /// permitted only if the mode of the thread or of the captures is relaxed.
  static cudaError_t check_unsafe_call();
  /// A call that waits for the device.
  static cudaError_t check_device_wait(const Device& device);
  /// Work for a stream.
  static cudaError_t check_use(const Device& device, const Stream& stream);
  /// A call that waits for a stream, or queries it.
  static cudaError_t check_wait(const Device& device, const Stream& stream);
  /// A call that waits for an event, or queries it.
  static cudaError_t check_wait(const Event& event);

 private:
  bool joined() const;
  /// Whether it contains a stream that synchronises with the legacy default stream of the device.
  bool blocks_legacy_stream_of(const Device& device) const;
  /// Takes the streams out of capture mode.
  void release_streams();

  const Device* device_ = nullptr;
  Stream* origin_ = nullptr;
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeGlobal;
  std::thread::id thread_;
  std::uint64_t number_ = 0;
  bool valid_ = true;
  std::unique_ptr<Graph> graph_;
  std::vector<Stream*> streams_;  ///< the origin and those that have waited for it
};

}  // namespace ptxemu
