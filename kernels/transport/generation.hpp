#pragma once
// The histories of a generation: neutrons start from sites, fly and collide until they leave or are
// absorbed, and leave the sites of the next generation behind.

#include <cstdint>

#include "gsim/core/exact_sum.hpp"
#include "gsim/exec/launch.hpp"
#include "kernels/transport/geometry/geometry_view.hpp"
#include "kernels/transport/history_random.hpp"
#include "kernels/transport/materials.hpp"

namespace gsim::transport {

/// Where a neutron starts, in an isotropic direction, and where it stands in the order of its
/// generation: by parent, and by birth among the sites of one parent.
struct Site {
  Vector3 position;
  std::int64_t parent = 0;  ///< number of the parent's site in its generation
  std::int32_t birth = 0;
  std::int16_t group = 0;
  std::int16_t delayed_group = -1;  ///< -1: prompt
};
static_assert(sizeof(Site) == 40);

/// Sites that the histories of one chunk leave, in their order.
struct SiteChunk {
  Site* sites = nullptr;
  Index capacity = 0;
  Index count = 0;
};

enum class Tracking : std::int32_t { surface, delta };
enum class Capture : std::int32_t { analog, implicit };

/// The first of the particles that were lost, by history.
struct LostParticle {
  enum class Reason : std::int32_t { none, no_cell, endless };
  Reason reason = Reason::none;
  std::int32_t cell = -1;  ///< where it was last
  std::int64_t history = 0;
  Vector3 position, direction;
};

/// What a worker's histories add up to; weights in score_quantum.
struct alignas(64) HistoryScores {
  WideInteger k_collision = 0;     ///< w nu_fission / total at collisions
  WideInteger k_absorption = 0;    ///< absorbed w nu_fission / absorption
  WideInteger k_track_length = 0;  ///< w nu_fission times the way flown
  WideInteger leakage = 0;         ///< weight that left
  std::int64_t collisions = 0;
  std::int64_t flights = 0;  ///< ways flown between boundaries and collisions
  std::int64_t lost = 0;
  LostParticle first_lost;
};

struct HistoryRules {
  Tracking tracking = Tracking::surface;
  Capture capture = Capture::analog;
  /// Weights below `cutoff` go on with `survival` or not at all (Russian roulette).
  double cutoff = 0.25, survival = 1.0;
  /// Flights after which a history counts as lost: nothing absorbs it.
  std::int64_t most_flights = 100000000;
};

struct GenerationArgs {
  GeometryView geometry;
  MaterialView materials;
  HistoryRules rules;
  PhiloxKey key;                   ///< stream_key(seed, transport_history)
  View<const Site> source;         ///< of this rank
  std::int64_t first_history = 0;  ///< of source[0]; its number in the generation is first_parent
  std::int64_t first_parent = 0;
  double k = 1;  ///< sites per neutron are divided by it
  /// On the host: histories of a chunk, and a chunk each; `grow` makes room for `capacity` sites,
  /// keeping those that are there. On a device: one chunk of all, which is not grown; sites come in
  /// any order, and count goes on where there is no room.
  Index chunk_size = 256;
  SiteChunk* chunks = nullptr;
  void (*grow)(void* owner, Index chunk, Index capacity) = nullptr;
  void* owner = nullptr;
  HistoryScores* scores = nullptr;  ///< one for each worker; on a device one
};

}  // namespace gsim::transport

GSIM_DECLARE_LAUNCHER(transport_generation, transport::GenerationArgs)
