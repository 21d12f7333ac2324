#pragma once
// The kernel that transports the particles of a pass on a device.

#include "kernels/transport/tracking/device/block_scores.hpp"
#include "kernels/transport/tracking/device/event_loop.hpp"
#include "kernels/transport/tracking/device/launch_histories.hpp"

#if defined(__CUDACC__)

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Blocks that are resident on a multiprocessor: as many as 128 registers of a thread allow.
inline constexpr int blocks_of_processor = 4;

/// The number of particles of a block that fit `bytes` of shared memory, at least 1.
template <class Set>
std::int32_t slots_within(std::int32_t bytes, std::int32_t levels) {
  const std::int32_t none = EventLoop<Set>::shared_bytes(0, levels);
  const std::int32_t fit = (bytes - none) / slot_stride<Set::features>(levels);
  return fit < 1 ? 1 : fit > max_slots ? max_slots : fit;
}

template <class Set>
__global__ void __launch_bounds__(history_threads, blocks_of_processor)
    transport_histories(const __grid_constant__ HistoriesArgs args, std::int32_t slots) {
  const bool is_first = blockIdx.x == 0 && threadIdx.x == 0;
  if (args.previous->have_overflowed()) {
    if (is_first) {
      args.lists->secondaries.count = args.previous->secondaries.count;
      args.lists->suspended.count = args.previous->suspended.count;
      args.lists->started = args.previous->started;
    }
    return;
  }
  const PassItems items = items_of(args);
  if (is_first) args.lists->started = items.started + items.starts;
  // Each particle may be suspended.
  if (args.rules.flights_per_pass > 0 && items.count() > args.suspended->capacity) {
    if (is_first) args.lists->suspended.count = items.count();
    return;
  }
  EventLoop<Set>{args}.run(slots);
  if (threadIdx.x == 0) add_scores(*args.scores, EventLoop<Set>::scores());
}

template <class Set>
void launch_histories(const Executor& executor, const HistoriesArgs& args) {
  if (args.threads <= 0) return;
  void* const stream = executor.stream();
  const auto check = [&](cudaError_t error) {
    launching::check_launch("histories", static_cast<int>(error), stream);
  };
  const auto kernel = transport_histories<Set>;
  int device = 0, processors = 0, memory = 0, reserved = 0, resident = 0;
  check(cudaGetDevice(&device));
  const auto get = [&](int& value, cudaDeviceAttr attribute) {
    check(cudaDeviceGetAttribute(&value, attribute, device));
  };
  get(processors, cudaDevAttrMultiProcessorCount);
  get(memory, cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  get(reserved, cudaDevAttrReservedSharedMemoryPerBlock);
  const std::int32_t levels = args.geometry.levels;
  const std::int32_t slots = slots_within<Set>(memory / blocks_of_processor - reserved, levels);
  const std::int32_t shared = EventLoop<Set>::shared_bytes(slots, levels);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, history_threads,
                                                      static_cast<std::size_t>(shared)));
  // More blocks than are resident at a time would find few particles left.
  const Index required = (args.threads + slots - 1) / slots;
  const Index useful = Index{processors} * resident;
  const auto blocks = static_cast<unsigned>(required < useful ? required : useful);
  kernel<<<blocks, history_threads, static_cast<std::size_t>(shared),
           static_cast<cudaStream_t>(stream)>>>(args, slots);
  check(cudaGetLastError());
}

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
