#pragma once
// Heston's variance and log-spot by the quadratic-exponential scheme with martingale correction:
// Andersen, "Simple and efficient simulation of the Heston stochastic volatility model", Journal of
// Computational Finance 11(3), 2008. Equation numbers are those of the paper (SSRN 946405). psi_c =
// 3/2, gamma_1 = gamma_2 = 1/2. If the expectation in the denominator of the correction K0* does
// not exist (A too large, section 4.3.2), the uncorrected K0 is used for that path and step.

#include "gsim/math/in_range.hpp"
#include "gsim/pricing/lanes.hpp"
#include "kernels/pricing/job.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

template <class P>
struct QeStepResult {
  P v;         ///< variance at the end of the step
  P x;         ///< log-spot at the end of the step
  P variance;  ///< variance of the log-spot over the step, for Brownian bridges
};

/// What the branch of a path determines: its variance at the end of the step, 1 - 2 A a or 1 - A /
/// beta, which is positive if the expectation in the denominator of K0* exists, and the dividend of
/// the quotient in K0*.
template <class P>
struct QeBranch {
  P next, existence, dividend;
};

/// Quadratic branch (eq. 23), and K0* of Proposition 9, first part:
/// -A b^2 a / (1 - 2 A a) + ln(1 - 2 A a) / 2 - (k1 + k3/2) v. psi is at most 3/2.
template <class Policy, class P, class T>
GSIM_HD QeBranch<P> qe_quadratic(const QeStep<T>& c, P m, P psi, P z_v) {
  const P g = P(T(2)) + positive_sqrt_by_iteration<Policy>(fma(psi, P(T(-2)), P(T(4))));
  const P scale = divide_in_range<Policy>(m, g), rest = g - psi;
  const P root = fma(sqrt_by_iteration<Policy>(psi), z_v, positive_sqrt_by_iteration<Policy>(rest));
  return {scale * (root * root), fma(scale * psi, P(T(-2) * c.a), P(T(1))),
          (scale * P(c.a)) * rest};
}

/// The end of a step, eq. 33, where `mean` is K0* + k1 v, or K0 + k1 v.
template <class Policy, class P, class T>
GSIM_HD QeStepResult<P> qe_end(const QeStep<T>& c, P x, P v, P next, P mean, P z_s, T drift) {
  const P spread = sqrt_by_iteration<Policy>(fma(P(c.k3), v, P(c.k4) * next));
  const P moved = fma(spread, z_s, fma(P(c.k2), next, mean) + P(drift));
  return {next, x + moved, P(c.half_dt) * (v + next)};
}

/// m and psi of heston_qe_step().
template <class P>
struct QeMoments {
  P m, psi;
};
template <class Policy, class P, class T>
GSIM_HD QeMoments<P> qe_moments(const QeStep<T>& c, P v) {
  const P m = at_least(fma(v, P(c.decay), P(c.mean_offset)), P(tiny<T>()));
  return {m, divide_in_range<Policy>(fma(v, P(c.s2_slope), P(c.s2_offset)), m * m)};
}

/// A step of paths in either branch, with or without the correction.
template <class Policy, class P, class T>
GSIM_HD QeStepResult<P> qe_step_of_any(const QeStep<T>& c, P x, P v, const QeMoments<P>& moments,
                                       P z_s, P z_v, T drift) {
  const P one(T(1)), m = moments.m, psi = moments.psi;
  auto [next, existence, dividend] = qe_quadratic<Policy>(c, m, at_most(psi, P(T(1.5))), z_v);
  P divisor = at_least(existence, P(tiny<T>())), log_argument = divisor;
  const auto exponential = psi > P(T(1.5));
  if (any(exponential)) {
    // Exponential branch (eq. 25), and K0* of Proposition 9, second part:
    // -ln(p + beta (1 - p) / (beta - A)) - (k1 + k3/2) v.
    const P h = fma(psi, P(T(0.5)), P(T(0.5))), inverse_beta = m * h;
    const P tail = normal_cdf<Policy>(-z_v);  // 1 - U_V
    const P drawn = at_least(inverse_beta * -log_unit<Policy>(tail * h), P(T(0)));
    next = select(exponential, drawn, next);
    existence = select(exponential, one - P(c.a) * inverse_beta, existence);
    const P safe = at_least(existence, P(tiny<T>()));
    dividend = select(exponential, h * safe, dividend);
    divisor = select(exponential, fma(h, safe, one - safe), divisor);
  }
  const P ratio = divide_in_range<Policy>(dividend, divisor);
  log_argument = select(exponential, ratio * ratio, log_argument);
  const P correction =
      fma(P(T(0.5)), log_unit<Policy>(log_argument), select(exponential, P(T(0)), -ratio));
  // The term -(k1 + k3/2) v of K0* and k1 v add up to -k3/2 v.
  const P corrected = fma(P(-c.half_k3), v, correction);
  const P plain = fma(P(c.k1), v, P(c.k0));
  const P mean = select(existence > P(tiny<T>()), corrected, plain);
  return qe_end<Policy>(c, x, v, next, mean, z_s, drift);
}
#if !defined(__CUDACC__)
/// The same, not inlined, for packs.
template <class Policy, class P, class T>
__attribute__((noinline)) QeStepResult<P> qe_step_of_some(const QeStep<T>& c, const P& x,
                                                          const P& v, const QeMoments<P>& moments,
                                                          const P& z_s, const P& z_v, T drift) {
  return qe_step_of_any<Policy>(c, x, v, moments, z_s, z_v, drift);
}
#endif

