#pragma once
// Event-based tracking on hosts (F. B. Brown, W. R. Martin, Prog. Nucl. Energy 14 (1984) 269): the
// particles of a batch take their flights together, in the lanes of packs; those that collide or
// reach a surface are listed, and then processed together, too. Particles whose next event cannot
// be computed in lanes are advanced one by one, by the functions for one particle. Results, and the
// order of draws, are those of one history after the other.

#include "kernels/transport/tracking/events/collision_lanes.hpp"
#include "kernels/transport/tracking/events/whole_tracks.hpp"
#include "kernels/transport/tracking/history.hpp"

#if !defined(__CUDACC__)

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// What both kinds of tracking have in common. `Supply::next(history)` returns the number of the
/// next history of the pass, or -1. `Events` derives from this class and has
///   begin(): prepares the first flight of the current particle of the history -> Fate,
///   next_event(): advances it to its next event -> Fate,
///   begin_at(at, x, d, used): the same for the lanes `used` -> those that could be prepared,
///   fly(): advances all particles, and lists those that collide and those that have ended,
///   start_after_collision(at, x, d): starts flights at x along d;
/// and for its batch load_particle(), store_particle() and copy_particle().
template <class Banks, class Batch, class Events>
class EventLoop {
 public:
  GSIM_HD int count() const { return count_; }

  /// Gives the places of particles that have ended, and those that are free, to new histories, as
  /// long as there are any.
  template <class Supply>
  void refill(Supply& supply) {
    for (; count_ < Batch::particles; ++count_) ended_.add(count_);
    const int begun = h_.args.start == transport::Start::sites ? begin_at_sites(supply)
                                                               : begin_one_by_one(supply);
    remove_ended_from(begun);
  }

  /// Takes all particles to their next events, and lists those that have ended.
  GSIM_HD void advance() {
    colliding_.count = ended_.count = 0;
    h_.scores.flights += count_;
    events().fly();
    collide_all();
    ++round_;
    if (round_ - first_of_oldest_ >= h_.rules.max_flights) end_oldest();
    for (int i = 0; i < ended_.count; ++i) {
      const int place = ended_.place[i];
      add_score(h_.scores.k_collision, b_.k_collision[place]);
      add_score(h_.scores.k_absorption, b_.k_absorption[place]);
      add_score(h_.scores.k_track_length, b_.k_track_length[place]);
    }
  }

 protected:
  explicit GSIM_HD EventLoop(History<Banks>& history) : h_(history) {}

  GSIM_HD void put(int place) { store_particle(h_, b_, place, round_); }
  GSIM_HD void load(int place) { load_particle(h_, b_, place, round_); }
  /// Puts the particle of the history back after its event.
  GSIM_HD void keep(int place, Fate fate) {
    if (has_ended(fate)) {
      store_flight(h_, b_, place, round_);
      ended_.add(place);
    } else {
      put(place);
    }
  }
  /// Takes a particle to its next event by the functions for one particle.
  GSIM_TRANSPORT_NOINLINE void advance_one(int place) {
    load(place);
    --h_.scores.flights;  // counted again
    keep(place, events().next_event());
  }
  /// The lanes of particles in the pack from place i on.
  GSIM_HD Lanes used_from(int i) const { return mask_from_bits<Reals>(first_lanes(count_ - i)); }
  GSIM_HD void leak(int place) {
    add_score(h_.scores.leakage, b_.weight[place]);
    ended_.add(place);
  }
  /// Ends the tracks of whole-track tallies of particles at the path lengths end[place].
  GSIM_TRANSPORT_NOINLINE void end_tracks(PlaceList& list, const double* end) {
    list.fill_last_pack();
    transport_kernels::end_tracks(h_, b_, list, end);
  }

  History<Banks>& h_;
  Batch b_{};
  int count_ = 0;  ///< number of particles, which are in the first places
  PlaceList colliding_, ended_;
  std::int64_t round_ = 0;  ///< flights of the batch

 private:
  GSIM_HD Events& events() { return static_cast<Events&>(*this); }

