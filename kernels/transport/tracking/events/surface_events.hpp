#pragma once
// Event-based surface tracking (event_loop.hpp), with the bits of surface_tracking.hpp. Particles
// whose cells have the same region, and those that cross the same side of it, are processed
// together.

#include "kernels/transport/tracking/events/event_loop.hpp"
#include "kernels/transport/tracking/events/surface_exits.hpp"

#if !defined(__CUDACC__)

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Lists of places by a key. Where there are more keys than lists, the places of further keys are
/// in `others`.
class PlacesByKey {
 public:
  PlaceList others;

  GSIM_HD PlacesByKey() {
    for (std::uint8_t& list : list_of_) list = none;
  }
  GSIM_HD int count() const { return count_; }
  GSIM_HD std::int64_t key(int list) const { return key_[list]; }
  GSIM_HD PlaceList& places(int list) { return places_[list]; }
  GSIM_HD void clear() {
    for (int i = 0; i < count_; ++i) list_of_[slot_[i]] = none;
    count_ = others.count = 0;
  }
  GSIM_HD void add(std::int64_t key, int place) {
    // A table of slots, so that no branch depends on the order of keys.
    std::uint64_t slot = static_cast<std::uint64_t>(key) * 0x9e3779b97f4a7c15u >> 56;
    while (list_of_[slot] != none && key_[list_of_[slot]] != key) slot = (slot + 1) % slots;
    std::uint8_t list = list_of_[slot];
    if (list == none) {
      if (count_ == lists) return others.add(place);
      list = list_of_[slot] = static_cast<std::uint8_t>(count_);
      slot_[count_] = static_cast<std::uint8_t>(slot);
      key_[count_] = key;
      places_[count_++].count = 0;
    }
    places_[list].add(place);
  }

 private:
  static constexpr int lists = 32, slots = 256;
  static constexpr std::uint8_t none = 255;
  std::uint8_t list_of_[slots], slot_[lists];
  std::int64_t key_[lists];
  PlaceList places_[lists];
  int count_ = 0;
};

template <class Banks>
class SurfaceEvents : public EventLoop<Banks, SurfaceBatch, SurfaceEvents<Banks>> {
  using Loop = EventLoop<Banks, SurfaceBatch, SurfaceEvents<Banks>>;
  friend Loop;
  using Loop::b_, Loop::h_, Loop::count_, Loop::colliding_, Loop::ended_;

 public:
  explicit GSIM_HD SurfaceEvents(History<Banks>& history)
      : Loop(history), g_(history.args.geometry), levels_(g_.search.levels) {
    for (int i = 0; i < SurfaceBatch::capacity; ++i) {
      b_.lattice[i] = -1;
      b_.depth[i] = 1;  // places without particles are at a level, too
    }
  }

 private:
  using Search = CellSearchLanes<Reals, LevelRecord>;

  GSIM_HD Fate begin() { return begin_surface_tracking(h_); }
  GSIM_HD Fate next_event() { return next_event_by_surfaces(h_); }
  GSIM_HD unsigned begin_at(const PlacesOf& at, const Positions& x, const Positions& d,
                            unsigned used) {
    LevelRecord record{g_, b_, at, Reals(0.0)};
    Search search(g_, x, Reals(0.0), d, record);
    search.enter_root(mask_from_bits<Reals>(used));
    const auto found = search.find();
    at.put(b_.material, found.material);
    at.put(b_.depth, record.level + 1.0);
    start_flights(at, x, d);
    return lane_bits(found.is_found);
  }
  GSIM_HD void start_after_collision(CollisionLanes& c, const Positions& x) {
    start_flights(c.at, x, c.direction);
    c.at.put(b_.free_paths, free_paths_from(c.random.uniform(c.used)));
  }
  /// Starts flights from x along d in the present cells.
  GSIM_HD void start_flights(const PlacesOf& at, Positions x, const Positions& d) {
    const Reals zero(0.0);
    at.put(b_.origin, x);
    at.put(b_.direction, d);
    at.put(b_.path, zero);
    at.put(b_.track_start, zero);
    at.put(b_.computed_exits, zero);
    for (int level = 1; level < levels_; ++level) {
      const PlacesOf here = at.at_level(level);
      x = x - here.vectors(b_.centre);
      here.put(b_.origin, x);
      here.put(b_.element_exit, Reals(-1.0));
    }
  }

