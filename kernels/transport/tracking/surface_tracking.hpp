#pragma once
// Surface tracking: flights end at collisions, at cell boundaries and at planes between weight
// windows. The mean free paths that remain at a boundary are used behind it, without drawing a new
// random number.

#include "kernels/transport/collisions/collide.hpp"
#include "kernels/transport/tracking/stream.hpp"
#include "kernels/transport/variance_reduction/forced_collisions.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// The part of the current cell ahead of the particle.
struct FlightAhead {
  std::int32_t material;  ///< index; Cell::void_material in void
  const GroupData* xs;    ///< of the material; null in void
  double biased_total;    ///< total cross section that free paths are sampled from, 1/cm
  Boundary boundary;      ///< the end of the cell
  double distance;        ///< to the boundary, cm
};

/// Advances the particle by `distance` to the next plane between weight windows.
template <class Banks>
GSIM_HD Fate advance_to_window(History<Banks>& h, const FlightAhead& ahead, double distance) {
  auto& p = h.particle;
  if (const Fate fate =
          stream(h, ahead.material, ahead.xs, distance, p.coordinates.path + distance);
      has_ended(fate))
    return fate;
  p.free_paths -= ahead.biased_total * distance;
  p.coordinates.path += distance;
  correct_weight(p, distance);
  return apply_weight_window(h);
}

/// The collision of a particle in `material`, and the start of its next flight.
template <class Banks>
GSIM_HD Fate complete_collision(History<Banks>& h, std::int32_t material, const GroupData& xs) {
  auto& p = h.particle;
  if (const Fate fate = collide(h, material, xs); has_ended(fate)) return fate;
  turn(h.args.geometry, p.coordinates, p.direction);
  p.track_start = p.coordinates.path;
  p.free_paths = sample_free_paths(p.random);
  return Fate::alive;
}

/// Advances the particle to its collision; `total`: the total cross section without bias, 1/cm.
template <class Banks>
GSIM_HD Fate advance_to_collision(History<Banks>& h, const FlightAhead& ahead, double total) {
  auto& p = h.particle;
  const double distance = p.free_paths / ahead.biased_total;
  if (const Fate fate =
          stream(h, ahead.material, ahead.xs, distance, p.coordinates.path + distance);
      has_ended(fate))
    return fate;
  p.coordinates.path += distance;
  if (p.weight_attenuation != 0) {
    correct_weight(p, distance);
    p.weight *= total / ahead.biased_total;
  }
  p.flight = {};
  tally_whole_track(h);
  tally_collision(h, ahead.material, ahead.xs, total);
  if constexpr (Banks::defers_events) {
    p.colliding_in = ahead.material;
    return Fate::collides;
  } else {
    return complete_collision(h, ahead.material, *ahead.xs);
  }
}

/// Advances the particle to the end of its cell and across the surface there.
template <class Banks>
GSIM_HD Fate advance_to_surface(History<Banks>& h, const FlightAhead& ahead) {
  auto& p = h.particle;
  const Boundary& boundary = ahead.boundary;
  if (boundary.side == Boundary::none) return mark_as_lost(h, LostParticle::Reason::no_cell);
  if (const Fate fate = stream(h, ahead.material, ahead.xs, ahead.distance, boundary.path);
      has_ended(fate))
    return fate;
  p.free_paths -= ahead.biased_total * ahead.distance;
  correct_weight(p, ahead.distance);
  const Vector3 origin = p.coordinates.level[0].origin;
  Crossing crossing = cross(h.args.geometry, p.coordinates, boundary, p.random);
  crossing.kind = converged(crossing.kind);
  update_flight_bias(h, crossing);
  tally_crossing(h, origin, boundary.path, ahead.xs, crossing);
  if (const Fate fate = record_crossing(h, origin, boundary.path, crossing); has_ended(fate))
    return fate;
  if (const Fate fate = apply_crossing(h, crossing, origin, boundary.path); has_ended(fate))
    return fate;
  if (crossing.kind == CrossingKind::next_cell) {
    if (const Fate fate = enter_cell(h, innermost_cell(p)); has_ended(fate)) return fate;
    if (const Fate fate = apply_weight_window(h); has_ended(fate)) return fate;
  }
  return reenter(h, crossing);
}

/// The part of the current cell before `boundary`, its end, without biases.
template <class Banks>
GSIM_HD FlightAhead flight_to(const History<Banks>& h, const Boundary& boundary) {
  const auto& p = h.particle;
  const std::int32_t material = h.args.geometry.cells[innermost_cell(p)].fill;
  const GroupData* const xs = cross_sections(h, material);
  return {material, xs, xs != nullptr ? xs->total : 0.0, boundary,
          boundary.path - p.coordinates.path};
}
/// Completes Fate::reaches_surface and Fate::reaches_element.
template <class Banks>
GSIM_HD Fate complete_crossing(History<Banks>& h) {
  return advance_to_surface(h, flight_to(h, found_boundary(h.particle.coordinates)));
}

/// Advances the particle to its next event.
template <class Banks>
GSIM_HD Fate next_event_by_surfaces(History<Banks>& h) {
  auto& p = h.particle;
  FlightAhead ahead = flight_to(h, next_boundary(h.args.geometry, p.coordinates));
  const double total = ahead.biased_total;
  if (p.tallied_to < 0) h.banks.count_flight(h.scores);
  if (has_biases(h)) {
    const BiasedFlight biased = bias_flight(h, total, ahead.distance);
    if (has_ended(biased.fate)) return biased.fate;
    ahead.biased_total = biased.total;
  }
  if (has_windows(h) && p.flight.is_conditional == 0) {
    const double distance = distance_to_window(h);
    if (distance < ahead.distance && !(p.free_paths < ahead.biased_total * distance))
      return advance_to_window(h, ahead, distance);
  }
  if (ahead.biased_total > 0 && p.free_paths < ahead.biased_total * ahead.distance)
    return advance_to_collision(h, ahead, total);
  if constexpr (Banks::defers_events)
    if (!has_biases(h))
      return ahead.boundary.side <= Boundary::first_element_side ? Fate::reaches_element
                                                                 : Fate::reaches_surface;
  return advance_to_surface(h, ahead);
}

/// Prepares the first flight of a particle, or of a part of its transport.
template <class Banks>
GSIM_HD Fate begin_surface_tracking(History<Banks>& h) {
  auto& p = h.particle;
  if (p.continues_flight) return Fate::alive;
  if (!locate(h.args.geometry, p.coordinates))
    return mark_as_lost(h, LostParticle::Reason::no_cell);
  if (const Fate fate = enter_cell(h, innermost_cell(p)); has_ended(fate)) return fate;
  if (p.free_paths < 0) p.free_paths = sample_free_paths(p.random);
  return Fate::alive;
}

}  // namespace transport_kernels
GSIM_TARGET_END
