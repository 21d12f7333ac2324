#pragma once
// The kernel that transports the particles of a pass on a device.
//
// A lane of a warp whose particle has ended takes another one of the pass as soon as enough lanes
// wait for one, so that lanes wait neither for the longest history of the warp nor, at each end of
// a history, for the start of the next one. All lanes of a warp advance by one event at a time, and
// converge after it.

#include "kernels/transport/tracking/device/device_banks.hpp"
#include "kernels/transport/tracking/device/launch_histories.hpp"
#include "kernels/transport/tracking/history.hpp"

#if defined(__CUDACC__)

GSIM_TARGET_BEGIN
namespace transport_kernels {

inline constexpr int history_threads = 128;  ///< of a block
/// Number of lanes without a particle from which on a warp takes new particles.
inline constexpr int lanes_to_refill = 8;
/// Number of lanes at a collision from which on a warp completes collisions.
inline constexpr int lanes_to_collide = 16;

/// The particles of a pass on a device.
GSIM_HD PassItems items_of(const HistoriesArgs& args) {
  PassItems items;
  items.resumed = args.previous->suspended.count;
  items.banked = args.previous->secondaries.count;
  items.started = args.previous->started;
  items.starts =
      transport::new_histories_in_pass(items.resumed + items.banked, args.count - items.started);
  return items;
}

/// The transport of particles on the lanes of one warp.
template <class Set>
struct HistoryWarp {
  using Banks = DeviceBanks<Set>;
  History<Banks>& h;
  const PassItems& items;
  std::int64_t last = 0;  ///< number of flights at which the particle's pass ends

  /// Makes an item the particle of this lane, and prepares its first flight.
  __device__ Fate begin(Index item) {
    Fate fate = begin_item(h, items, item);
    if (fate != Fate::alive) return fate;
    if constexpr (Set::features.others) last = last_flight(h);
    if constexpr (Set::features.surface_tracking)
      return begin_surface_tracking(h);
    else
      return begin_delta_tracking(h);
  }
  /// Advances the particle of this lane to its next event.
  __device__ Fate advance() {
    const std::int64_t end = Set::features.others ? last : h.rules.max_flights;
    if (h.particle.flights >= end) return end_pass(h);
    if constexpr (Set::features.surface_tracking)
      return next_event_by_surfaces(h);
    else
      return next_event_by_majorant(h);
  }
  /// Completes the collision of the particle of this lane.
  __device__ Fate collide_here() {
    const std::int32_t material = h.banks.colliding_in;
    return complete_collision(h, material, *cross_sections(h, material));
  }
  /// Adds what an ended particle has scored to the sums of this thread.
  __device__ void end_particle() {
    score_k(h);
    h.particle.k = KContributions{};
    h.scores.flights += h.banks.flights;
    h.scores.collisions += h.banks.collisions;
    h.banks.flights = h.banks.collisions = 0;
  }
  /// Takes an item for each of the lanes in `waiting`; returns the first item.
  __device__ Index take(unsigned waiting) {
    unsigned long long first = 0;
    if (threadIdx.x % 32 == 0)
      first = atomicAdd(reinterpret_cast<unsigned long long*>(&h.args.lists->taken),
                        static_cast<unsigned long long>(__popc(waiting)));
    return static_cast<Index>(__shfl_sync(~0u, first, 0));
  }
  /// Gives the lanes in `waiting`, whose particles have ended, particles of the pass. Returns
  /// whether there are more of them.
  __device__ bool refill(unsigned waiting, Fate& fate) {
    const Index first = take(waiting), count = items.count();
    const unsigned before_lane = (1u << threadIdx.x % 32) - 1;
    if ((waiting >> threadIdx.x % 32 & 1) != 0) {
      end_particle();
      const Index item = first + __popc(waiting & before_lane);
      if (item < count) fate = begin(item);
    }
    return first + __popc(waiting) < count;
  }
  __device__ void run() {
    bool has_more = items.count() > 0;  // the same on all lanes
    Fate fate = Fate::absorbed;
    for (;;) {
      const unsigned flying = __ballot_sync(~0u, fate == Fate::alive);
      const unsigned colliding = __ballot_sync(~0u, fate == Fate::collides);
      const unsigned waiting = ~(flying | colliding);
      if (has_more && __popc(waiting) >= lanes_to_refill)
        has_more = refill(waiting, fate);
      else if (waiting == ~0u)
        break;
      __syncwarp();
      if constexpr (Banks::defers_collisions) {
        if (__popc(colliding) >= lanes_to_collide || flying == 0)
          if (fate == Fate::collides) fate = counted(collide_here());
        __syncwarp();
      }
      if (fate == Fate::alive) fate = counted(advance());
      __syncwarp();
    }
    end_particle();
  }
  /// Counts an event of the particle, unless a collision at its end is still to be completed.
  __device__ Fate counted(Fate fate) {
    if (fate == Fate::alive) ++h.particle.flights;
    return fate;
  }
};

template <class Set>
__global__ void __launch_bounds__(history_threads, 4)
    transport_histories(const __grid_constant__ HistoriesArgs args) {
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
  HistoryScores mine;
  DeviceBanks<Set> banks{args};
  CoordinatesOf<Set::features.levels> flight;
  History<DeviceBanks<Set>> history(args, banks, mine, args.tally_sinks, flight);
  HistoryWarp<Set>{history, items}.run();
  add_scores<Set>(*args.scores, mine);
}

template <class Set>
void launch_histories(const Executor& executor, const HistoriesArgs& args) {
  if (args.threads <= 0) return;
  void* const stream = executor.stream();
  const auto check = [&](cudaError_t error) {
    launching::check_launch("histories", static_cast<int>(error), stream);
  };
  const auto kernel = transport_histories<Set>;
  int device = 0, processors = 0, resident = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, history_threads, 0));
  // More blocks than are resident at a time would find few particles left.
  const Index required = (args.threads + history_threads - 1) / history_threads;
  const Index useful = Index{processors} * resident;
  const auto blocks = static_cast<unsigned>(required < useful ? required : useful);
  kernel<<<blocks, history_threads, 0, static_cast<cudaStream_t>(stream)>>>(args);
  check(cudaGetLastError());
}

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
