#pragma once
// How flights are biased in the current cell: the cross section of the exponential transform, and
// forced collisions.

#include "gsim/math/exp.hpp"
#include "gsim/math/log.hpp"
#include "gsim/transport/noinline.hpp"
#include "kernels/transport/collisions/collision.hpp"
#include "kernels/transport/variance_reduction/population_control.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Splits a particle that will leave its cell after `free_paths` mean free paths: the part that
/// does not collide in the cell is banked, unless Russian roulette at low weights kills it; the
/// part that collides continues.
template <class Banks>
GSIM_HD Fate force_collision(History<Banks>& h, double free_paths) {
  auto& p = h.particle;
  const double colliding = -gsim::expm1<Strict>(-free_paths);
  if (!(colliding > 0 && free_paths < infinite_path)) return Fate::alive;
  const double u = p.random.uniform();
  tally_whole_track(h);
  SplitResult through{1, p.weight * gsim::exp<Strict>(-free_paths)};
  const double nominal = nominal_weight(h);
  if (!has_windows(h) && through.weight < h.rules.cutoff * nominal)
    through = russian_roulette(through.weight, h.rules.survival * nominal, p.random);
  const double remaining = free_paths + sample_free_paths(p.random);
  p.flight.is_conditional = 1;
  if (through.count > 0 &&
      push_secondary(h, banked_here(p, p.direction, through.weight, p.time, remaining,
                                    p.random.child(1), p.group)) != Fate::alive)
    return Fate::lost;
  p.weight *= colliding;
  const double sampled = -gsim::log1p<Strict>(-u * colliding);
  constexpr double below_1 = 1 - 0x1p-53;
  p.free_paths = sampled < free_paths ? sampled : free_paths * below_1;
  return Fate::alive;
}

/// The outcome of bias_flight(), and the cross section that free paths are sampled from, 1/cm.
struct BiasedFlight {
  Fate fate;
  double total;
};
/// Applies the biases of the current cell, which has the total cross section `total` (1/cm) and
/// ends after `distance` (cm).
template <class Banks>
GSIM_TRANSPORT_NOINLINE BiasedFlight bias_flight(HistoryArgument<Banks> h, double total,
                                                 double distance) {
  auto& p = h.particle;
  const transport::FlightBias& bias = h.args.variance_reduction.biases[innermost_cell(p)];
  const bool has_entered = p.flight.has_entered_cell != 0;
  p.flight.has_entered_cell = 0;
  p.weight_attenuation = 0;
  BiasedFlight flight{Fate::alive, total};
  if (!(total > 0)) return flight;
  if (bias.stretching != 0) {
    p.weight_attenuation = total * bias.stretching * preferred_cosine(p, bias);
    flight.total = total - p.weight_attenuation;
  }
  if (has_entered && bias.is_forced != 0) flight.fate = force_collision(h, flight.total * distance);
  return flight;
}

/// After a crossing: ends the conditional sampling of the flight, and marks the entry into a cell.
template <class Banks>
GSIM_HD void update_flight_bias(History<Banks>& h, const Crossing& crossing) {
  if (!has_biases(h)) return;
  h.particle.flight.is_conditional = 0;
  h.particle.flight.has_entered_cell =
      crossing.kind == CrossingKind::next_cell || crossing.kind == CrossingKind::translated;
}

}  // namespace transport_kernels
GSIM_TARGET_END
