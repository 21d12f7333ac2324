#pragma once
// The particles of a block that wait for events: a set of slots for each event, in shared memory.
// Warps take slots out of the sets and put them back when they have executed the event.

#include "kernels/transport/tracking/device/particle_slots.hpp"

#if defined(__CUDACC__)

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Threads of a block, and the largest number of its particles.
inline constexpr int history_threads = 128;
inline constexpr int max_slots = 128;

/// Number of particles that have to wait for an event before a warp executes it, as long as other
/// warps may add some.
inline constexpr int min_waiting = 16;

/// Events of particles.
enum class Event : std::int32_t {
  start,      ///< a particle of the pass starts in a free slot
  collision,  ///< Fate::collides
  surface,    ///< Fate::reaches_surface
  element,    ///< Fate::reaches_element, or reaches_collision in delta tracking
  flight,     ///< Fate::alive: the last event was completed at once, and the next flight begins
  none
};
inline constexpr int events = static_cast<int>(Event::none);

GSIM_HD Event event_after(Fate fate) {
  switch (fate) {
    case Fate::alive:
      return Event::flight;
    case Fate::reaches_surface:
      return Event::surface;
    case Fate::reaches_element:
    case Fate::reaches_collision:
      return Event::element;
    case Fate::collides:
      return Event::collision;
    default:
      return Event::start;
  }
}

/// What a warp executes next: the event, and the slot of this lane; -1: none.
struct WarpTask {
  Event event;
  int slot;
};

struct EventQueues {
  static constexpr int words = max_slots / 32;
  static_assert(words == 4 && events * words <= 32);

  unsigned waiting[events][words];  ///< bit s of word w: slot 32 w + s waits
  std::uint8_t chosen[history_threads];
  std::int32_t slots;     ///< number of the block's particles
  std::int32_t has_more;  ///< whether the pass may have particles that no warp has taken

  static __device__ int lane() { return static_cast<int>(threadIdx.x % 32); }

  /// Makes `count` slots free. To be called by all threads, which then synchronise.
  __device__ void clear(std::int32_t count) {
    const auto n = static_cast<int>(threadIdx.x);
    if (n < events * words) {
      const int bits = n / words == static_cast<int>(Event::start) ? count - n % words * 32 : 0;
      waiting[n / words][n % words] = bits >= 32 ? ~0u : bits > 0 ? (1u << bits) - 1 : 0u;
    }
    if (n == 0) {
      slots = count;
      has_more = 1;
    }
  }

  /// Takes slots that wait for one event, at most 32. Returns Event::none where all slots are free
  /// and no particles are left. To be called by all lanes of a warp.
  __device__ WarpTask take() {
    for (;;) {
      // Read before the sets: if no particles were left then, free slots stay free.
      const bool may_start = *static_cast<volatile std::int32_t*>(&has_more);
      const int event = lane() / words;
      const unsigned mine =
          event < events ? static_cast<volatile unsigned*>(&waiting[0][0])[lane()] : 0;
      const bool is_possible = event != static_cast<int>(Event::start) || may_start;
      int count = __popc(mine);
      const auto in_slots = static_cast<int>(__reduce_add_sync(~0u, static_cast<unsigned>(count)));
      count += __shfl_xor_sync(~0u, count, 1);
      count += __shfl_xor_sync(~0u, count, 2);
      const unsigned best =
          __reduce_max_sync(~0u, is_possible ? static_cast<unsigned>(count * 32 + event) : 0u);
      const int most = static_cast<int>(best / 32), chosen_event = static_cast<int>(best % 32);
      if (most < min_waiting) {
        if (in_slots < slots) {  // other warps execute events
          __nanosleep(100);
          continue;
        }
        if (most == 0) return {Event::none, -1};
      }
      const int slot = claim(chosen_event, mine, most);
      if (__any_sync(~0u, slot >= 0)) return {static_cast<Event>(chosen_event), slot};
    }
  }
  /// Lets the slot that this lane has taken wait for an event; to be called after the particle has
  /// been written. The number of the slot is read again, so that it needs no register until then.
  __device__ void put_back(Event event) {
    const int slot = *static_cast<const volatile std::uint8_t*>(&chosen[threadIdx.x]);
    __threadfence_block();
    atomicOr(&waiting[static_cast<int>(event)][slot / 32], 1u << slot % 32);
  }

 private:
  /// Takes at most 32 slots out of the set of an event, of `count` ones that were in it; `mine` is
  /// the word that this lane has read.
  __device__ int claim(int event, unsigned mine, int count) {
    unsigned wanted = __shfl_sync(~0u, mine, event * words + lane() % words);
    if (count > 32) wanted = first_32(wanted);
    if (lane() < words) wanted &= atomicAnd(&waiting[event][lane()], ~wanted);
    __threadfence_block();
    std::uint8_t* const of_warp = chosen + threadIdx.x / 32 * 32;
    int before = 0;
    for (int w = 0; w < words; ++w) {
      const unsigned word = __shfl_sync(~0u, wanted, w);
      if ((word >> lane() & 1) != 0)
        of_warp[before + __popc(word & ((1u << lane()) - 1))] =
            static_cast<std::uint8_t>(32 * w + lane());
      before += __popc(word);
    }
    __syncwarp();
    return lane() < before ? of_warp[lane()] : -1;
  }
  /// The first 32 bits of the words in lanes 0, 1, …; each lane returns its word's.
  __device__ unsigned first_32(unsigned mine) {
    unsigned result = 0;
    int before = 0;
    for (int w = 0; w < words; ++w) {
      const unsigned word = __shfl_sync(~0u, mine, w);
      const int rank = before + __popc(word & ((1u << lane()) - 1));
      const unsigned first = __ballot_sync(~0u, (word >> lane() & 1) != 0 && rank < 32);
      if (lane() % words == w) result = first;
      before += __popc(word);
    }
    return result;
  }
};

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