  /// Starts history `i` and prepares its first flight. False: it has ended.
  bool begin_history(Index i) {
    Fate fate = start_history(h_, i);
    if (!has_ended(fate)) fate = events().begin();
    if (!has_ended(fate)) return true;
    score_k(h_);
    return false;
  }
  /// Makes the next history that does not end at its start the current one. False: there is none.
  template <class Supply>
  bool begin_next(Supply& supply) {
    for (Index i = supply.next(h_); i >= 0; i = supply.next(h_))
      if (begin_history(i)) return true;
    return false;
  }
  /// Starts histories in the first ended_ places; returns their number.
  template <class Supply>
  int begin_one_by_one(Supply& supply) {
    int begun = 0;
    for (; begun < ended_.count && begin_next(supply); ++begun) put(ended_.place[begun]);
    return begun;
  }
  template <class Supply>
  int begin_at_sites(Supply& supply) {
    starting_.count = one_by_one_.count = 0;
    int begun = 0;
    for (; begun < ended_.count; ++begun) {
      const Index i = supply.next(h_);
      if (i < 0) break;
      const transport::FissionSite& site = h_.args.sites[i];
      const int place = ended_.place[begun];
      put_vector(b_.origin, place, site.position);
      b_.group[place] = site.group;
      b_.history[place] = static_cast<std::uint64_t>(h_.args.first_history + i);
      starting_.add(place);
    }
    starting_.fill_last_pack();
    for (int k = 0; k < starting_.count; k += lanes) start_pack(k);
    for (int k = 0; k < one_by_one_.count; ++k) {
      const int place = one_by_one_.place[k];
      const Index i = static_cast<Index>(b_.history[place]) - h_.args.first_history;
      if (begin_history(i) || begin_next(supply))
        put(place);
      else
        ended_.add(place);
    }
    return begun;
  }
  /// Starts histories at the sites in their places.
  GSIM_TRANSPORT_NOINLINE void start_pack(int first) {
    const PlacesOf at(starting_.place + first);
    const unsigned used = starting_.used(first);
    const Reals zero(0.0);
    const Lanes all = zero == zero;
    HistoryRandomLanes<Reals, 2> random(h_.args.key, at.words(b_.history), Words(0));
    const Reals mu = fma(Reals(2.0), random.uniform(all), Reals(-1.0));
    const Positions direction = direction_from<Positions>(mu, random.uniform(all));
    at.put(b_.free_paths, free_paths_from(random.uniform(all)));
    at.put(b_.random_position, random.position());
    at.put(b_.weight, Reals(1.0));
    at.put(b_.k_collision, zero);
    at.put(b_.k_absorption, zero);
    at.put(b_.k_track_length, zero);
    at.put(b_.fission_sites, zero);
    at.put(b_.stalled, zero);
    at.put(b_.first_flight, round_);
    const unsigned begun = events().begin_at(at, at.vectors(b_.origin), direction, used);
    for (unsigned bits = used & ~begun; bits != 0; bits &= bits - 1)
      one_by_one_.add(at.place(__builtin_ctz(bits)));
  }
  /// Removes the ended particles from number `first` on.
  GSIM_HD void remove_ended_from(int first) {
    if (first == ended_.count) return;
    bool is_removed[Batch::particles] = {};
    for (int i = first; i < ended_.count; ++i) is_removed[ended_.place[i]] = true;
    for (int i = 0; i < count_; ++i) {
      while (count_ > i && is_removed[count_ - 1]) --count_;
      if (i < count_ && is_removed[i]) copy_particle(b_, i, --count_);
    }
  }
  /// Ends the particles whose flights are too many.
  GSIM_TRANSPORT_NOINLINE void end_oldest() {
    bool has_ended_already[Batch::particles] = {};
    for (int i = 0; i < ended_.count; ++i) has_ended_already[ended_.place[i]] = true;
    first_of_oldest_ = round_;
    for (int i = 0; i < count_; ++i) {
      const std::int64_t first = b_.first_flight[i];
      if (has_ended_already[i]) continue;
      if (round_ - first >= h_.rules.max_flights) {
        load(i);
        keep(i, end_pass(h_));
      } else if (first < first_of_oldest_) {
        first_of_oldest_ = first;
      }
    }
  }

  GSIM_HD void collide_all() {
    h_.scores.collisions += colliding_.count;
    if (has_tallies(h_)) end_tracks(colliding_, b_.path);
    if (h_.rules.checks_overlaps != 0) check_overlaps();
    colliding_.fill_last_pack();
    for (int i = 0; i < colliding_.count; i += lanes) collide_pack(i);
  }
  /// Ends the colliding particles that are in two cells.
  GSIM_TRANSPORT_NOINLINE void check_overlaps() {
    int kept = 0;
    for (int i = 0; i < colliding_.count; ++i) {
      const int place = colliding_.place[i];
      load(place);
      const Fate fate = check_overlap(h_);
      if (has_ended(fate))
        keep(place, fate);
      else
        colliding_.place[kept++] = place;
    }
    colliding_.count = kept;
  }
  GSIM_TRANSPORT_NOINLINE void collide_pack(int first) {
    CollisionLanes c(h_.args, b_, colliding_, first);
    const Positions x = along(c.at.vectors(b_.origin), c.at.reals(b_.path), c.direction);
    const Lanes is_scattered = collide(h_, b_, c, x);
    events().start_after_collision(c, x);
    c.at.put(b_.stalled, Reals(0.0));
    c.at.put(b_.weight, c.weight);
    c.at.put(b_.k_collision, c.k_collision);
    c.at.put(b_.k_absorption, c.k_absorption);
    c.at.put(b_.random_position, c.random.position());
    c.at.put(b_.group, c.group);
    const unsigned scattered = lane_bits(is_scattered);
    for (unsigned bits = colliding_.used(first) & ~scattered; bits != 0; bits &= bits - 1)
      ended_.add(c.at.place(__builtin_ctz(bits)));
  }

  PlaceList starting_, one_by_one_;
  std::int64_t first_of_oldest_ = 0;  ///< a lower bound of ParticleBatch::first_flight
};

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
