#pragma once
// The state of a history: the particle that is being transported, and the data that its events read
// and write. Events are functions of it (surface_tracking.hpp, delta_tracking.hpp, collide.hpp, …).

#include "gsim/transport/noinline.hpp"
#include "kernels/transport/geometry/geometry.hpp"
#include "kernels/transport/tallies/exact_score.hpp"
#include "kernels/transport/tracking/features.hpp"
#include "kernels/transport/tracking/histories.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::BankedParticle;
using transport::CrossingRecord;
using transport::FissionSite;
using transport::GroupData;
using transport::HistoriesArgs;
using transport::HistoryFeatures;
using transport::HistoryRules;
using transport::HistoryScores;
using transport::KContributions;
using transport::LostParticle;
using transport::PassItems;
using transport::SuspendedParticle;
using transport::TallySink;

/// The outcome of an event for the particle. From `absorbed` on its transport in this pass has
/// ended.
enum class Fate : std::int32_t {
  alive,
  // Where events are deferred (History): what is to be completed.
  reaches_collision,  ///< delta tracking: the next event is a possible collision
  reaches_surface,    ///< the next event is the crossing of a surface
  reaches_element,    ///< surface tracking: the next event is the crossing into a lattice element
  collides,           ///< at its collision
  absorbed,
  killed,       ///< by Russian roulette, or in a cell of importance 0
  leaked,       ///< through a vacuum boundary
  recorded,     ///< at a surface that records particles and ends them
  time_cutoff,  ///< reached the time cutoff
  left_domain,  ///< continues on another rank
  banked,       ///< continues in the next pass
  lost          ///< no cell was found, or a limit was exceeded (LostParticle::Reason)
};

/// Whether the particle has ended or waits for a deferred event; marked as unlikely for the
/// compiler, since a particle has many events.
GSIM_HD bool has_ended(Fate fate) {
  return __builtin_expect(converged(fate) != Fate::alive ? 1 : 0, 0) != 0;
}

template <int levels>
struct ParticleOf {
  HistoryRandom random;
  Vector3 direction;
  double weight = 1;
  double time = 0;         ///< s
  double free_paths = -1;  ///< mean free paths to the next collision; negative: not yet sampled
  /// With domains: path up to which this flight is tallied; negative: no part of it is.
  double tallied_to = -1;
  double track_start = 0;  ///< path at which the track begins that whole-track tallies score next
  KContributions k;
  Boundary outer_boundary;       ///< delta tracking: the next outer surface on this flight
  std::int64_t secondaries = 0;  ///< particles that this history has banked
  std::int64_t flights = 0;      ///< flights of this particle; each ends in an event
  std::int64_t last_flight = 0;  ///< on a device: number of flights at which its pass ends
  std::int32_t group = 0;
  std::int32_t colliding_in = -1;  ///< where events are deferred: the material of its collision
  /// Numbers of fission sites and surface crossings that this particle has banked and recorded.
  std::int32_t fission_sites = 0, recorded_crossings = 0;
  /// With the exponential transform: the total cross section minus the one that free paths are
  /// sampled from, 1/cm. The weight is multiplied by exp(-weight_attenuation s) along a path s.
  double weight_attenuation = 0;
  transport::FlightBiasState flight;  ///< of forced collisions
  std::int32_t cell = -1;             ///< the innermost cell, for importances; -1: unknown
  bool continues_flight = false;      ///< restored between two events of a flight
  /// The last member: on a device a particle has memory for the levels of the geometry only.
  CoordinatesOf<levels> coordinates;

  GSIM_HD explicit ParticleOf(PhiloxKey key) : random(key, 0) {}
};

/// A history on one thread. `Banks::features` are its HistoryFeatures. `Banks` holds the lists that
/// it adds to:
///   add_fission_site(site), record_crossing(crossing),
///   push_secondary(particle), pop_secondary(particle) -> whether there was one,
///   send_to_owner(particle): to the rank that owns the domain ahead,
///   bank_for_next_pass() -> SuspendedParticle*, to be filled,
///   count_flight(scores), count_collision(scores), count_secondary(scores): count an event of
///   HistoryScores,
///   defers_events: whether the caller completes events, which Fate names,
///   transports_secondaries: whether this thread transports all particles of a history, one after
///   the other, as long as there is one domain and one pass.
template <class Banks>
struct History {
  static constexpr HistoryFeatures features = Banks::features;
  using Particle = ParticleOf<features.levels>;