  GSIM_HD void fly() {
    one_by_one_.count = crossing_.count = 0;
    for (PlaceList& list : leaving_element_) list.count = 0;
    for (int i = 0; i < count_; ++i) needs_scalar_[i] = 0;
    for (int level = 0; level < levels_; ++level) find_exits(level);
    for (int i = 0; i < count_; i += lanes) choose_events(i);
    for (int level = 1; level < levels_; ++level) {
      PlaceList& list = leaving_element_[level];
      list.fill_last_pack();
      for (int k = 0; k < list.count; k += lanes) cross_element_pack(list, k, level);
    }
    by_key_.clear();
    for (int k = 0; k < crossing_.count; ++k) {
      const int i = crossing_.place[k];
      const std::int32_t code = b_.boundary_at[i];
      const std::int64_t region = b_.region[SurfaceBatch::at(ExitCode::level(code), i)];
      by_key_.add((region << 32) + code, i);
    }
    for (int k = 0; k < by_key_.count(); ++k) cross_all(by_key_.places(k));
    for (int k = 0; k < by_key_.others.count; ++k) one_by_one_.add(by_key_.others.place[k]);
    for (int k = 0; k < one_by_one_.count; ++k) this->advance_one(one_by_one_.place[k]);
  }
  /// Computes the exits of a level where they are not known.
  GSIM_HD void find_exits(int level) {
    by_key_.clear();
    const std::int32_t* const region = b_.region + SurfaceBatch::at(level, 0);
    const Reals at_level(static_cast<double>(level));
    for (int i = 0; i < count_; i += lanes) {
      const Lanes needs = (reals_at(b_.computed_exits, i) <= at_level) &
                          (at_level < reals_at(b_.depth, i)) &
                          (reals_at(needs_scalar_, i) == Reals(0.0)) & this->used_from(i);
      for (unsigned bits = lane_bits(needs); bits != 0; bits &= bits - 1) {
        const int place = i + __builtin_ctz(bits);
        by_key_.add(region[place], place);
      }
    }
    for (int n = 0; n < by_key_.count(); ++n) {
      PlaceList& list = by_key_.places(n);
      const Cell& cell = g_.cells[by_key_.key(n)];
      list.fill_last_pack();
      for (int k = 0; k < list.count; k += lanes)
        compute_exits(g_, b_, level, cell, list.place + k);
      for (int k = 0; k < list.count; ++k) b_.computed_exits[list.place[k]] = level + 1;
    }
    for (int k = 0; k < by_key_.others.count; ++k) needs_scalar_[by_key_.others.place[k]] = 1;
  }

