#pragma once
// The transport of the particles of a block, event by event.
//
// Each slot of the block holds a particle that waits for its next event, such as a crossing or a
// collision, or is free and waits for a particle to start. A warp executes the event for which most
// slots wait, one slot on each lane, and advances the particles to their next events.

#include "kernels/transport/tracking/device/device_banks.hpp"
#include "kernels/transport/tracking/device/event_queues.hpp"
#include "kernels/transport/tracking/history.hpp"

#if defined(__CUDACC__)

GSIM_TARGET_BEGIN
namespace transport_kernels {

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

/// The shared memory of a block.
struct BlockMemory {
  alignas(64) char scores[sizeof(HistoryScores)];
  EventQueues queues;
  alignas(8) char slots[8];  ///< the first of the block's slots
};

template <class Set>
struct EventLoop {
  static constexpr HistoryFeatures features = Set::features;
  using Banks = DeviceBanks<Set>;
  using Particle = ParticleOf<features.levels>;

  const HistoriesArgs& args;

  static __device__ BlockMemory& memory() {
    extern __shared__ __align__(64) char shared_memory[];
    return *reinterpret_cast<BlockMemory*>(shared_memory);
  }
  static __device__ HistoryScores& scores() {
    return *reinterpret_cast<HistoryScores*>(memory().scores);
  }
  __device__ Particle& slot(int number) const {
    return *reinterpret_cast<Particle*>(memory().slots +
                                        number * slot_stride<features>(args.geometry.levels));
  }
  /// Bytes of shared memory of a block with `slots` particles, for a geometry of so many levels.
  static GSIM_HD std::int32_t shared_bytes(std::int32_t slots, std::int32_t levels) {
    return static_cast<std::int32_t>(offsetof(BlockMemory, slots)) +
           slots * slot_stride<features>(levels);
  }

  /// Transports the particles of the pass, at most `slots` at a time. To be called by all threads
  /// of a block, which then find its scores in scores().
  __device__ void run(std::int32_t slots) {
    const auto thread = static_cast<int>(threadIdx.x);
    EventQueues& queues = memory().queues;
    queues.clear(slots);
    if (thread < slots) slot(thread).k = KContributions{};
    if (thread == 0) scores() = HistoryScores{};
    __syncthreads();
    for (;;) {
      const WarpTask task = queues.take();
      if (task.event == Event::none) break;
      const Index item = task.event == Event::start ? next_item(task.slot >= 0) : 0;
      if (task.slot >= 0) queues.put_back(event_after(execute(task.event, slot(task.slot), item)));
      __syncwarp();
    }
    __syncthreads();
    if (thread < slots) end_particle(slot(thread));
    __syncthreads();
  }

  /// Takes a particle of the pass for each lane that wants one, and returns its number; numbers
  /// from PassItems::count() on are none. To be called by all lanes of a warp.
  __device__ Index next_item(bool wants) {
    const unsigned lanes = __ballot_sync(~0u, wants);
    const int wanted = __popc(lanes);
    unsigned long long first = 0;
    if (threadIdx.x % 32 == 0) {
      first = atomicAdd(reinterpret_cast<unsigned long long*>(&args.lists->taken),
                        static_cast<unsigned long long>(wanted));
      if (static_cast<Index>(first) + wanted >= items_of(args).count())
        atomicExch(&memory().queues.has_more, 0);
    }
    first = __shfl_sync(~0u, first, 0);
    return static_cast<Index>(first) + __popc(lanes & ((1u << threadIdx.x % 32) - 1));
  }

  /// Executes the event of a particle, and advances it to the next one.
  __device__ Fate execute(Event event, Particle& particle, Index item) {
    History<Banks> h(args, Banks{args}, scores(), args.tally_sinks, particle);
    Fate fate = Fate::absorbed;
    if (event == Event::start) {
      end_particle(particle);
      const PassItems items = items_of(args);
      if (item < items.count()) fate = begin(h, items, item);
    } else {
      fate = converged(complete(h, event));
      if (fate == Fate::alive) ++h.particle.flights;
    }
    return converged(fate) == Fate::alive ? advance(h) : fate;
  }
  /// Adds the contributions to k of a particle that has ended to the scores.
  __device__ void end_particle(Particle& particle) {
    History<Banks> h(args, Banks{args}, scores(), args.tally_sinks, particle);
    score_k(h);
    particle.k = KContributions{};
  }
  /// Makes an item of the pass the particle of a slot, and prepares its first flight.
  __device__ Fate begin(History<Banks>& h, const PassItems& items, Index item) {
    const Fate fate = begin_item(h, items, item);
    if (fate != Fate::alive) return fate;
    h.particle.last_flight = last_flight(h);
    if constexpr (features.surface_tracking)
      return begin_surface_tracking(h);
    else
      return begin_delta_tracking(h);
  }
  /// Completes the event that a particle waits for.
  __device__ Fate complete(History<Banks>& h, Event event) {
    if constexpr (features.surface_tracking) {
      if (event == Event::collision)
        return complete_collision(h, h.particle.colliding_in, *colliding_with(h));
      if (features.others && event == Event::flight) return Fate::alive;
      return complete_crossing(h);
    } else {
      if (event == Event::collision)
        return complete_real_collision(h, h.particle.colliding_in, *colliding_with(h));
      return event == Event::element ? complete_possible_collision(h) : complete_outer_crossing(h);
    }
  }
  __device__ const GroupData* colliding_with(const History<Banks>& h) {
    return cross_sections(h, h.particle.colliding_in);
  }
  /// Advances a particle to its next event.
  __device__ Fate advance(History<Banks>& h) {
    if (h.particle.flights >= h.particle.last_flight) return end_pass(h);
    if constexpr (features.surface_tracking)
      return next_event_by_surfaces(h);
    else
      return next_event_by_majorant(h);
  }
};

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
