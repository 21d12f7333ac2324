#pragma once
// Event-based delta tracking on hosts (F. B. Brown, W. R. Martin, Prog. Nucl. Energy 14 (1984) 269):
// the particles of a batch take their flights together, in the lanes of packs; those that collide or
// reach the outer surface are listed, and then processed together, too. Lanes whose event is unusual
// leave it to the functions for one particle. Numbers, and the order of draws, are those of
// delta_tracking.hpp.

#include "kernels/transport/geometry/cell_lanes.hpp"
#include "kernels/transport/tracking/events/collision_lanes.hpp"
#include "kernels/transport/tracking/history.hpp"

#if !defined(__CUDACC__)

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Starts history `i` of a pass and prepares its first flight. False: it has ended.
template <class Banks>
GSIM_HD bool begin_history(History<Banks>& h, Index i) {
  Fate fate = start_history(h, i);
  if (!has_ended(fate)) fate = begin_delta_tracking(h);
  if (!has_ended(fate)) return true;
  score_k(h);
  return false;
}
/// Makes the next history that does not end at its start the current one. False: there is none.
template <class Banks, class Supply>
GSIM_HD bool begin_next(History<Banks>& h, Supply& supply) {
  for (Index i = supply.next(h); i >= 0; i = supply.next(h))
    if (begin_history(h, i)) return true;
  return false;
}

/// Delta tracking of the particles of a batch. `Supply::next(history)` returns the number of the
/// next history of the pass, or -1.
template <class Banks>
class DeltaEvents {
 public:
  explicit GSIM_HD DeltaEvents(History<Banks>& history) : h_(history) {}

  GSIM_HD int count() const { return count_; }

  /// Gives the places of particles that have ended, and those that are free, to new histories, as
  /// long as there are any.
  template <class Supply>
  void refill(Supply& supply) {
    for (; count_ < DeltaBatch::particles; ++count_) ended_.add(count_);
    const int begun = h_.args.start == transport::Start::sites ? begin_at_sites(supply)
                                                               : begin_one_by_one(supply);
    remove_ended_from(begun);
  }

  /// Takes all particles to their next events, and lists those that have ended.
  GSIM_HD void advance() {
    colliding_.count = crossing_.count = unusual_.count = ended_.count = 0;
    for (int i = 0; i < count_; i += lanes) fly(i);
    h_.scores.flights += count_;
    for (int i = 0; i < unusual_.count; ++i) advance_alone(unusual_.place[i]);
    cross_all();
    collide_all();
    ++round_;
    if (round_ - first_of_oldest_ >= h_.rules.max_flights) end_oldest();
    for (int i = 0; i < ended_.count; ++i) {
      add_score(h_.scores.k_collision, b_.k_collision[ended_.place[i]]);
      add_score(h_.scores.k_absorption, b_.k_absorption[ended_.place[i]]);
    }
  }

