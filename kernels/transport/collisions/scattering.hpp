#pragma once
// Sampling of the scattering cosine.
//
// Linear distributions are inverted in closed form. Distributions of higher order are sampled by
// rejection under a piecewise constant bound on equal bins, which are selected in proportion to the
// bounds. This is exact for any order and for densities near zero, and needs a few hundred bytes
// per distribution. (Inversion of a tabulated distribution reads as much memory and is
// approximate.) The tables are built so that less than a quarter of the samples is rejected.
//
// Densities are sums of Chebyshev polynomials, which Clenshaw's recurrence evaluates stably with
// two operations per term and without the constants of the Legendre recurrence.

#include "gsim/transport/directions.hpp"
#include "kernels/transport/materials/material_view.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Inverse of the distribution function of f(mu) = (1 + a mu) / 2 on [-1, 1], |a| <= 1, at u: the
/// root of a mu^2 + 2 mu + 2 - a - 4 u = 0 in that interval, without cancellation for any a.
GSIM_HD double linear_cosine(double a, double u) {
  const double b = 1.0 - a;
  const double mu = fma(4.0, u, a - 2.0) / (1.0 + sqrt(fma(4.0 * a, u, b * b)));
  return mu > 1.0 ? 1.0 : mu < -1.0 ? -1.0 : mu;
}

/// sum of c_k T_k(x), k = 0 … order (C. W. Clenshaw, Math. Comp. 9 (1955) 118).
GSIM_HD double chebyshev_sum(const double* c, std::int32_t order, double x) {
  const double twice = x + x;
  double b1 = 0, b2 = 0;
  for (std::int32_t k = order; k > 0; --k) {
    const double b = fma(twice, b1, c[k] - b2);
    b2 = b1;
    b1 = b;
  }
  return fma(x, b1, c[0] - b2);
}

/// Samples a cosine from the distribution MaterialView::angles[angle].
template <class Random>
GSIM_HD double sample_angle(const MaterialView& m, std::int32_t angle, Random& random) {
  const transport::AngleLaw& law = m.angles[angle];
  const transport::AngleSlot* const slots = m.angle_slots.data + law.first_slot;
  for (;;) {
    const AliasPlace at = alias_place(law.slots, random.uniform());
    const std::int32_t slot =
        at.fraction < slots[at.slot].threshold ? at.slot : slots[at.slot].alias;
    if (law.order < 0) return slots[slot].value;  // discrete cosines
    const double mu = fma((slot + random.uniform()) / law.slots, 2.0, -1.0);
    const double density =
        chebyshev_sum(m.coefficients.data + law.first_coefficient, law.order, mu);
    if (random.uniform() * slots[slot].value < density) return mu;
  }
}

/// The density of the cosine `mu` of a transfer's scattering angle, whose integral over [-1, 1] is
/// 1. Where particles scatter at discrete cosines, which have no density, it is that of the
/// Legendre expansion that the cosines represent, as in the point detectors of MORSE (M. B.
/// Emmett, ORNL-4972 (1975)); it may be negative.
GSIM_HD double scattering_density(const MaterialView& m, const transport::Transfer& transfer,
                                  double mu) {
  if (transfer.angle < 0) return fma(0.5 * transfer.slope, mu, 0.5);
  const transport::AngleLaw& law = m.angles[transfer.angle];
  const std::int32_t order = law.order < 0 ? -1 - law.order : law.order;
  return chebyshev_sum(m.coefficients.data + law.first_coefficient, order, mu);
}

}  // namespace transport_kernels
GSIM_TARGET_END
