#pragma once
// Next-event estimates of a history: where it calls score_emission() (next_event.hpp) for point
// detectors.

#include "gsim/transport/noinline.hpp"
#include "kernels/transport/tallies/next_event.hpp"
#include "kernels/transport/tracking/history_state.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Where surface tracking has located the cells of the particle's position; null in delta tracking.
template <class Banks>
GSIM_HD const Coordinates* located_cells(const History<Banks>& h) {
  return tracks_surfaces(h) ? &h.particle.coordinates : nullptr;
}

/// Scores the particle at point detectors as it is emitted from its position with the directional
/// distribution `law`. `at`: its located cells; null: they are located first.
template <class Banks>
GSIM_TRANSPORT_NOINLINE void score_detectors(Argument<History<Banks>> h, const EmissionLaw& law,
                                             std::int32_t is_collided, const Coordinates* at) {
  const auto& p = h.particle;
  score_emission(h.args, h.sink, h.scores,
                 {position_of(p), p.weight, p.time, &p.random, p.group, is_collided, law}, at);
}

/// Scores a source particle. Particles of files and plugins come from isotropic sources, which
/// check_detectors() ensures.
template <class Banks>
GSIM_TRANSPORT_NOINLINE void score_detectors_at_source(Argument<History<Banks>> h,
                                                       const transport::SourceParticle& particle) {
  const bool is_sampled = h.args.start == transport::Start::sources;
  score_detectors(h,
                  is_sampled
                      ? law_of_source(h.args.sources.sources[particle.source], particle.position)
                      : EmissionLaw{},
                  0, nullptr);
}

/// Scores a scattering from the group of `xs` and from `direction` into the particle's group.
template <class Banks>
GSIM_TRANSPORT_NOINLINE void score_detectors_at_scattering(Argument<History<Banks>> h,
                                                           const GroupData& xs, Vector3 direction) {
  EmissionLaw law;
  law.kind = EmissionLaw::Kind::scattered;
  law.axis = direction;
  law.transfer = transfer_between(h.args.materials, xs, h.particle.group);
  score_detectors(h, law, 1, located_cells(h));
}
/// Scores a scattering, as score_detectors_at_scattering(), where there are detectors.
template <class Banks>
GSIM_HD void tally_scattering(const History<Banks>& h, const GroupData& xs,
                              const Vector3& direction) {
  if constexpr (Banks::features.others)
    if (has_detectors(h)) score_detectors_at_scattering(h, xs, direction);
}

}  // namespace transport_kernels
GSIM_TARGET_END