 private:
  /// Starts histories in the first ended_ places; returns their number.
  template <class Supply>
  int begin_one_by_one(Supply& supply) {
    int begun = 0;
    for (; begun < ended_.count && begin_next(h_, supply); ++begun) put(ended_.place[begun]);
    return begun;
  }
  template <class Supply>
  int begin_at_sites(Supply& supply) {
    int begun = 0;
    for (; begun < ended_.count; ++begun) {
      const Index i = supply.next(h_);
      if (i < 0) break;
      const transport::FissionSite& site = h_.args.sites[i];
      const int place = ended_.place[begun];
      b_.origin.x[place] = site.position.x;
      b_.origin.y[place] = site.position.y;
      b_.origin.z[place] = site.position.z;
      b_.group[place] = site.group;
      b_.history[place] = static_cast<std::uint64_t>(h_.args.first_history + i);
      starting_.place[begun] = place;
    }
    starting_.count = begun;
    starting_.fill_last_pack();
    unusual_.count = 0;
    for (int k = 0; k < starting_.count; k += lanes) start_pack(k);
    for (int k = 0; k < unusual_.count; ++k) {
      const int place = unusual_.place[k];
      if (begin_history(h_, static_cast<Index>(b_.history[place]) - h_.args.first_history) ||
          begin_next(h_, supply))
        put(place);
      else
        ended_.add(place);
    }
    return begun;
  }
  /// Starts histories at the sites in their places.
  GSIM_TRANSPORT_NOINLINE void start_pack(int first) {
    const PlacesOf at(starting_.place + first);
    const Reals zero(0.0);
    const Positions x = at.vectors(b_.origin);
    const Lanes all = zero == zero;
    HistoryRandomLanes<Reals, 2> random(h_.args.key, at.words(b_.history), Words(0));
    const Reals mu = fma(Reals(2.0), random.uniform(all), Reals(-1.0));
    const Positions direction = direction_from<Positions>(mu, random.uniform(all));
    at.put(b_.free_paths, free_paths_from(random.uniform(all)));
    at.put(b_.random_position, random.position());
    at.put(b_.weight, Reals(1.0));
    at.put(b_.k_collision, zero);
    at.put(b_.k_absorption, zero);
    at.put(b_.fission_sites, zero);
    at.put(b_.stalled, zero);
    at.put(b_.first_flight, round_);
    begin_flights(at, x, direction);
    const unsigned inside = lane_bits(are_inside_outer_boundary(h_.args.geometry, x));
    for (unsigned bits = starting_.used(first) & ~inside; bits != 0; bits &= bits - 1)
      unusual_.add(at.place[__builtin_ctz(bits)]);
  }
  /// Removes the ended particles from number `first` on.
  GSIM_HD void remove_ended_from(int first) {
    if (first == ended_.count) return;
    bool is_removed[DeltaBatch::particles] = {};
    for (int i = first; i < ended_.count; ++i) is_removed[ended_.place[i]] = true;
    for (int i = 0; i < count_; ++i) {
      while (count_ > i && is_removed[count_ - 1]) --count_;
      if (i < count_ && is_removed[i]) move_particle(b_, i, --count_);
    }
  }

  GSIM_HD void put(int place) { store_particle(h_, b_, place, round_); }
  GSIM_HD void load(int place) { load_particle(h_, b_, place, round_); }
  /// Puts the particle of the history back after its event.
  GSIM_HD void keep(int place, Fate fate) {
    put(place);
    if (has_ended(fate)) ended_.add(place);
  }

  /// Flights to possible collisions, and to the outer surface.
  GSIM_TRANSPORT_NOINLINE void fly(int i) {
    const GeometryView& g = h_.args.geometry;
    const MaterialView& m = h_.args.materials;
    const Lanes used = mask_from_bits<Reals>(
        count_ - i < lanes ? (1u << (count_ - i)) - 1 : (1u << lanes) - 1);
    const Integers group_index = gsim::load<Integers>(b_.group + i);
    const Reals group = convert<double>(group_index);
    const Reals majorant = gather(m.majorant.data, group_index);
    const Reals path = gsim::load<Reals>(b_.path + i);
    Reals free_paths = gsim::load<Reals>(b_.free_paths + i);
    const Words position = gsim::load<Words>(b_.random_position + i);
    const Lanes collides =
        used & (free_paths < majorant * (gsim::load<Reals>(b_.outer_path + i) - path));
    crossing_.add(i, lane_bits(used & !collides));
    const Reals end = path + free_paths / majorant;
    const Positions x = along(vectors(b_.origin, i), end, vectors(b_.direction, i));
    const MaterialLanes<Reals> here = materials_at(g, x, collides);
    const Lanes is_usual =
        here.is_found & ((position & Words(history_draw_mask)) <
                         Words(HistoryRandomLanes<Reals, 2>::last_draw));
    unusual_.add(i, lane_bits(collides & !is_usual));
    HistoryRandomLanes<Reals, 2> random(h_.args.key, gsim::load<Words>(b_.history + i), position);
    free_paths = select(is_usual, free_paths_from(random.uniform(is_usual)), free_paths);
    const Lanes in_material = is_usual & (here.material >= Reals(0.0));
    const Reals total =
        GroupDataLanes(m, select(in_material, here.material, Reals(0.0)), group).total();
    const Lanes is_real = in_material & (random.uniform(in_material) * majorant < total);
    store(b_.path + i, select(is_usual, end, path));
    store(b_.free_paths + i, free_paths);
    store(b_.random_position + i, random.position());
    store(b_.material + i, convert<std::int32_t>(here.material));
    colliding_.add(i, lane_bits(is_real));
  }
  static GSIM_HD Positions vectors(const VectorArrays<DeltaBatch::capacity>& from, int i) {
    return {gsim::load<Reals>(from.x + i), gsim::load<Reals>(from.y + i),
            gsim::load<Reals>(from.z + i)};
  }

