#pragma once
// Particles between two parts of their transport: in banks, as fission sites, at recorded surface
// crossings; and the lists that kernels append them to.

#include "gsim/core/types.hpp"
#include "gsim/math/vector3.hpp"
#include "gsim/transport/history_random.hpp"

namespace gsim::transport {

/// State of a flight under forced collisions (FlightBias).
struct FlightBiasState {
  std::int32_t has_entered_cell = 0;  ///< the particle has just entered its cell
  /// The distance to the next collision was sampled from a conditional distribution, and must not
  /// be sampled again before that collision.
  std::int32_t is_conditional = 0;
};

/// A particle in a bank: the state from which its transport continues on any rank, thread or
/// machine.
struct BankedParticle {
  Vector3 position, direction;
  double weight = 1;
  double time = 0;         ///< s
  double free_paths = -1;  ///< mean free paths to the next collision; negative: not yet sampled
  RandomState random;
  std::int32_t group = 0;
  std::int32_t cell = -1;  ///< innermost cell; -1: unknown
  /// Number of secondaries that it and its ancestors have produced. Used where the particles of a
  /// history are not all transported by one thread.
  std::int64_t secondaries = 0;
  FlightBiasState flight;
};
static_assert(sizeof(BankedParticle) <= 128);

/// Birth site of a fission neutron of an eigenvalue calculation, whose direction is isotropic.
struct FissionSite {
  Vector3 position;
  std::int64_t parent = 0;   ///< index of the parent's site in its generation
  std::uint64_t branch = 0;  ///< branch of the particle's random number stream (history_random.hpp)
  std::int32_t birth = 0;    ///< number of sites that the same particle has banked before
  std::int16_t group = 0;
  std::int16_t delayed_group = -1;  ///< -1: prompt
};
static_assert(sizeof(FissionSite) == 48);

/// The order of the sites of a generation: by parent site, by the particle of the parent's history
/// that caused the fission, and by birth within that particle. Sites of two particles whose
/// branches coincide are ordered by the bits of their other members, so that sites which compare
/// equal are identical.
GSIM_HD bool operator<(const FissionSite& a, const FissionSite& b) {
  if (a.parent != b.parent) return a.parent < b.parent;
  if (a.branch != b.branch) return a.branch < b.branch;
  if (a.birth != b.birth) return a.birth < b.birth;
  if (a.group != b.group) return a.group < b.group;
  if (a.delayed_group != b.delayed_group) return a.delayed_group < b.delayed_group;
  const double of_a[3] = {a.position.x, a.position.y, a.position.z};
  const double of_b[3] = {b.position.x, b.position.y, b.position.z};
  for (int axis = 0; axis < 3; ++axis) {
    const auto bits_a = __builtin_bit_cast(std::uint64_t, of_a[axis]);
    const auto bits_b = __builtin_bit_cast(std::uint64_t, of_b[axis]);
    if (bits_a != bits_b) return bits_a < bits_b;
  }
  return false;
}

/// A particle at a surface, in its state before the crossing.
struct CrossingRecord {
  Vector3 position, direction;
  double weight = 1;
  double time = 0;  ///< s
  /// State of its random number stream, and number of crossings recorded before this one since its
  /// transport started or was restored from a bank. Both together order the records of a history.
  RandomState random;
  std::int32_t order = 0;
  std::int32_t group = 0;
  std::int32_t half_space = -1;  ///< half-space that it enters
  std::int32_t padding = 0;
};

/// A list that kernels append to. On the host `grow` enlarges it and keeps its items, since kernels
/// cannot allocate. On a device `grow` is null; `count` is incremented beyond `capacity` there, and
/// is then the capacity that was needed.
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
/// Adds an item to the list and returns a reference to it.
template <class T>
T& append_item(transport::GrowingList<T>& list) {
  if (list.count == list.capacity) list.grow(list.owner, list);
  return list.items[list.count++];
}
template <class T>
void append(transport::GrowingList<T>& list, const T& item) {
  append_item(list) = item;
}
#endif

}  // namespace transport_kernels
GSIM_TARGET_END
