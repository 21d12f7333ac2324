#pragma once
// Event-based delta tracking (event_loop.hpp), with the bits of delta_tracking.hpp.

#include "kernels/transport/geometry/cell_lanes.hpp"
#include "kernels/transport/tracking/events/event_loop.hpp"

#if !defined(__CUDACC__)

GSIM_TARGET_BEGIN
namespace transport_kernels {

struct DeltaBatch : ParticleBatch {
  VectorArrays<capacity> origin;
  alignas(64) double outer_path[capacity];  ///< ParticleOf::outer_boundary
  alignas(64) std::int32_t outer_side[capacity], outer_half_space[capacity];
};
template <class Banks>
GSIM_HD void load_particle(History<Banks>& h, const DeltaBatch& b, int i, std::int64_t flights) {
  load_flight(h, b, vector_at(b.origin, i), i, flights);
  h.particle.outer_boundary = {b.outer_path[i], 0, b.outer_side[i], b.outer_half_space[i]};
}
template <class Banks>
GSIM_HD void store_particle(const History<Banks>& h, DeltaBatch& b, int i, std::int64_t flights) {
  store_flight(h, b, i, flights);
  const Boundary& outer = h.particle.outer_boundary;
  put_vector(b.origin, i, h.particle.coordinates.level[0].origin);
  b.outer_path[i] = outer.path;
  b.outer_side[i] = outer.side;
  b.outer_half_space[i] = outer.half_space;
}
GSIM_HD void copy_particle(DeltaBatch& b, int to, int from) {
  copy_flight(b, to, from);
  copy_vector(b.origin, to, from);
  copy_element(to, from, b.outer_path, b.outer_side, b.outer_half_space);
}

template <class Banks>
class DeltaEvents : public EventLoop<Banks, DeltaBatch, DeltaEvents<Banks>> {
  using Loop = EventLoop<Banks, DeltaBatch, DeltaEvents<Banks>>;
  friend Loop;
  using Loop::b_, Loop::h_, Loop::count_, Loop::colliding_, Loop::ended_;

 public:
  explicit GSIM_HD DeltaEvents(History<Banks>& history) : Loop(history) {}

 private:
  GSIM_HD Fate begin() { return begin_delta_tracking(h_); }
  GSIM_HD Fate next_event() { return next_event_by_majorant(h_); }
  GSIM_HD unsigned begin_at(const PlacesOf& at, const Positions& x, const Positions& d,
                            unsigned /*used*/) {
    begin_flights(at, x, d);
    return lane_bits(are_inside_outer_boundary(h_.args.geometry, x));
  }
  GSIM_HD void start_after_collision(CollisionLanes& c, const Positions& x) {
    begin_flights(c.at, x, c.direction);
  }

  GSIM_HD void fly() {
    crossing_.count = one_by_one_.count = 0;
    for (int i = 0; i < count_; i += lanes) fly(i);
    for (int i = 0; i < one_by_one_.count; ++i) this->advance_one(one_by_one_.place[i]);
    cross_all();
  }
  /// Flights to possible collisions, and to the outer surface.
  GSIM_TRANSPORT_NOINLINE void fly(int i) {
    const GeometryView& g = h_.args.geometry;
    const MaterialView& m = h_.args.materials;
    const Lanes used = this->used_from(i);
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
    const Lanes in_lanes = here.is_found & ((position & Words(history_draw_mask)) <
                                            Words(HistoryRandomLanes<Reals, 2>::last_draw));
    one_by_one_.add(i, lane_bits(collides & !in_lanes));
    HistoryRandomLanes<Reals, 2> random(h_.args.key, gsim::load<Words>(b_.history + i), position);
    free_paths = select(in_lanes, free_paths_from(random.uniform(in_lanes)), free_paths);
    const Lanes in_material = in_lanes & (here.material >= Reals(0.0));
    const Reals total =
        GroupDataLanes(m, select(in_material, here.material, Reals(0.0)), group).total();
    const Lanes is_real = in_material & (random.uniform(in_material) * majorant < total);
    store(b_.path + i, select(in_lanes, end, path));
    store(b_.free_paths + i, free_paths);
    store(b_.random_position + i, random.position());
    store(b_.material + i, convert<std::int32_t>(here.material));
    colliding_.add(i, lane_bits(is_real));
  }
  static GSIM_HD Positions vectors(const VectorArrays<ParticleBatch::capacity>& from, int i) {
    return {gsim::load<Reals>(from.x + i), gsim::load<Reals>(from.y + i),
            gsim::load<Reals>(from.z + i)};
  }

  GSIM_TRANSPORT_NOINLINE void cross_one(int place) {
    this->load(place);
    const auto& p = h_.particle;
    this->keep(place, advance_to_outer_surface(h_, h_.args.materials.majorant[p.group],
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
      if (has_tallies(h_)) this->end_tracks(at_surface_, b_.outer_path);
      if (is_vacuum) {
        for (int k = 0; k < at_surface_.count; ++k) {
          const int place = at_surface_.place[k];
          if (b_.stalled[place] >= stall_limit)
            cross_one(place);
          else
            this->leak(place);
        }
      } else {
        at_surface_.fill_last_pack();
        for (int k = 0; k < at_surface_.count; k += lanes) reflect_pack(s, k);
      }
    }
    for (int k = 0; k < left; ++k) cross_one(crossing_.place[k]);
  }
  GSIM_TRANSPORT_NOINLINE void reflect_pack(const Surface& s, int first) {
    const GeometryView& g = h_.args.geometry;
    const PlacesOf at(at_surface_.place + first);
    const Reals zero(0.0), before = at.reals(b_.path), reached = at.reals(b_.outer_path);
    const Integers group = at.indices(b_.group);
    const Reals majorant = gather(h_.args.materials.majorant.data, group);
    const Reals distance = reached - before;
    const Reals stalled =
        select(distance <= Reals(g.tolerance), at.integers(b_.stalled) + 1.0, zero);
    const Lanes is_stuck = stalled > Reals(static_cast<double>(stall_limit));
    if (lane_bits(is_stuck) != 0) {
      for (unsigned bits = at_surface_.used(first); bits != 0; bits &= bits - 1)
        cross_one(at.place(__builtin_ctz(bits)));
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

  PlaceList crossing_, at_surface_, one_by_one_;
};

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
