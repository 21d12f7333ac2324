#pragma once
// The exponential transform: free paths are sampled from a cross section that depends on the
// direction, and weights are corrected along the flight (FlightBias).

#include "gsim/math/exp.hpp"
#include "kernels/transport/tracking/history_state.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Cosine between the particle's direction and the direction in which the transform stretches free
/// paths.
template <int levels>
GSIM_HD double preferred_cosine(const ParticleOf<levels>& p, const transport::FlightBias& bias) {
  if (bias.is_towards == 0) return dot(p.direction, bias.target);
  const Vector3 to_target = bias.target - position_of(p);
  const double square = dot(to_target, to_target);
  return square > 0 ? dot(p.direction, to_target) / sqrt(square) : 0.0;
}
/// The weight `distance` cm further along the flight.
template <int levels>
GSIM_HD double weight_after(const ParticleOf<levels>& p, double distance) {
  return p.weight_attenuation == 0 ? p.weight
                                   : p.weight * gsim::exp<Strict>(-p.weight_attenuation * distance);
}
/// Changes the weight to that `distance` cm further along the flight.
template <int levels>
GSIM_HD void correct_weight(ParticleOf<levels>& p, double distance) {
  if (p.weight_attenuation != 0) p.weight = weight_after(p, distance);
}
/// The integral of the weight over the next `distance` cm, divided by the weight now, cm.
template <int levels>
GSIM_HD double weighted_length(const ParticleOf<levels>& p, double distance) {
  return p.weight_attenuation == 0
             ? distance
             : -gsim::expm1<Strict>(-p.weight_attenuation * distance) / p.weight_attenuation;
}

}  // namespace transport_kernels
GSIM_TARGET_END