  static GSIM_HD Reals reals_at(const std::int32_t* from, int i) {
    return convert<double>(gsim::load<Integers>(from + i));
  }
  /// Finds the next events of a pack of particles; moves those that collide.
  GSIM_TRANSPORT_NOINLINE void choose_events(int i) {
    const MaterialView& m = h_.args.materials;
    const Lanes used = this->used_from(i);
    const Reals zero(0.0);
    const Integers place = Integers(i) + lane_index<Integers>();
    const PlacesOf inner = PlacesOf(place).at_level(reals_at(b_.depth, i) - 1.0);
    const Reals exit = inner.reals(b_.exit), exit_at = inner.integers(b_.exit_at);
    const Reals path = gsim::load<Reals>(b_.path + i);
    const Reals free_paths = gsim::load<Reals>(b_.free_paths + i);
    const Reals material = reals_at(b_.material, i);
    const Lanes in_material = material >= zero;
    const GroupDataLanes xs(m, select(in_material, material, zero), reals_at(b_.group, i));
    const Reals total = select(in_material, xs.total(), zero);
    const Reals end = select(exit > path, exit, path), to_boundary = end - path;
    const Lanes reaches = (total > zero) & (free_paths < total * to_boundary);
    const Words draws = gsim::load<Words>(b_.random_position + i) & Words(history_draw_mask);
    const Lanes needs_scalar =
        used & ((reals_at(needs_scalar_, i) != zero) |
                !(draws < Words(CollisionLanes::Random::last_draw)) |
                (!reaches & (exit_at < Reals(0.0)) &
                 (exit_at >= Reals(static_cast<double>(ExitCode::of(0, Boundary::none))))));
    const Lanes collides = used & reaches & !needs_scalar;
    const Reals distance = select(reaches, free_paths / total, to_boundary);
    const Reals nu_fission = select(in_material, xs.nu_fission(), zero);
    const Reals k = gsim::load<Reals>(b_.k_track_length + i);
    const Reals k_there =
        select(nu_fission > zero, k + gsim::load<Reals>(b_.weight + i) * nu_fission * distance, k);
    store(b_.path + i, select(collides, path + distance, path));
    store(b_.k_track_length + i, select(collides, k_there, k));
    store(b_.k_at_boundary + i, k_there);
    store(b_.boundary_path + i, end);
    store(b_.total + i, total);
    store(b_.boundary_at + i, convert<std::int32_t>(exit_at));
    one_by_one_.add(i, lane_bits(needs_scalar));
    colliding_.add(i, lane_bits(collides));
    const unsigned crossing = lane_bits(used & !collides & !needs_scalar);
    const unsigned leaving = crossing & lane_bits(exit_at < zero);
    crossing_.add(i, crossing & ~leaving);
    if (leaving == 0) return;
    const Reals level = exit_at - floor(exit_at * 0.125) * 8.0;
    for (int k = 1; k < levels_; ++k)
      leaving_element_[k].add(i, leaving & lane_bits(level == Reals(static_cast<double>(k))));
  }

  /// Takes particles at the same side of their cells across it.
  GSIM_HD void cross_all(PlaceList& list) {
    const std::int32_t code = b_.boundary_at[list.place[0]];
    const int level = ExitCode::level(code), side = ExitCode::side(code);
    list.fill_last_pack();
    const Cell& cell = g_.cells[b_.region[SurfaceBatch::at(level, list.place[0])]];
    const transport::CellSurface& crossed = g_.cell_surfaces[cell.first_surface + side];
    const Surface& s = g_.surfaces[crossed.half_space >> 1];
    if (level > 0 || s.boundary == SurfaceBoundary::transmission) {
      for (int k = 0; k < list.count; k += lanes) cross_surface_pack(list, k, level, crossed);
    } else if (s.boundary == SurfaceBoundary::vacuum) {
      if (has_tallies(h_)) this->end_tracks(list, b_.boundary_path);
      for (int k = 0; k < list.count; ++k) leak_at_boundary(list.place[k]);
    } else if (s.boundary == SurfaceBoundary::reflective && is_axis_plane(s)) {
      if (has_tallies(h_)) this->end_tracks(list, b_.boundary_path);
      for (int k = 0; k < list.count; k += lanes) reflect_pack(list, k, s);
    } else {
      for (int k = 0; k < list.count; ++k) one_by_one_.add(list.place[k]);
    }
  }
  GSIM_HD void leak_at_boundary(int place) {
    if (b_.stalled[place] >= stall_limit) return one_by_one_.add(place);
    b_.k_track_length[place] = b_.k_at_boundary[place];
    this->leak(place);
  }

  /// Particles at a boundary.
  struct Crossing {
    PlacesOf at;
    unsigned used;
    Reals path, stalled, free_paths;
    Lanes in_lanes;  ///< the lanes that cross together; the others cross one by one

