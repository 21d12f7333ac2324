// Streams and events.

#include <chrono>

#include <cuda_runtime_api.h>

#include "runtime/api/api.hpp"
#include "runtime/host_functions.hpp"
#include "runtime/report/open_resources.hpp"

using namespace ptxemu;

namespace {
double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
Event* event_of(cudaEvent_t handle) { return reinterpret_cast<Event*>(handle); }
/// Whether the operations up to the record of the event have been executed.
bool reached(const Device& device, const Event& event) {
  if (event.stream == nullptr || !device.owns(event.stream)) return true;
  const auto& pending = event.stream->pending;
  return pending.empty() || pending.front().sequence > event.sequence;
}

cudaError_t external_not_implemented() {
  std::fprintf(stderr,
               "emulated GPU: nodes of graphs that record events or wait for them are not "
               "implemented\n");
  return cudaErrorNotSupported;
}

cudaError_t wait_for_captured(Device& device, Stream& stream, const Event& event) {
  if (stream.capture != nullptr && !stream.capture->active())
    return cudaErrorStreamCaptureInvalidated;
  if (event.capture->active()) return event.capture->wait(device, stream, event);
  if (stream.capture != nullptr) stream.capture->invalidate();
  return event.capture->ended() ? cudaErrorCapturedEvent : cudaErrorStreamCaptureInvalidated;
}
}  // namespace

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* handle, unsigned flags) {
  return guarded([&](Runtime&, Device& device) {
    *handle =
        reinterpret_cast<cudaStream_t>(&device.new_stream((flags & cudaStreamNonBlocking) == 0));
    OpenResources::instance().opened("stream", *handle);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamCreate(cudaStream_t* handle) { return cudaStreamCreateWithFlags(handle, 0); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* handle, unsigned flags, int) {
  return cudaStreamCreateWithFlags(handle, flags);
}
cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  return guarded([&](Runtime&, Device& device) {
    auto* const stream = reinterpret_cast<Stream*>(handle);
    if (device.owns(stream) && stream->capture != nullptr) {
      stream->capture->invalidate();
      return cudaErrorStreamCaptureUnsupported;
    }
    if (!device.destroy_stream(stream)) return cudaErrorInvalidResourceHandle;
    OpenResources::instance().closed(handle);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return guarded([&](Runtime& runtime, Device& device) {
    Stream* const stream = stream_of(device, handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = Capture::check_wait(device, *stream); error != cudaSuccess)
      return error;
    runtime.activity.stream.add(!stream->pending.empty());
    device.drain(*stream);
    if (stream == &device.legacy) device.drain_all();
    return cudaSuccess;
  });
}
cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return guarded([&](Runtime& runtime, Device& device) {
    Stream* const stream = stream_of(device, handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = Capture::check_wait(device, *stream); error != cudaSuccess)
      return error;
    ++runtime.activity.queries;
    return device.step(*stream) ? cudaErrorNotReady : cudaSuccess;
  });
}
cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned flags) {
  return guarded([&](Runtime&, Device& device) {
    Stream* const stream = stream_of(device, handle);
    if (stream == nullptr || event == nullptr) return cudaErrorInvalidResourceHandle;
    const Event recorded = *event_of(event);  // the latest record at the time of the call
    if (recorded.capture != nullptr) return wait_for_captured(device, *stream, recorded);
    if (const cudaError_t error = Capture::check_use(device, *stream); error != cudaSuccess)
      return error;
    if (stream->capture != nullptr) {
      stream->capture->invalidate();
      return flags == cudaEventWaitExternal ? external_not_implemented()
                                            : cudaErrorStreamCaptureIsolation;
    }
    if (reached(device, recorded)) return cudaSuccess;
    device.enqueue(*stream, [&device, recorded] {
      if (device.owns(recorded.stream)) device.drain(*recorded.stream, recorded.sequence);
    });
    return cudaSuccess;
  });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* data) {
  return on_stream(handle, [&](Device& device, Stream& stream) {
    if (function == nullptr) return cudaErrorInvalidValue;
    const cudaError_t error = submit(device, stream, HostWork{function, data});
    if (error == cudaSuccess && stream.capture == nullptr)
      execute_soon(device, stream, stream.pending.back().sequence);
    return error;
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t function, void* data,
                                  unsigned) {
  return on_stream(handle, [&](Device& device, Stream& stream) {
    if (stream.capture != nullptr) {
      stream.capture->invalidate();
      return cudaErrorStreamCaptureUnsupported;
    }
    const std::uint64_t sequence = device.enqueue(
        stream, [&device, handle, function, data] { function(handle, device.sticky, data); });
    execute_soon(device, stream, sequence);
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return guarded([&](Runtime&, Device&) {
    const bool interprocess = (flags & cudaEventInterprocess) != 0;
    if (interprocess && (flags & cudaEventDisableTiming) == 0) return cudaErrorInvalidValue;
    auto* const created = new Event;
    created->interprocess = interprocess;
    *event = reinterpret_cast<cudaEvent_t>(created);
    OpenResources::instance().opened("event", *event);
    return cudaSuccess;
  });
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return guarded([&](Runtime&, Device& device) {
    if (event == nullptr) return cudaErrorInvalidResourceHandle;
    Event* const event_state = event_of(event);
    if (!reached(device, *event_state)) device.drain(*event_state->stream, event_state->sequence);
    OpenResources::instance().closed(event);
    delete event_state;
    return cudaSuccess;
  });
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t handle, unsigned flags) {
  return on_stream(handle, [&](Device& device, Stream& stream) {
    if (event == nullptr) return cudaErrorInvalidResourceHandle;
    Event* const event_state = event_of(event);
    if (!reached(device, *event_state)) device.drain(*event_state->stream, event_state->sequence);
    event_state->capture = stream.capture;
    event_state->capture_dependencies = stream.capture_dependencies;
    if (stream.capture != nullptr) {
      if (flags != cudaEventRecordExternal) return cudaSuccess;
      stream.capture->invalidate();
      return external_not_implemented();
    }
    event_state->stream = &stream;
    event_state->sequence = device.enqueue(stream, [event_state] { event_state->seconds = now(); });
    if (event_state->interprocess) device.drain(stream);
    return cudaSuccess;
  });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t handle) {
  return cudaEventRecordWithFlags(event, handle, cudaEventRecordDefault);
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return guarded([&](Runtime& runtime, Device& device) {
    const Event& event_state = *event_of(event);
    if (const cudaError_t error = Capture::check_wait(event_state); error != cudaSuccess)
      return error;
    ++runtime.activity.queries;
    if (!reached(device, event_state)) device.step(*event_state.stream);
    return reached(device, event_state) ? cudaSuccess : cudaErrorNotReady;
  });
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return guarded([&](Runtime& runtime, Device& device) {
    const Event& event_state = *event_of(event);
    if (const cudaError_t error = Capture::check_wait(event_state); error != cudaSuccess)
      return error;
    const bool waits = !reached(device, event_state);
    runtime.activity.event.add(waits);
    if (!waits) return cudaSuccess;
    const auto& pending = event_state.stream->pending;
    if (pending.back().sequence > event_state.sequence) ++runtime.activity.overlapped_waits;
    device.drain(*event_state.stream, event_state.sequence);
    return cudaSuccess;
  });
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return guarded([&](Runtime&, Device& device) {
    for (const cudaEvent_t event : {start, end}) {
      if (event_of(event)->capture != nullptr) return cudaErrorCapturedEvent;
      if (!reached(device, *event_of(event))) return cudaErrorNotReady;
    }
    *milliseconds = static_cast<float>(1e3 * (event_of(end)->seconds - event_of(start)->seconds));
    return cudaSuccess;
  });
}

}  // extern "C"
