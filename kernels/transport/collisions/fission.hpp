#pragma once
// Fission neutrons of a collision: sites of the next generation, or secondaries of the same batch.

#include "gsim/transport/noinline.hpp"
#include "kernels/transport/collisions/collision.hpp"
#include "kernels/transport/tallies/history_detectors.hpp"
#include "kernels/transport/variance_reduction/population_control.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Banks `count` fission sites for the next generation.
template <class Banks>
GSIM_TRANSPORT_HOST_NOINLINE void bank_sites_here(History<Banks>& h, std::int32_t material,
                                                  std::int32_t count) {
  auto& p = h.particle;
  const std::int64_t parent = static_cast<std::int64_t>(p.random.state().history) -
                              h.args.first_history + h.args.first_parent;
  for (std::int32_t n = 0; n < count; ++n) {
    const FissionNeutron neutron =
        sample_fission_neutron(h.args.materials, material, p.group, p.random);
    h.banks.add_fission_site(FissionSite{position_of(p), parent, p.random.branch(),
                                         p.fission_sites++,
                                         static_cast<std::int16_t>(neutron.group),
                                         static_cast<std::int16_t>(neutron.delayed_group)});
  }
}
/// Banks fission sites for the next generation, `expected` of them on average.
template <class Banks>
GSIM_HD void bank_fission_sites(History<Banks>& h, std::int32_t material, double expected) {
  bank_sites_here(h, material, sample_count(expected, h.particle.random));
}

/// Banks fission neutrons of the total weight `yield`, on average, as secondaries. Their weights
/// are such that Russian roulette would let them survive.
template <class Banks>
GSIM_TRANSPORT_HOST_NOINLINE Fate bank_fission_neutrons(History<Banks>& h, std::int32_t material,
                                                        double yield) {
  auto& p = h.particle;
  const double weight = has_windows(h) ? p.weight : h.rules.survival * nominal_weight(h);
  const std::int32_t count = sample_count(yield / weight, p.random);
  add_score(h.scores.fission_production, count * weight);
  for (std::int32_t n = 0; n < count; ++n) {
    const FissionNeutron neutron =
        sample_fission_neutron(h.args.materials, material, p.group, p.random);
    const Vector3 direction = isotropic_direction(p.random);
    if constexpr (Banks::features.others)
      if (has_detectors(h))
        score_emission(
            h.args, h.sink, h.scores,
            {position_of(p), weight, p.time + neutron.delay, &p.random, neutron.group, 1, {}},
            located_cells(h));
    if (push_secondary(h, banked_here(p, direction, weight, p.time + neutron.delay, -1,
                                      p.random.child(static_cast<std::uint32_t>(n)),
                                      neutron.group)) != Fate::alive)
      return Fate::lost;
  }
  return Fate::alive;
}

}  // namespace transport_kernels
GSIM_TARGET_END