/// Whether paths are in the quadratic branch; where psi is near 3/2, the answer may be no, since a
/// step of either branch gives them the same bits. On a device doubles are compared by their upper
/// halves, as integers, of which a multiprocessor compares more in a cycle.
template <class P>
GSIM_HD mask_of<P> is_surely_quadratic(const P& psi) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<P, double>) return __double2hiint(psi) < 0x3ff80000;  // 3/2
#endif
  return psi <= P(scalar_of<P>(1.5));
}
/// Whether log_near_one(x) is surely defined.
template <class P>
GSIM_HD mask_of<P> is_surely_near_one(const P& x) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<P, double>) {
    constexpr int least = 0x3fe6a162, most = 0x3ff6a090;  // the upper halves of 0.70720 and 1.41420
    return __double2hiint(x) > least && __double2hiint(x) < most;
  }
#endif
  return is_near_one(x);
}

/// Whether a condition holds for all paths that are computed together: the lanes of a pack, or the
/// threads of a warp that execute this instruction together. Either answer gives the same bits, so
/// that it does not matter which threads of the warp these are.
template <class Mask>
GSIM_HD bool holds_for_all_lanes(const Mask& mask) {
#if defined(__CUDA_ARCH__)
  return __all_sync(__activemask(), mask ? 1 : 0) != 0;
#else
  return all(mask);
#endif
}

/// One step from (x, v). z_s drives the log-spot and is independent of the variance's z_v, whose
/// uniform is U_V = Phi(z_v) (eq. 30), so that the step uses two normals in either branch.
///
/// m and s^2 are the mean and variance of the variance at the end of the step, given v.
///
/// The formulas are rearranged to need few divisions: with psi = s^2 / m^2 and g = 2 + sqrt(4 - 2
/// psi), eq. 27 and 28 become a = (m / g) psi and b^2 = (g - psi) / psi, and a (b + z)^2 = (m / g)
/// (sqrt(g - psi) + sqrt(psi) z)^2, which has no singularity at psi = 0; with h = (psi + 1) / 2,
/// eq. 29 becomes 1 - p = 1 / h and 1 / beta = m h. Each path's branch selects the arguments of one
/// division and one logarithm. A pack whose paths are all in the quadratic branch, with the
/// correction, is moved without these selections.
///
/// The range of divide_in_range() and sqrt_by_iteration(): m is at least tiny(), and v is 0 or
/// above 1e-140, because it is the product of a number of at least tiny() / 4 and the square of a
/// number of at least 2^-53 times 1, or of -m h and the logarithm of a number that differs from 1.
template <class Policy, class P, class T>
GSIM_HD QeStepResult<P> heston_qe_step(const QeStep<T>& c, const P& x, const P& v, const P& z_s,
                                       const P& z_v, T drift) {
  const QeMoments<P> moments = qe_moments<Policy>(c, v);
  const auto step_of_some = [&]() __attribute__((always_inline)) {
#if !defined(__CUDACC__)
    if constexpr (lanes_of < P >> 1) {
      const QeMoments<P> in_memory = moments;  // the copy leaves `moments` in registers
      return qe_step_of_some<Policy>(c, x, v, in_memory, z_s, z_v, drift);
    }
#endif
    return qe_step_of_any<Policy>(c, x, v, moments, z_s, z_v, drift);
  };
  if (!holds_for_all_lanes(is_surely_quadratic(moments.psi))) [[unlikely]]
    return step_of_some();
  const auto b = qe_quadratic<Policy>(c, moments.m, moments.psi, z_v);
  if (!holds_for_all_lanes(is_surely_near_one(b.existence))) [[unlikely]]
    return step_of_some();
  const P ratio = divide_in_range<Policy>(b.dividend, b.existence);
  const P correction = fma(P(T(0.5)), log_near_one<Policy>(b.existence), -ratio);
  return qe_end<Policy>(c, x, v, b.next, fma(P(-c.half_k3), v, correction), z_s, drift);
}

}  // namespace pricing_kernels
GSIM_TARGET_END
