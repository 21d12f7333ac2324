#pragma once
// The histories of a batch: particles start from sources, or from the fission sites of the previous
// generation, and are transported until they leak or are absorbed. They may bank fission sites for
// the next generation.
//
// On a device histories run in passes. Blocks of threads transport particles of the pass event by
// event, and replace those that have ended (folder device). Secondaries, and as many new histories
// as there is capacity for, are the particles of the next pass. Where
// HistoryRules::flights_per_pass is positive, a particle that is alive after so many flights is
// appended to the list `suspended`, and continues in the next pass. Particles that migrate between
// ranks are suspended in the same way. The host starts several passes without waiting for the
// numbers of particles: each pass reads those of the previous one. Neither the length nor the order
// of passes affects a result: random number streams belong to histories, sums are in fixed point,
// sites and crossings are sorted.

#include <cstdint>
#include <limits>

#include "gsim/core/exact_sum.hpp"
#include "gsim/exec/launch.hpp"
#include "kernels/transport/collisions/capture.hpp"
#include "kernels/transport/geometry/geometry_view.hpp"
#include "kernels/transport/materials/material_view.hpp"
#include "kernels/transport/sources/sources.hpp"
#include "kernels/transport/tallies/tally_view.hpp"
#include "kernels/transport/tracking/domains.hpp"
#include "kernels/transport/tracking/particle.hpp"
#include "kernels/transport/variance_reduction/population.hpp"

namespace gsim::transport {

enum class Tracking : std::int32_t { surface, delta };

/// What becomes of fission neutrons.
enum class Fission : std::int32_t {
  absorbs,    ///< none are produced: fission is capture
  next,       ///< they are banked as the source of the next generation
  same_batch  ///< they are transported as secondaries of the same history
};

/// What histories start from.
enum class Start : std::int32_t {
  sites,     ///< fission sites, one per history
  sources,   ///< particles sampled from SourceView
  particles  ///< given particles, one per history, from a file or a plugin
};

/// The first of the lost particles: that of the lowest history and, within a history, of the lowest
/// position of its random number stream, which depends on the lineage only.
struct LostParticle {
  enum class Reason : std::int32_t {
    none,
    no_cell,               ///< no cell contains its position, or no surface bounds its flight
    no_start,              ///< its source found no admitted starting position
    too_many_flights,      ///< its flights exceeded HistoryRules::max_flights
    too_many_secondaries,  ///< its history exceeded HistoryRules::max_secondaries
    overlap                ///< two cells contain the position of its collision
  };
  Reason reason = Reason::none;
  std::int32_t cell = -1;             ///< its last cell
  std::int64_t history = INT64_MAX;   ///< INT64_MAX: nothing was lost
  std::uint64_t stream = UINT64_MAX;  ///< RandomState::position
  Vector3 position, direction;

