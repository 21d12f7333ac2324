#pragma once
// erf, erfc and the normal distribution function. erf for |x| < 1: 2/sqrt(pi) x + x^3 P(x^2), P
// minimax (Remez in 160-bit arithmetic, relative error 2^-56.9); the rest by detail/erfc_tail.hpp.

#include "gsim/math/detail/erfc_tail.hpp"

GSIM_TARGET_BEGIN

namespace detail {

/// erf(x) for |x| < 1.
template <Real R>
GSIM_HD R erf_near_zero(R x) {
  const R z = x * x;
  const R p = polynomial(z, -0x1.812746b0379cfp-2, 0x1.ce2f21a0415e8p-4, -0x1.b82ce31218480p-6,
                         0x1.565bccfc89548p-8, -0x1.c02db0b3034cfp-11, 0x1.f9a2c4c159d97p-14,
                         -0x1.f4cade0832be1p-17, 0x1.b98510d3b5d20p-20, -0x1.5c257dbea27a8p-23,
                         0x1.d7e2899d969d6p-27, -0x1.ade698e3e5c38p-31);
  const R low = fma(z, p, R(0x1.1ae3a914fed80p-56));  // with the low part of 2 / sqrt(pi)
  return fma(x, R(0x1.20dd750429b6dp+0), x * low);
}

}  // namespace detail

/// The error function.
template <class Policy, Real R>
GSIM_HD R erf(R x) {
  if constexpr (sizeof(scalar_of<R>) == 4) {
    return convert<float>(erf<Policy>(convert<double>(x)));
  } else {
    const R near_zero = detail::erf_near_zero(x);
    const R magnitude = detail::clamp(abs(x), 0.0, 8.0);  // erf(8) rounds to 1
    const R far = copysign(1.0 - detail::erfc_positive(magnitude), x);
    const R result = select(abs(x) < R(1.0), near_zero, far);
    return canonical(select(x == R(0.0), x, result));
  }
}

/// 1 - erf(x), accurate also where it is small.
template <class Policy, Real R>
GSIM_HD R erfc(R x) {
  if constexpr (sizeof(scalar_of<R>) == 4) {
    return convert<float>(erfc<Policy>(convert<double>(x)));
  } else {
    const R upper = detail::erfc_positive(detail::clamp(abs(x), 0.0, 28.0));
    const R far = select(x < R(0.0), 2.0 - upper, upper);
    // Below 0.45 erf(x) is less than 1/2, and the difference is accurate.
    return canonical(select(abs(x) < R(0.45), 1.0 - detail::erf_near_zero(x), far));
  }
}

/// The standard normal distribution function, accurate also where it is small.
template <class Policy, Real R>
GSIM_HD R normal_cdf(R x) {
  if constexpr (sizeof(scalar_of<R>) == 4) {
    return convert<float>(normal_cdf<Policy>(convert<double>(x)));
  } else {
    const R tail = detail::normal_tail(detail::clamp(abs(x), 0.0, 39.0));
    const R far = select(x > R(0.0), 1.0 - tail, tail);
    const R half = 0.5 * detail::erf_near_zero(x * 0x1.6a09e667f3bcdp-1);  // x / sqrt(2)
    // 0.63 / sqrt(2) is about the bound of erfc() above.
    return canonical(select(abs(x) < R(0.63), 0.5 + half, far));
  }
}

GSIM_TARGET_END