  const HistoriesArgs& args;
  const HistoryRules& rules;
#if defined(__CUDACC__)
  Banks banks;
#else
  Banks& banks;
#endif
  HistoryScores& scores;
  const TallySink* sink;  ///< tallies are added here; null: there are no tallies
#if defined(__CUDACC__)
  Particle&
      particle;  ///< one of those that the threads of a warp share (device/particle_slots.hpp)

  GSIM_HD History(const HistoriesArgs& arguments, const Banks& lists, HistoryScores& sums,
                  const TallySink* tallies, Particle& current)
      : args(arguments),
        rules(arguments.rules),
        banks(lists),
        scores(sums),
        sink(tallies),
        particle(current) {}
#else
  Particle particle;

  History(const HistoriesArgs& arguments, Banks& lists, HistoryScores& sums,
          const TallySink* tallies)
      : args(arguments),
        rules(arguments.rules),
        banks(lists),
        scores(sums),
        sink(tallies),
        particle(arguments.key) {}
#endif
};

/// How functions that are not inlined receive a history, which they may change: by reference on
/// hosts and by value on devices, where it consists of references (Argument, noinline.hpp).
#if defined(__CUDACC__)
template <class Banks>
using HistoryArgument = History<Banks>;
#else
template <class Banks>
using HistoryArgument = History<Banks>&;
#endif

template <int levels>
GSIM_HD std::int32_t innermost_cell(const ParticleOf<levels>& p) {
  if constexpr (levels == 1)
    return -1;
  else
    return p.coordinates.level[p.coordinates.depth - 1].cell;
}
template <int levels>
GSIM_HD Vector3 position_of(const ParticleOf<levels>& p) {
  return position_of(p.coordinates);
}

/// Whether a run uses a feature; constants where it is absent.
template <class Banks>
GSIM_HD bool tracks_surfaces(const History<Banks>& h) {
  return !Banks::features.delta_tracking ||
         (Banks::features.surface_tracking && h.rules.tracking == transport::Tracking::surface);
}
template <class Banks>
GSIM_HD bool has_times(const History<Banks>& h) {
  return Banks::features.times && h.rules.is_timed != 0;
}
template <class Banks>
GSIM_HD bool has_tallies(const History<Banks>& h) {
  return Banks::features.tallies && h.sink != nullptr;
}
template <class Banks>
GSIM_HD bool has_domains(const History<Banks>& h) {
  return Banks::features.others && h.args.domains.cuts.size != 0;
}
template <class Banks>
GSIM_HD bool has_passes(const History<Banks>& h) {
  return Banks::features.others && h.rules.flights_per_pass > 0;
}
template <class Banks>
GSIM_HD bool has_windows(const History<Banks>& h) {
  return Banks::features.others && h.args.variance_reduction.windows.lower.size != 0;
}
template <class Banks>
GSIM_HD bool has_importances(const History<Banks>& h) {
  return Banks::features.others && h.args.variance_reduction.importance.size != 0;
}
template <class Banks>
GSIM_HD bool has_biases(const History<Banks>& h) {
  return Banks::features.others && h.args.variance_reduction.biases.size != 0;
}
template <class Banks>
GSIM_HD bool has_detectors(const History<Banks>& h) {
  return Banks::features.others && h.args.tallies.detectors.size != 0;
}
template <class Banks>
GSIM_HD bool has_recorded_surfaces(const History<Banks>& h) {
  return Banks::features.others && h.args.recorded.sides.size != 0;
}

/// Cross sections of a material in the particle's group; null in void.
template <class Banks>
GSIM_HD const GroupData* cross_sections(const History<Banks>& h, std::int32_t material) {
  return material < 0 ? nullptr : &group_data(h.args.materials, material, h.particle.group);
}
/// The speed of particles of a group, cm/s. `xs`: the cross sections of the current material; null
/// in void and in delta tracking.
GSIM_HD double speed_of(const HistoriesArgs& args, std::int32_t group, const GroupData* xs) {
  return xs != nullptr ? xs->speed : args.materials.void_speed[group];
}
/// The particle's speed.
template <class Banks>
GSIM_HD double speed_of(const History<Banks>& h, const GroupData* xs) {
  return speed_of(h.args, h.particle.group, xs);
}
/// Whether this thread transports all particles of a history (Banks::transports_secondaries).
template <class Banks>
GSIM_HD bool transports_whole_history(const History<Banks>& h) {
  return Banks::transports_secondaries && !has_domains(h) && !has_passes(h);
}

}  // namespace transport_kernels
GSIM_TARGET_END