  /// Whether it precedes `other` in the order above.
  GSIM_HD bool comes_before(const LostParticle& other) const {
    return history != other.history ? history < other.history : stream < other.stream;
  }
};

/// A device keeps only the lowest number of a history that lost a particle. That history is then
/// run again alone, twice, to find its first lost particle.
enum class Replay : std::int32_t {
  none,
  find_stream,   ///< find the lowest stream number of its lost particles
  find_particle  ///< find the lost particle with that stream number
};

/// Sums over the histories of a worker; weights in units of score_resolution.
struct alignas(64) HistoryScores {
  WideInteger k_collision = 0, k_absorption = 0, k_track_length = 0;  ///< of KContributions
  WideInteger leakage = 0;             ///< weight leaked through vacuum boundaries
  WideInteger timed_out = 0;           ///< weight at the time cutoff
  WideInteger fission_production = 0;  ///< weight of fission neutrons of the same batch
  std::int64_t collisions = 0;
  std::int64_t flights = 0;  ///< flights between boundaries and collisions
  std::int64_t secondaries = 0;
  std::int64_t lost = 0;
  std::int64_t too_many_secondaries = 0;  ///< lost for Reason::too_many_secondaries
  std::int64_t overlapping = 0;           ///< lost for Reason::overlap
  LostParticle first_lost;
};

struct HistoryRules {
  Tracking tracking = Tracking::surface;
  Capture capture = Capture::analog;
  Fission fission = Fission::next;
  std::int32_t is_timed = 0;  ///< 1: particles have times, since all materials have speeds
  /// Russian roulette: particles of weights below `cutoff` survive with the weight `survival`. Both
  /// are divided by the importance of the cell. Where there is a weight window, it applies instead.
  double cutoff = 0.25, survival = 1.0;
  /// Time at which particles end, s.
  double time_cutoff = std::numeric_limits<double>::infinity();
  /// A particle with more flights counts as lost, since nothing absorbs it.
  std::int64_t max_flights = 20000000;
  /// Number of lost particles after which a host thread runs no more histories if the first of them
  /// reached max_flights, since the run will be aborted.
  std::int64_t max_lost = INT64_MAX;
  /// Flights of a particle in one pass; 0: particles are transported to their ends in one pass.
  std::int64_t flights_per_pass = 0;
  /// A history with more secondaries counts as lost: its multiplication does not end.
  std::int64_t max_secondaries = 10000000;
  /// 1: every collision checks whether a second cell contains its position; if so, the particle is
  /// lost.
  std::int32_t checks_overlaps = 0;
  std::int32_t padding = 0;
};

/// Surfaces at which crossings are recorded, where they separate cells or are vacuum boundaries.
struct RecordedSurfaces {
  /// By surface: 1: crossings to its negative side, 2: to its positive side, 3: both, 0: none.
  /// Empty: nothing is recorded.
  View<const std::int32_t> sides;
  std::int32_t ends = 0;  ///< 1: recorded particles end at these surfaces
};

/// Largest number of particles for which a pass starts new histories, which limits the memory of
/// suspended particles; several times the number of threads that are resident on a device.
inline constexpr Index max_in_flight = Index{1} << 20;

/// Number of histories that a pass starts, of `remaining` ones, if it also resumes `resumed`
/// particles; positive if there are remaining histories and no resumed particles.
GSIM_HD constexpr Index new_histories_in_pass(Index resumed, Index remaining,
                                              Index max_particles = max_in_flight) {
  const Index free = max_particles > resumed ? max_particles - resumed : 0;
  return free < remaining ? free : remaining;
}

/// The particles of a pass, in this order: those that the last pass or another rank has suspended,
/// banked secondaries, new histories.
struct PassItems {
  Index resumed = 0, banked = 0, starts = 0;
  Index started = 0;  ///< number of histories of the batch that earlier passes have started
  GSIM_HD Index count() const { return resumed + banked + starts; }
};

/// The lists of a pass on a device: its particles that the next pass transports.
struct PassLists {
  GrowingList<BankedParticle> secondaries;
  GrowingList<SuspendedParticle> suspended;
  Index started = 0;  ///< number of histories of the batch that have been started so far
  Index taken =
      0;  ///< number of particles that warps have requested in this pass; may exceed those it has
  /// Whether a list was too short. Later passes then do nothing, and the batch is run again.
  GSIM_HD bool have_overflowed() const {
    return secondaries.count > secondaries.capacity || suspended.count > suspended.capacity;
  }
};

struct HistoriesArgs {
  GeometryView geometry;
  MaterialView materials;
  HistoryRules rules;
  VarianceReductionView variance_reduction;
  PhiloxKey key;  ///< stream_key(seed, Purpose::transport_history)
  Start start = Start::sites;
  Index count = 0;                 ///< number of histories to start
  std::int64_t first_history = 0;  ///< number of the first history; selects random number streams
  std::int64_t first_parent = 0;   ///< number of the first history in its generation
  View<const FissionSite> sites;
  View<const SourceParticle> particles;
  SourceView sources;
  double k = 1;  ///< divides fission yields where fission is Fission::next
  RecordedSurfaces recorded;
  /// On the host: number of histories in a chunk; the sites and crossings of a chunk are in one
  /// list each, in order. On a device all are in the first list, in any order.
  Index chunk_size = 256;
  GrowingList<FissionSite>* fission_sites = nullptr;
  GrowingList<CrossingRecord>* crossings = nullptr;
  GrowingList<BankedParticle>* secondaries = nullptr;  ///< one per worker; a device has one worker
  HistoryScores* scores = nullptr;                     ///< one per worker
  TallyView tallies;
  const TallySink* tally_sinks = nullptr;  ///< one per worker; null: no tallies
  /// This rank's domain. Particles that leave it are appended to `departures`, one list per worker;
  /// on a device its capacity is the number of particles of the pass.
  DomainView domains;
  GrowingList<SuspendedParticle>* departures = nullptr;
  GrowingList<SuspendedParticle>* suspended = nullptr;  ///< one per worker: for the next pass
  /// Particles of this pass beside the histories that it starts: those that have arrived from other
  /// ranks or were suspended by the last pass and, on a device, banked secondaries.
  View<const SuspendedParticle> resumed;
  View<const BankedParticle> banked;
  /// On a device: lists of the previous pass, which contain the numbers of elements of `resumed`
  /// and `banked`, and lists of this pass, of which `secondaries` and `suspended` are members.
  const PassLists* previous = nullptr;
  PassLists* lists = nullptr;
  Index threads = 0;  ///< on a device: number of threads that can be used at most
  Replay replay = Replay::none;
  std::uint64_t replayed_stream = 0;  ///< for Replay::find_particle
};

/// What successive passes on a device write, except for particles.
struct DevicePasses {
  static constexpr Index max_passes = 64;
  HistoryScores scores;  ///< sums over all passes
  GrowingList<FissionSite> fission_sites;
  GrowingList<CrossingRecord> crossings;
  GrowingList<SuspendedParticle> departures;
  /// The lists of pass p are lists[p + 1]; lists[0] are those of the last pass before.
  PassLists lists[max_passes + 1];
};

/// Prepares up to max_passes passes.
struct BeginPassesArgs {
  DevicePasses* state = nullptr;
  Index passes = 0;
  /// 1: the first passes of a batch or of a part of it. Scores are set to 0 then, and the lists of
  /// sites, crossings and departures to these.
  std::int32_t is_first = 0;
  std::int32_t padding = 0;
  GrowingList<FissionSite> fission_sites;
  GrowingList<CrossingRecord> crossings;
  GrowingList<SuspendedParticle> departures;
  PassLists before;  ///< DevicePasses::lists[0]
  PassLists
      empty[2];  ///< the lists of the first pass, which every second pass reuses, and the others
};

}  // namespace gsim::transport

GSIM_DECLARE_LAUNCHER(transport_histories, transport::HistoriesArgs)
GSIM_DECLARE_LAUNCHER(transport_begin_passes, transport::BeginPassesArgs)
