#pragma once
// A real collision of a history: fission, capture and scattering, and its scores.

#include "gsim/transport/noinline.hpp"
#include "kernels/transport/collisions/fission.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// A particle in two cells at once is lost: the geometry is wrong.
template <class Banks>
GSIM_TRANSPORT_HOST_NOINLINE Fate check_overlap(History<Banks>& h) {
  if (!is_overlapping(h.args.geometry, position_of(h.particle), h.particle.direction))
    return Fate::alive;
  return mark_as_lost(h, LostParticle::Reason::overlap);
}

/// Scores the absorption estimate of k: the fission neutrons per absorption times the absorbed
/// weight.
template <int levels>
GSIM_HD void score_k_absorption(ParticleOf<levels>& p, const GroupData& xs, double absorbed) {
  if (xs.nu_fission > 0) p.k.k_absorption += absorbed * xs.nu_fission / xs.absorption;
}

/// Scores the expected fission neutrons of a collision for k and banks them.
template <class Banks>
GSIM_HD Fate fission(History<Banks>& h, std::int32_t material, const GroupData& xs) {
  if (!(xs.nu_fission > 0)) return Fate::alive;
  auto& p = h.particle;
  const double yield = p.weight * xs.nu_fission / xs.total;
  p.k.k_collision += yield;
  if (h.rules.fission == transport::Fission::next)
    bank_fission_sites(h, material, yield / h.args.k);
  else if (Banks::features.secondaries && h.rules.fission == transport::Fission::same_batch)
    return bank_fission_neutrons(h, material, yield);
  return Fate::alive;
}

/// Collides the particle in `material`, whose cross sections are `xs`: fission neutrons are banked,
/// and the particle is absorbed or scattered (analog capture), or scattered with the weight that is
/// not absorbed (implicit capture).
template <class Banks>
GSIM_HD Fate collide(History<Banks>& h, std::int32_t material, const GroupData& xs) {
  auto& p = h.particle;
  h.banks.count_collision(h.scores);
  if (h.rules.checks_overlaps != 0)
    if (const Fate fate = check_overlap(h); has_ended(fate)) return fate;
  if (const Fate fate = fission(h, material, xs); has_ended(fate)) return fate;
  const Incoming before{p.group, p.direction, p.weight};
  const bool is_analog = h.rules.capture == transport::Capture::analog;
  const bool is_scattered =
      converged(scatter_or_absorb(h.args.materials, h.rules.capture, material, p.group, p.direction,
                                  p.weight, p.random)) == CollisionKind::scattered;
  double absorbed = before.weight * xs.absorption / xs.total;
  double scattered = before.weight * xs.scattering_ratio;
  if (is_analog) {
    absorbed = is_scattered ? 0.0 : before.weight;
    scattered = is_scattered ? before.weight : 0.0;
  }
  if (!is_analog || !is_scattered) score_k_absorption(p, xs, absorbed);
  tally_events(h, material, xs, before, absorbed, scattered);
  if (!is_scattered) return Fate::absorbed;
  tally_scattering(h, xs, before.direction);
  if (is_analog) return Fate::alive;
  return apply_weight_cutoff(h);
}

}  // namespace transport_kernels
GSIM_TARGET_END
