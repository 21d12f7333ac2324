#pragma once
// Delta tracking (E. R. Woodcock et al., ANL-7050 (1965) 557): distances are sampled from the
// largest total cross section of all materials, the majorant, without regard to cells; a collision
// is real with the probability total / majorant.

#include "kernels/transport/collisions/collide.hpp"
#include "kernels/transport/tracking/stream.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

template <class Banks>
GSIM_HD Fate advance_to_outer_surface(History<Banks>& h, double majorant, double distance) {
  auto& p = h.particle;
  const GeometryView& g = h.args.geometry;
  if (const Fate fate = stream(h, Cell::void_material, nullptr, distance, p.outer_boundary.path);
      has_ended(fate))
    return fate;
  p.free_paths -= majorant * distance;
  const Vector3 origin = p.coordinates.level[0].origin;
  Crossing crossing = cross_outer_surface(g, p.coordinates, p.outer_boundary, p.random);
  crossing.kind = converged(crossing.kind);
  const double path = p.outer_boundary.path;
  tally_crossing(h, origin, path, nullptr, crossing);
  if (const Fate fate = record_crossing(h, origin, path, crossing); has_ended(fate)) return fate;
  if (const Fate fate = apply_crossing(h, crossing, origin, path); has_ended(fate)) return fate;
  p.outer_boundary = next_outer_surface(g, p.coordinates);
  return reenter(h, crossing);
}

/// The collision of a particle in `material`, and the start of its next flight.
template <class Banks>
GSIM_HD Fate complete_real_collision(History<Banks>& h, std::int32_t material,
                                     const GroupData& xs) {
  auto& p = h.particle;
  if (const Fate fate = collide(h, material, xs); has_ended(fate)) return fate;
  begin_flight(p.coordinates, position_of(p), p.direction);
  p.track_start = p.coordinates.path;
  p.outer_boundary = next_outer_surface(h.args.geometry, p.coordinates);
  return Fate::alive;
}

template <class Banks>
GSIM_HD Fate advance_to_possible_collision(History<Banks>& h, double majorant) {
  auto& p = h.particle;
  const GeometryView& g = h.args.geometry;
  const double distance = p.free_paths / majorant;
  if (const Fate fate =
          stream(h, Cell::void_material, nullptr, distance, p.coordinates.path + distance);
      has_ended(fate))
    return fate;
  p.coordinates.path += distance;
  const transport::CellAt here =
      cell_at<SearchRegion::inside_outer_boundary>(g, position_of(p), p.direction);
  if (here.cell < 0) return mark_as_lost(h, LostParticle::Reason::no_cell);
  p.coordinates.entered_half_space = -1;
  // Copies from splitting collide here, too: they have no free paths left.
  if (const Fate fate = enter_cell(h, here.cell, 0); has_ended(fate)) return fate;
  if (const Fate fate = apply_weight_window(h, 0); has_ended(fate)) return fate;
  p.free_paths = sample_free_paths(p.random);
  const GroupData* const xs = cross_sections(h, here.material);
  if constexpr (Banks::features.levels > 1)
    if (has_tallies(h) && h.args.tallies.needs_levels != 0) locate(g, p.coordinates);
  tally_collision(h, here.material, xs, majorant);
  if (xs == nullptr || !(p.random.uniform() * majorant < xs->total)) return Fate::alive;
  tally_whole_track(h);
  if constexpr (Banks::defers_events) {
    p.colliding_in = here.material;
    return Fate::collides;
  } else {
    return complete_real_collision(h, here.material, *xs);
  }
}

/// Prepares the first flight of a particle, or of a part of its transport.
template <class Banks>
GSIM_HD Fate begin_delta_tracking(History<Banks>& h) {
  auto& p = h.particle;
  const GeometryView& g = h.args.geometry;
  if (p.continues_flight) return Fate::alive;
  if (!is_inside_outer_boundary(g, position_of(p), p.direction))
    return mark_as_lost(h, LostParticle::Reason::no_cell);
  if (p.free_paths < 0) p.free_paths = sample_free_paths(p.random);
  p.outer_boundary = next_outer_surface(g, p.coordinates);
  return Fate::alive;
}

/// Advances the particle to its next event.
template <class Banks>
GSIM_HD Fate next_event_by_majorant(History<Banks>& h) {
  auto& p = h.particle;
  const double majorant = h.args.materials.majorant[p.group];
  const double distance = p.outer_boundary.path - p.coordinates.path;
  // Otherwise the flight has begun, and was counted, on another rank.
  if (p.tallied_to < 0) h.banks.count_flight(h.scores);
  const bool is_at_collision = p.free_paths < majorant * distance;
  if constexpr (Banks::defers_events)
    return is_at_collision ? Fate::reaches_collision : Fate::reaches_surface;
  else
    return is_at_collision ? advance_to_possible_collision(h, majorant)
                           : advance_to_outer_surface(h, majorant, distance);
}
/// Completes Fate::reaches_collision.
template <class Banks>
GSIM_HD Fate complete_possible_collision(History<Banks>& h) {
  return advance_to_possible_collision(h, h.args.materials.majorant[h.particle.group]);
}
/// Completes Fate::reaches_surface.
template <class Banks>
GSIM_HD Fate complete_outer_crossing(History<Banks>& h) {
  const auto& p = h.particle;
  return advance_to_outer_surface(h, h.args.materials.majorant[p.group],
                                  p.outer_boundary.path - p.coordinates.path);
}

}  // namespace transport_kernels
GSIM_TARGET_END
