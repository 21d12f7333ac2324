#pragma once
// The histories of a batch: particles start from a source, or from the fission sites of the
// generation before, fly and collide until they leave or are absorbed, and may leave fission sites
// behind for the next generation.
//
// On a device histories run in passes. A thread follows its particle for HistoryRules::
// flights_a_pass flights at most; then it writes what is still alive into the list `survivors`, one
// after the other, and ends. The next pass has threads for those alone, for particles that they
// have made, and for as many new histories as there is room for. Without that the threads of a warp
// whose histories are over would wait for the longest one. S. P. Hamilton, S. R. Slattery and
// T. M. Evans (Ann. Nucl. Energy 113 (2018) 506) found such a history kernel, from which dead
// particles are filtered out now and then, ahead of event-based ones in multigroup transport.
// A survivor is what travels between ranks, too: a Migrant. Neither where passes end nor their
// order reaches a result: streams of random numbers belong to histories, sums are whole numbers,
// sites and crossings are sorted.

#include <cstdint>
#include <limits>

#include "gsim/core/exact_sum.hpp"
#include "gsim/exec/launch.hpp"
#include "kernels/transport/geometry/geometry_view.hpp"
#include "kernels/transport/materials/material_view.hpp"
#include "kernels/transport/sources/sources.hpp"
#include "kernels/transport/tallies/tally_view.hpp"
#include "kernels/transport/tracking/domains.hpp"
#include "kernels/transport/tracking/particle.hpp"
#include "kernels/transport/variance_reduction/population.hpp"

namespace gsim::transport {

enum class Tracking : std::int32_t { surface, delta };
enum class Capture : std::int32_t { analog, implicit };

/// Where the neutrons of fission go.
enum class Fission : std::int32_t {
  absorbs,    ///< nowhere: fission is capture
  next,       ///< into sites, from which the next generation starts
  same_batch  ///< on, as particles of their parent's history
};

/// What histories start from.
enum class Start : std::int32_t {
  sites,     ///< of fission, one each
  sources,   ///< sampled from SourceView
  particles  ///< given, as those of a file, one each
};

/// The first of the particles that were lost: by history; of one history by where the particle's
/// stream of random numbers stood, which follows from lineage alone.
struct LostParticle {
  enum class Reason : std::int32_t {
    none,
    no_cell,      ///< no cell where it came to, or no way on
    no_start,     ///< its source found no admitted place to start from
    endless,      ///< nothing ended its history
    multiplying,  ///< its history made more neutrons than are allowed
    overlap       ///< two cells hold the place where it collided
  };
  Reason reason = Reason::none;
  std::int32_t cell = -1;             ///< where it was last
  std::int64_t history = INT64_MAX;   ///< of nobody: all come before it
  std::uint64_t stream = UINT64_MAX;  ///< RandomState::position
  Vector3 position, direction;

  /// Whether it is to be told of in place of `other`.
  GSIM_HD bool comes_before(const LostParticle& other) const {
    return history != other.history ? history < other.history : stream < other.stream;
  }
};

/// A history that is run once more, alone, on a device, to learn which particle was lost first.
enum class Replay : std::int32_t {
  none,
  finds_stream,  ///< of the first one
  finds_place    ///< of the one of that stream
};

/// What a worker's histories add up to; weights in score_quantum.
struct alignas(64) HistoryScores {
  WideInteger k_collision = 0, k_absorption = 0, k_track_length = 0;  ///< LifeScores of all lives
  WideInteger leakage = 0;                                            ///< weight that left
  WideInteger timed_out = 0;                                          ///< weight at the time cutoff
  WideInteger bred = 0;  ///< weight of fission neutrons that go on in the same batch
  std::int64_t collisions = 0;
  std::int64_t flights = 0;  ///< ways flown between boundaries and collisions
  std::int64_t secondaries = 0;
  std::int64_t lost = 0;
  std::int64_t multiplying = 0;  ///< of the lost ones: for that reason
  std::int64_t overlapping = 0;  ///< likewise
  LostParticle first_lost;
};

struct HistoryRules {
  Tracking tracking = Tracking::surface;
  Capture capture = Capture::analog;
  Fission fission = Fission::next;
  std::int32_t is_timed = 0;  ///< whether time passes: all materials have speeds
  /// Weights below `cutoff` go on with `survival` or not at all (Russian roulette); both are
  /// divided by the importance of the cell. Where there is a weight window, it decides instead.
  double cutoff = 0.25, survival = 1.0;
  /// s: particles end there.
  double time_cutoff = std::numeric_limits<double>::infinity();
  /// Flights after which a particle counts as lost: nothing absorbs it.
  std::int64_t most_flights = 20000000;
  /// Lost particles of a thread on the host after which, where the first one flew so far, no more
  /// histories are run: the run is given up.
  std::int64_t most_lost = INT64_MAX;
  /// Flights after which a particle waits for the next pass; 0: it is followed to its end, in one
  /// pass; negative: what suits the executor.
  std::int64_t flights_a_pass = -1;
  /// Particles of one history after which it counts as lost: it multiplies without end.
  std::int64_t most_secondaries = 10000000;
  /// Whether each collision looks if a second cell holds its place, which ends the history.
  std::int32_t checks_overlaps = 0;
  std::int32_t padding = 0;
};

/// Whose crossings histories note: where they part cells, or are left through.
struct RecordedSurfaces {
  /// By surface: 1: those to its negative side, 2: to its positive one, 3: both, 0: none. Where it
  /// is empty nothing is noted.
  View<const std::int32_t> sides;
  std::int32_t ends = 0;  ///< particles end there
};

struct HistoriesArgs {
  GeometryView geometry;
  MaterialView materials;
  HistoryRules rules;
  PopulationView population;
  PhiloxKey key;  ///< stream_key(seed, Purpose::transport_history)
  Start start = Start::sites;
  Index count = 0;                 ///< histories
  std::int64_t first_history = 0;  ///< the first one's number: names its random numbers
  std::int64_t first_parent = 0;   ///< its number in the generation
  View<const Site> sites;
  View<const SourceParticle> particles;
  SourceView sources;
  double k = 1;  ///< fission yields are divided by it where fission is `next`
  RecordedSurfaces recorded;
  /// On the host: histories of a chunk, whose sites and crossings stand in one list each, in order.
  /// On a device all are in the first list, in any order.
  Index chunk_size = 256;
  GrowingList<Site>* fission_sites = nullptr;
  GrowingList<CrossingRecord>* crossings = nullptr;
  GrowingList<ParticleRecord>* secondaries = nullptr;  ///< one for each worker; on a device one
  HistoryScores* scores = nullptr;                     ///< likewise
  TallyView tallies;
  const TallySink* tally_sinks = nullptr;  ///< likewise; null: no tallies
  /// This rank's part of space. Particles that leave it stand in the lists `migrants`, one for each
  /// worker; on a device one, whose room is that of the particles of a pass.
  DomainView domains;
  GrowingList<Migrant>* migrants = nullptr;
  GrowingList<Migrant>* survivors = nullptr;  ///< likewise: of the pass, if it ends before them
  /// What a pass goes on with beside the histories that it starts: particles that have come from
  /// other ranks or that have survived a pass; and, on a device, those that others have made.
  View<const Migrant> arrivals;
  View<const ParticleRecord> continued;
  Replay replay = Replay::none;
  std::uint64_t replayed_stream = 0;  ///< for Replay::finds_place
};

}  // namespace gsim::transport

GSIM_DECLARE_LAUNCHER(transport_histories, transport::HistoriesArgs)
