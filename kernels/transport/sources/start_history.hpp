#pragma once
// The start of a history: from a fission site, from a source, or from a given particle.

#include "gsim/transport/noinline.hpp"
#include "kernels/transport/sources/sources.hpp"
#include "kernels/transport/tallies/history_detectors.hpp"
#include "kernels/transport/tracking/migration.hpp"
#include "kernels/transport/variance_reduction/population_control.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::Start;

/// Samples a particle from the sources.
GSIM_TRANSPORT_NOINLINE SourceSampling sample_start(const HistoriesArgs& args,
                                                    HistoryRandom& random,
                                                    transport::SourceParticle& particle) {
  const auto accept = [&](std::int32_t source, const Vector3& position) {
    const transport::Source& s = args.sources.sources[source];
    if (s.cells == 0 && s.materials == 0) return true;
    const Vector3 any_direction{0, 0, 1};  // selects the side if the position is on a surface
    const transport::CellAt here = cell_anywhere_at(args.geometry, position, any_direction);
    return is_admitted(args.sources, source, here.cell, here.material);
  };
  return sample_source(args.sources, random, accept, particle);
}

/// Starts the history of a fission neutron, isotropic and with weight 1.
template <class Banks>
GSIM_HD Fate start_at_site(History<Banks>& h, const FissionSite& site) {
  auto& p = h.particle;
  p.direction = isotropic_direction(p.random);
  p.weight = 1;
  p.time = 0;
  p.group = site.group;
  begin_flight(p.coordinates, site.position, p.direction);
  p.cell = -1;
  constexpr std::int32_t is_collided = 0;
  if constexpr (Banks::features.others)
    if (has_detectors(h)) score_detectors(h, {}, is_collided, nullptr);
  return apply_weight_window(h);
}

/// Starts history `i` of this pass.
template <class Banks>
GSIM_HD Fate start_history(History<Banks>& h, Index i) {
  const HistoriesArgs& args = h.args;
  auto& p = h.particle;
  reset(p);
  p.secondaries = 0;
  p.random = HistoryRandom(args.key, static_cast<std::uint64_t>(args.first_history + i));
  if (args.start == Start::sites) return start_at_site(h, args.sites[i]);
  transport::SourceParticle particle;
  SourceSampling sampling = SourceSampling::sampled;
  if (args.start == Start::particles)
    particle = args.particles[i];
  else {
    HistoryRandom random = p.random;  // a copy, whose address is used
    sampling = sample_start(args, random, particle);
    p.random = random;
  }
  p.direction = particle.direction;
  p.weight = particle.weight;
  p.time = particle.time;
  p.group = particle.group;
  begin_flight(p.coordinates, particle.position, p.direction);
  p.cell = -1;
  if (sampling == SourceSampling::no_position)
    return mark_as_lost(h, LostParticle::Reason::no_start);
  if (const Fate fate = check_time(h); has_ended(fate)) return fate;
  if constexpr (Banks::features.others)
    if (has_detectors(h)) score_detectors_at_source(h, particle);
  return apply_weight_window(h);
}

}  // namespace transport_kernels
GSIM_TARGET_END