    GSIM_HD Crossing(const SurfaceBatch& b, const GeometryView& g, const PlaceList& list, int first)
        : at(list.place + first), used(list.used(first)) {
      const Reals before = at.reals(b.path), reached = at.reals(b.boundary_path);
      const Reals distance = reached - before;
      stalled = select(distance <= Reals(g.tolerance), at.integers(b.stalled) + 1.0, Reals(0.0));
      path = select(reached > before, reached, before);
      free_paths = at.reals(b.free_paths) - at.reals(b.total) * distance;
      in_lanes = mask_from_bits<Reals>(used) & (stalled <= Reals(static_cast<double>(stall_limit)));
    }
  };
  /// Completes the crossings of the lanes in `lanes`, and leaves the others to be advanced one by
  /// one.
  GSIM_HD void complete(const Crossing& c, Lanes crossed) {
    const PlacesOf to = c.at.only(crossed);
    to.put(b_.stalled, c.stalled);
    to.put(b_.free_paths, c.free_paths);
    to.put(b_.k_track_length, c.at.reals(b_.k_at_boundary));
    for (unsigned bits = c.used & ~lane_bits(crossed); bits != 0; bits &= bits - 1)
      one_by_one_.add(c.at.place(__builtin_ctz(bits)));
  }
  GSIM_TRANSPORT_NOINLINE void reflect_pack(const PlaceList& list, int first, const Surface& s) {
    const Crossing c(b_, g_, list, first);
    const Positions d = c.at.vectors(b_.direction);
    const Positions x = on_surface(s, along(c.at.vectors(b_.origin), c.path, d));
    complete(c, c.in_lanes);
    start_flights(c.at.only(c.in_lanes), x, mirrored_in_axis_plane(s, d));
  }