  GSIM_TRANSPORT_NOINLINE void advance_alone(int place) {
    load(place);
    --h_.scores.flights;  // counted again
    keep(place, next_event_by_majorant(h_));
  }
  GSIM_TRANSPORT_NOINLINE void cross_alone(int place) {
    load(place);
    const auto& p = h_.particle;
    keep(place, advance_to_outer_surface(h_, h_.args.materials.majorant[p.group],
                                         p.outer_boundary.path - p.coordinates.path));
  }
  /// Particles reach the outer surface. Those at one plane are reflected together.
  GSIM_HD void cross_all() {
    const GeometryView& g = h_.args.geometry;
    int left = crossing_.count;
    for (Index i = 0; i < g.outer_surfaces.size && left > 0; ++i) {
      const Surface& s = g.surfaces[g.outer_surfaces[i].surface];
      const bool is_vacuum = s.boundary == SurfaceBoundary::vacuum;
      if (!is_vacuum && !(s.boundary == SurfaceBoundary::reflective && is_axis_plane(s))) continue;
      at_surface_.count = 0;
      int others = 0;
      for (int k = 0; k < left; ++k) {
        const int place = crossing_.place[k];
        if (b_.outer_side[place] == i)
          at_surface_.add(place);
        else
          crossing_.place[others++] = place;
      }
      left = others;
      if (has_tallies(h_))
        for (int k = 0; k < at_surface_.count; ++k) end_track_at_surface(at_surface_.place[k]);
      if (is_vacuum) {
        for (int k = 0; k < at_surface_.count; ++k) leak(at_surface_.place[k]);
      } else {
        at_surface_.fill_last_pack();
        for (int k = 0; k < at_surface_.count; k += lanes) reflect_pack(s, k);
      }
    }
    for (int k = 0; k < left; ++k) cross_alone(crossing_.place[k]);
  }
  GSIM_TRANSPORT_NOINLINE void end_track_at_surface(int place) {
    load(place);
    tally_whole_track(h_, h_.particle.coordinates.level[0].origin, b_.outer_path[place]);
    put(place);
  }
  GSIM_HD void leak(int place) {
    if (b_.stalled[place] >= stall_limit) return cross_alone(place);
    add_score(h_.scores.leakage, b_.weight[place]);
    ended_.add(place);
  }
  GSIM_TRANSPORT_NOINLINE void reflect_pack(const Surface& s, int first) {
    const GeometryView& g = h_.args.geometry;
    const PlacesOf at(at_surface_.place + first);
    const Reals zero(0.0), before = at.reals(b_.path), reached = at.reals(b_.outer_path);
    const Integers group = at.indices(b_.group);
    const Reals majorant = gather(h_.args.materials.majorant.data, group);
    const Reals distance = reached - before;
    const Reals stalled = select(distance <= Reals(g.tolerance),
                                 at.integers(b_.stalled) + 1.0, zero);
    const Lanes is_stuck = stalled > Reals(static_cast<double>(stall_limit));
    if (lane_bits(is_stuck) != 0) {
      for (unsigned bits = at_surface_.used(first); bits != 0; bits &= bits - 1)
        cross_alone(at.place[__builtin_ctz(bits)]);
      return;
    }
    const Reals path = select(reached > before, reached, before);
    const Positions d = at.vectors(b_.direction);
    const Positions x = on_surface(s, along(at.vectors(b_.origin), path, d));
    const Positions mirrored = mirrored_in_axis_plane(s, d);
    at.put(b_.free_paths, at.reals(b_.free_paths) - majorant * distance);
    at.put(b_.stalled, stalled);
    begin_flights(at, x, mirrored);
  }
  /// Starts flights from x along d.
  GSIM_HD void begin_flights(const PlacesOf& at, const Positions& x, const Positions& d) {
    const auto outer = next_outer_surface(h_.args.geometry, Reals(0.0), x, d);
    at.put(b_.origin, x);
    at.put(b_.direction, d);
    at.put(b_.path, Reals(0.0));
    at.put(b_.track_start, Reals(0.0));
    at.put(b_.outer_path, outer.path);
    at.put(b_.outer_side, outer.side);
    at.put(b_.outer_half_space, outer.half_space);
  }
  /// Ends the particles whose flights are too many.
  GSIM_TRANSPORT_NOINLINE void end_oldest() {
    bool has_ended_already[DeltaBatch::particles] = {};
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
    if (has_tallies(h_) || h_.rules.checks_overlaps != 0) prepare_collisions();
    colliding_.fill_last_pack();
    for (int i = 0; i < colliding_.count; i += lanes) collide_pack(i);
  }
  /// Scores the tracks up to the collisions; removes particles that are in two cells.
  GSIM_TRANSPORT_NOINLINE void prepare_collisions() {
    int kept = 0;
    for (int i = 0; i < colliding_.count; ++i) {
      const int place = colliding_.place[i];
      load(place);
      tally_whole_track(h_);
      const Fate fate = h_.rules.checks_overlaps != 0 ? check_overlap(h_) : Fate::alive;
      keep(place, fate);
      if (!has_ended(fate)) colliding_.place[kept++] = place;
    }
    colliding_.count = kept;
  }
  GSIM_TRANSPORT_NOINLINE void collide_pack(int first) {
    CollisionLanes c(h_.args, b_, colliding_, first);
    const Positions x = along(c.at.vectors(b_.origin), c.at.reals(b_.path), c.direction);
    const unsigned scattered = lane_bits(collide(h_, b_, c, x));
    begin_flights(c.at, x, c.direction);
    c.at.put(b_.stalled, Reals(0.0));
    c.at.put(b_.weight, c.weight);
    c.at.put(b_.k_collision, c.k_collision);
    c.at.put(b_.k_absorption, c.k_absorption);
    c.at.put(b_.random_position, c.random.position());
    c.at.put(b_.group, c.group);
    for (unsigned bits = colliding_.used(first) & ~scattered; bits != 0; bits &= bits - 1)
      ended_.add(c.at.place[__builtin_ctz(bits)]);
    if (h_.rules.capture != transport::Capture::implicit) return;
    unsigned light = scattered & lane_bits(!(c.weight >= Reals(h_.rules.cutoff)));
    for (; light != 0; light &= light - 1) play_roulette(c.at.place[__builtin_ctz(light)]);
  }
  GSIM_TRANSPORT_NOINLINE void play_roulette(int place) {
    load(place);
    keep(place, apply_weight_cutoff(h_));
  }

  History<Banks>& h_;
  DeltaBatch b_{};
  int count_ = 0;  ///< number of particles, which are in the first places
  PlaceList starting_, colliding_, crossing_, at_surface_, unusual_, ended_;
  std::int64_t round_ = 0;            ///< flights of the batch
  std::int64_t first_of_oldest_ = 0;  ///< a lower bound of DeltaBatch::first_flight
};

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
