#pragma once
// A particle between two parts of its life, and the lists that histories leave particles in.

#include "gsim/core/types.hpp"
#include "gsim/transport/history_random.hpp"
#include "gsim/transport/vector3.hpp"

namespace gsim::transport {

/// What forced collisions make of a flight (FlightBias).
struct FlightState {
  std::int32_t enters = 0;  ///< the particle has just come into its cell
  /// Where it collides next is drawn under a condition: it must not be drawn again before.
  std::int32_t is_committed = 0;
};

/// All that is needed to go on with a particle, on any rank, thread or machine.
struct ParticleRecord {
  Vector3 position, direction;
  double weight = 1;
  double time = 0;         ///< s
  double free_paths = -1;  ///< left of its flight; negative: to be drawn
  RandomState random;
  std::int32_t group = 0;
  std::int32_t cell = -1;  ///< where known: the innermost one
  /// Particles that its line of ancestors has made up to it, where one place alone does not see all
  /// particles of a history.
  std::int64_t made = 0;
  FlightState flight;
};
static_assert(sizeof(ParticleRecord) <= 128);

/// Where a neutron of an eigenvalue calculation starts, in an isotropic direction, and where it
/// stands in the order of its generation: by parent, by the particle of the parent's history that
/// left it, and by birth among that particle's.
struct Site {
  Vector3 position;
  std::int64_t parent = 0;   ///< number of the parent's site in its generation
  std::uint64_t branch = 0;  ///< of the particle's random numbers, which names it
  std::int32_t birth = 0;
  std::int16_t group = 0;
  std::int16_t delayed_group = -1;  ///< -1: prompt
};
static_assert(sizeof(Site) == 48);

constexpr bool operator<(const Site& a, const Site& b) {
  if (a.parent != b.parent) return a.parent < b.parent;
  return a.branch != b.branch ? a.branch < b.branch : a.birth < b.birth;
}

/// A particle where it crosses a surface, as it is before.
struct CrossingRecord {
  Vector3 position, direction;
  double weight = 1;
  double time = 0;  ///< s
  /// Where its stream stands, and how many crossings were noted of it since it was last taken up.
  RandomState random;
  std::int32_t order = 0;
  std::int32_t group = 0;
  std::int32_t half_space = -1;  ///< that it enters
  std::int32_t padding = 0;
};

/// A list that kernels append to. On the host `grow` makes room, keeping what is there: kernels
/// cannot allocate. On a device it is null; then `count` goes on where there is no room.
template <class T>
struct GrowingList {
  T* items = nullptr;
  Index capacity = 0;
  Index count = 0;
  void (*grow)(void* owner, GrowingList& list) = nullptr;
  void* owner = nullptr;
};

}  // namespace gsim::transport

GSIM_TARGET_BEGIN
namespace transport_kernels {

#if !defined(__CUDACC__)
/// The place of one more item.
template <class T>
T& next_in(transport::GrowingList<T>& list) {
  if (list.count == list.capacity) list.grow(list.owner, list);
  return list.items[list.count++];
}
template <class T>
void append(transport::GrowingList<T>& list, const T& item) {
  next_in(list) = item;
}
#endif

}  // namespace transport_kernels
GSIM_TARGET_END
