#pragma once
// Heston's variance and log-spot by the quadratic-exponential scheme with martingale correction:
// Andersen, "Simple and efficient simulation of the Heston stochastic volatility model", Journal of
// Computational Finance 11(3), 2008. Equation numbers are the paper's (SSRN 946405). psi_c = 3/2,
// gamma_1 = gamma_2 = 1/2. Where the expectation that the correction K0* divides by does not exist
// (A too large, section 4.3.2), the uncorrected K0 is used for that path and step.

#include "kernels/pricing/lanes.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

template <class P>
struct QeStepResult {
  P v;         ///< variance at the end of the step
  P x;         ///< log-spot at the end of the step
  P variance;  ///< variance of the log-spot over the step, for Brownian bridges
};

/// The quadratic branch (eq. 23, 27, 28): v' = a (b + z)^2. `q` is 2 / psi >= 1, `m` the mean.
template <class Policy, class P, class T>
GSIM_HD void qe_quadratic(const QeStep<T>& c, P m, P q, P z, P& v, P& correction, P& exists) {
  const P qm1 = q - P(T(1));
  const P b2 = qm1 + sqrt(q * qm1);
  const P a = m / (P(T(1)) + b2);
  const P root = sqrt(b2) + z;
  v = a * (root * root);
  // Proposition 9, first part: K0* = -A b^2 a / (1 - 2 A a) + ln(1 - 2 A a) / 2 - (k1 + k3/2) v.
  const P d = P(T(1)) - P(T(2) * c.a) * a;
  exists = d;
  const P safe = at_least(d, P(tiny<T>()));
  correction = fma(P(T(0.5)), log<Policy>(safe), -((P(c.a) * b2) * a) / safe);
}

/// The exponential branch (eq. 25, 29, 30): v' = ln((1 - p) / u) / beta, at least 0, with u
/// uniform.
template <class Policy, class P, class T>
GSIM_HD void qe_exponential(const QeStep<T>& c, P m, P q, P u, P& v, P& correction, P& exists) {
  const P one_minus_p = (q + q) / (q + P(T(2)));  // = 2 / (psi + 1), psi = 2 / q
  const P inverse_beta = m / one_minus_p;
  v = at_least(inverse_beta * log<Policy>(one_minus_p / u), P(T(0)));
  // Proposition 9, second part: K0* = -ln(p + beta (1 - p) / (beta - A)) - (k1 + k3/2) v.
  const P d = P(T(1)) - P(c.a) * inverse_beta;
  exists = d;
  const P safe = at_least(d, P(tiny<T>()));
  correction = -log<Policy>((P(T(1)) - one_minus_p) + one_minus_p / safe);
}

/// One step from (x, v). z_s drives the log-spot and is independent of the variance's z_v;
/// `uniform` is a callable that gives the variance's uniform, called only when a lane needs it.
template <class Policy, class P, class T, class Uniform>
GSIM_HD QeStepResult<P> heston_qe_step(const QeStep<T>& c, P x, P v, P z_s, P z_v, T drift,
                                       const Uniform& uniform) {
  const P m = at_least(fma(v, P(c.decay), P(c.mean_offset)), P(tiny<T>()));
  const P s2 = fma(v, P(c.s2_slope), P(c.s2_offset));
  // q = 2 / psi = 2 m^2 / s^2, bounded so that b stays finite as s -> 0.
  const P q = at_most((m + m) * (m / at_least(s2, P(tiny<T>()) * m)), P(qe_largest_q<T>()));
  P next, correction, exists;
  qe_quadratic<Policy>(c, m, at_least(q, P(T(1))), z_v, next, correction, exists);
  const auto exponential = q < P(T(4) / T(3));  // psi > 3/2
  if (any(exponential)) {
    P next_e, correction_e, exists_e;
    qe_exponential<Policy>(c, m, q, uniform(), next_e, correction_e, exists_e);
    next = select(exponential, next_e, next);
    correction = select(exponential, correction_e, correction);
    exists = select(exponential, exists_e, exists);
  }
  // Eq. 33 with K0* of Proposition 9: its -(k1 + k3/2) v joins k1 v to -k3/2 v.
  const P corrected = fma(P(-c.half_k3), v, correction);
  const P plain = fma(P(c.k1), v, P(c.k0));
  const P mean = select(exists > P(tiny<T>()), corrected, plain);
  const P spread = sqrt(fma(P(c.k3), v, P(c.k4) * next));
  const P moved = fma(spread, z_s, fma(P(c.k2), next, mean) + P(drift));
  return {next, x + moved, P(c.half_dt) * (v + next)};
}

}  // namespace pricing_kernels
GSIM_TARGET_END
