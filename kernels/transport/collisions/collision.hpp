#pragma once
// Sampling of collisions. Random numbers, in this order: analog absorption (one), the outgoing
// group (one, if there are several), the scattering cosine (one for linear laws, more for others),
// the azimuth (one).

#include "gsim/math/log.hpp"
#include "kernels/transport/collisions/capture.hpp"
#include "kernels/transport/collisions/scattering.hpp"
#include "kernels/transport/materials/material_view.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// The number of mean free paths to the next collision that u in (0, 1) selects: exponentially
/// distributed with mean 1. R is a double or a pack.
template <class R>
GSIM_HD R free_paths_from(R u) {
  return -gsim::log_unit<Strict>(u);
}
template <class Random>
GSIM_HD double sample_free_paths(Random& random) {
  return free_paths_from(random.uniform());
}

/// The transfer that u in (0, 1) selects from a row of n > 0.
GSIM_HD const transport::Transfer& choose_transfer(const transport::Transfer* row, std::int32_t n,
                                                   double u) {
  if (n > transport::searched_transfers) {
    const AliasPlace at = alias_place(n, u);
    return row[at.fraction < row[at.slot].threshold ? at.slot : row[at.slot].alias];
  }
  while (u >= row->threshold) ++row;
  return *row;
}

/// The direction after scattering by `transfer`.
template <class Random>
GSIM_HD Vector3 scattered_direction(const MaterialView& m, const transport::Transfer& transfer,
                                    const Vector3& direction, Random& random) {
  if (transfer.angle < 0 && transfer.slope == 0.0) return isotropic_direction(random);
  const double mu = transfer.angle < 0 ? linear_cosine(transfer.slope, random.uniform())
                                       : sample_angle(m, transfer.angle, random);
  return turned(direction, mu, random.uniform());
}

/// The result of scattering.
struct Scattering {
  std::int32_t group;
  double multiplicity;  ///< factor of the weight
};

/// Samples a scattering: returns the new group and rotates the direction. The material must scatter
/// in this group (scattering_ratio > 0).
template <class Random>
GSIM_HD Scattering scatter(const MaterialView& m, const transport::GroupData& data,
                           Vector3& direction, Random& random) {
  const transport::Transfer* const row = m.transfers.data + data.first_transfer;
  const transport::Transfer& transfer =
      data.transfers > 1 ? choose_transfer(row, data.transfers, random.uniform()) : *row;
  direction = scattered_direction(m, transfer, direction, random);
  return {transfer.group, transfer.multiplicity};
}

enum class CollisionKind : std::int32_t { scattered, absorbed };

/// A collision: the particle is scattered or absorbed. With implicit capture its weight is reduced
/// by the absorbed part, and it is absorbed only if the material does not scatter. With analog
/// capture its weight changes only by multiplicities other than 1, and by scattering ratios above
/// 1, which rounded data may have.
template <class Random>
GSIM_HD CollisionKind scatter_or_absorb(const MaterialView& m, transport::Capture capture,
                                        std::int32_t material, std::int32_t& group,
                                        Vector3& direction, double& weight, Random& random) {
  const transport::GroupData& data = group_data(m, material, group);
  const bool is_analog = capture == transport::Capture::analog;
  const double u = is_analog ? random.uniform() : 0.0;
  if (!(u < data.scattering_ratio)) return CollisionKind::absorbed;
  const Scattering out = scatter(m, data, direction, random);
  group = out.group;
  if (is_analog) {
    weight *= out.multiplicity;
    if (data.scattering_ratio > 1.0) weight *= data.scattering_ratio;
  } else {
    weight *= data.scattering_ratio * out.multiplicity;
  }
  return CollisionKind::scattered;
}

/// A number of fission neutrons with the given expected value: floor(expected + u).
template <class Random>
GSIM_HD std::int32_t sample_count(double expected, Random& random) {
  return static_cast<std::int32_t>(expected + random.uniform());
}

/// A fission neutron; its isotropic direction is sampled elsewhere.
struct FissionNeutron {
  std::int32_t group;
  std::int32_t delayed_group;  ///< -1: prompt
  double delay;                ///< time after the fission, s; 0 for prompt neutrons
};

/// Samples a fission neutron. Random numbers: prompt or delayed group (one, if there are delayed
/// groups), the delay (one, of delayed neutrons), the energy group (one).
template <class Random>
GSIM_HD FissionNeutron sample_fission_neutron(const MaterialView& m, std::int32_t material,
                                              std::int32_t group, Random& random) {
  const transport::FissionData& fission = m.fission[material];
  std::int32_t spectrum = fission.prompt_spectrum + group * fission.prompt_stride;
  FissionNeutron neutron{0, -1, 0.0};
  if (fission.delayed_groups > 0) {
    const double* const cumulative =
        m.fractions.data + fission.first_fraction + Index{group} * fission.delayed_groups;
    const double u = random.uniform();
    for (std::int32_t d = 0; d < fission.delayed_groups; ++d) {
      if (u >= cumulative[d]) continue;
      const transport::DelayedData& delayed = m.delayed[fission.first_delayed + d];
      neutron.delayed_group = d;
      neutron.delay = delayed.mean_delay * sample_free_paths(random);
      spectrum = delayed.spectrum;
      break;
    }
  }
  neutron.group = sample_spectrum(m, spectrum, random.uniform());
  return neutron;
}

}  // namespace transport_kernels
GSIM_TARGET_END