  /// Across sides of lattice elements.
  GSIM_TRANSPORT_NOINLINE void cross_element_pack(const PlaceList& list, int first, int level) {
    const Crossing c(b_, g_, list, first);
    const PlacesOf here = c.at.at_level(level);
    const Reals zero(0.0), one(1.0);
    const Reals side = static_cast<double>(Boundary::first_element_side) -
                       floor(c.at.integers(b_.boundary_at) * 0.125);
    const Reals axis = floor(side * 0.5);
    const Reals step = select(side == axis + axis, one, -one);
    const Reals before_i = here.integers(b_.element_i), before_j = here.integers(b_.element_j);
    const Reals before_k = here.integers(b_.element_k), lattice = here.integers(b_.lattice);
    const Reals i = before_i + select(axis == zero, step, zero);
    const Reals j = before_j + select(axis == one, step, zero);
    const Reals k = before_k + select(axis > one, step, zero);
    const Positions origin = c.at.at_level(level - 1).vectors(b_.origin);
    const PlacesOf innermost = c.at.at_level(c.at.integers(b_.depth) - 1.0);
    const Reals cell_before = innermost.integers(b_.cell_place);
    LevelRecord record{g_, b_, c.at, Reals(static_cast<double>(level - 1))};
    Search search(g_, origin, c.path, c.at.vectors(b_.direction), record);
    Lanes left = c.in_lanes;
    for (unsigned bits = lane_bits(left); bits != 0; bits = lane_bits(left)) {
      const double number = extract(lattice, __builtin_ctz(bits));
      const Lanes same = left & (lattice == Reals(number));
      search.enter_element(g_.lattices[static_cast<Index>(number)], same, i, j, k, origin);
      left = left & !same;
    }
    const auto found = search.find();
    finish(c, level, record, found, innermost, cell_before, search);
    const Lanes failed = c.in_lanes & !found.is_found;
    if (!any(failed)) return;
    const PlacesOf back = here.only(failed);
    back.put(b_.element_i, before_i);
    back.put(b_.element_j, before_j);
    back.put(b_.element_k, before_k);
  }
  /// Across a surface into neighbouring cells of the same universe.
  GSIM_TRANSPORT_NOINLINE void cross_surface_pack(const PlaceList& list, int first, int level,
                                                  const transport::CellSurface& crossed) {
    const Crossing c(b_, g_, list, first);
    const PlacesOf here = c.at.at_level(level);
    const Positions d = c.at.vectors(b_.direction), origin = here.vectors(b_.origin);
    const Positions x = along(origin, c.path, d);
    const std::int32_t entered = crossed.half_space ^ 1;
    const Reals place = here.integers(b_.cell_place);
    Lanes left = c.in_lanes, is_found = left & !left;
    Reals number(0.0);
    for (std::int32_t n = 0; n < crossed.neighbours && any(left); ++n) {
      const std::int32_t neighbour = g_.neighbours[crossed.first_neighbour + n];
      const Lanes inside = inside_behind(g_.cells[neighbour], x, entered, left);
      number = select(inside, Reals(static_cast<double>(g_.search.numbers[neighbour])), number);
      is_found = is_found | inside;
      left = left & !inside;
    }
    const auto region = gather_pairs<transport::SearchRegion, Reals>(g_.search.regions.data,
                                                                     convert<std::int32_t>(place));
    const Reals before = region.second_as_real();
    const PlacesOf innermost = c.at.at_level(c.at.integers(b_.depth) - 1.0);
    const Reals cell_before = innermost.integers(b_.cell_place);
    LevelRecord record{g_, b_, c.at, Reals(static_cast<double>(level))};
    Search search(g_, origin, c.path, d, record);
    search.enter_cells(is_found, convert<std::uint64_t>(place + (number - before)));
    const auto found = search.find();
    here.only(c.in_lanes & !found.is_found).put(b_.cell_place, place);
    finish(c, level, record, found, innermost, cell_before, search);
  }
  /// The lanes of `left` in a cell behind the surface of the half-space `entered`; removes those on
  /// a surface of the cell from `left`.
  GSIM_HD Lanes inside_behind(const Cell& cell, const Positions& x, std::int32_t entered,
                              Lanes& left) {
    Lanes inside = left;
    for (std::int32_t i = 0; i < cell.surfaces && any(inside); ++i) {
      const std::int32_t half_space = g_.cell_surfaces[cell.first_surface + i].half_space;
      if ((half_space ^ entered) >> 1 == 0) {
        if (half_space != entered) inside = inside & !inside;
        continue;
      }
      const Surface& s = g_.surfaces[half_space >> 1];
      const Reals value = value_of_simple_form(s, x);
      const Lanes is_clear = abs(value) > Reals(s.on_surface), is_positive = value > Reals(0.0);
      left = left & (is_clear | !inside);
      inside = inside & is_clear & ((half_space & 1) != 0 ? is_positive : !is_positive);
    }
    return inside;
  }
  /// Completes crossings at `level` of lanes whose cells were found; the others keep their cells.
  GSIM_HD void finish(const Crossing& c, int level, const LevelRecord& record,
                      const MaterialLanes<Reals>& found, const PlacesOf& innermost,
                      Reals cell_before, const Search& search) {
    const Lanes failed = c.in_lanes & !found.is_found;
    if (any(failed)) innermost.only(failed).put(b_.cell_place, cell_before);
    complete(c, found.is_found);
    const PlacesOf to = c.at.only(found.is_found);
    to.put(b_.path, c.path);
    to.put(b_.depth, record.level + 1.0);
    to.put(b_.material, found.material);
    to.put(b_.computed_exits, Reals(static_cast<double>(level)));
    // Where all are in cells of the same region, their exits are computed at once.
    const unsigned bits = lane_bits(found.is_found);
    if (bits == 0) return;
    const double region = extract(record.region, __builtin_ctz(bits));
    const Lanes here = found.is_found & (record.level == Reals(static_cast<double>(level))) &
                       (record.region == Reals(region));
    compute_exits(g_, b_, level, g_.cells[static_cast<Index>(region)], c.at, here, c.path,
                  search.positions(), search.directions());
    c.at.only(here).put(b_.computed_exits, Reals(static_cast<double>(level + 1)));
  }

  const GeometryView& g_;
  int levels_;
  PlacesByKey by_key_;
  PlaceList leaving_element_[SurfaceBatch::levels];  ///< by level
  PlaceList crossing_, one_by_one_;
  alignas(64) std::int32_t needs_scalar_[SurfaceBatch::capacity] = {};
};

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
