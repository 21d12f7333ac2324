#pragma once
// exp, exp2, expm1. Argument reduction by multiples of ln 2 in two parts (Cody and Waite 1980),
// then a minimax polynomial on |r| <= ln(2)/2 (Remez in 200-bit arithmetic, coefficients rounded
// once). Strict: relative error of the polynomial 2^-57.9 (double), 2^-28.2 (float). Fast on the
// host: 2^-39.6 and 2^-23.3; Fast float on CUDA: the hardware's
// approximation of 2^x.

#include "gsim/math/detail/polynomial.hpp"
#include "gsim/math/policy.hpp"

GSIM_TARGET_BEGIN

namespace detail {

GSIM_COEFFICIENTS(ExpTail, 0x1.000000000000bp-1, 0x1.5555555555561p-3, 0x1.55555555503d2p-5,
                  0x1.111111110d7c4p-7, 0x1.6c16c18504452p-10, 0x1.a01a01ba70693p-13,
                  0x1.a0199808da65bp-16, 0x1.71dde0abe1509p-19, 0x1.28af1cb5c3bd2p-22,
                  0x1.af8447cc1b35dp-26)
/// (exp(r) - 1 - r) / r^2.
template <class Policy, Real R>
GSIM_HD R exp_tail(R r) {
  if constexpr (sizeof(scalar_of<R>) == 8) {
    if constexpr (Policy::is_strict)
      return polynomial<ExpTail>(r);
    else
      return polynomial(r, 0x1.ffffffffeb523p-2, 0x1.5555557e0e88cp-3, 0x1.55555589aa8b6p-5,
                        0x1.1110a1f366467p-7, 0x1.6c1624517c36dp-10, 0x1.a186079037c4dp-13,
                        0x1.a1899701c0e37p-16);
  } else {
    if constexpr (Policy::is_strict)
      return polynomial(r, 0x1p-1f, 0x1.55549p-3f, 0x1.555464p-5f, 0x1.123ac6p-7f, 0x1.6db084p-10f);
    else
      return polynomial(r, 0x1.fffdc8p-2f, 0x1.55543cp-3f, 0x1.573980p-5f, 0x1.126b4ep-7f);
  }
}

template <class T>
struct ExpConstants;
template <>
struct ExpConstants<double> {
  static constexpr double log2_e = 0x1.71547652b82fep+0;
  static constexpr double ln2 = 0x1.62e42fefa39efp-1, ln2_low = 0x1.abc9e3b39803fp-56;
  static constexpr double largest = 710, smallest = -746;  // exp is infinity and zero beyond these
};
template <>
struct ExpConstants<float> {
  static constexpr float log2_e = 0x1.715476p+0f;
  static constexpr float ln2 = 0x1.62e430p-1f, ln2_low = -0x1.05c610p-29f;
  static constexpr float largest = 89, smallest = -104;
};

/// exp(x) = (1 + p) * 2^n, with n as returned by round_shifted().
template <class R>
struct ExpReduced {
  R p, n_shifted;
};
template <class Policy, Real R>
GSIM_HD ExpReduced<R> exp_reduce(R x) {
  using C = ExpConstants<scalar_of<R>>;
  const auto n = round_shifted(x, R(C::log2_e));
  R r = fma(n.value, R(-C::ln2), x);
  r = fma(n.value, R(-C::ln2_low), r);
  return {fma(r * r, exp_tail<Policy>(r), r), n.shifted};
}

/// Clamps x to [low, high]; NaN stays NaN.
template <Real R>
GSIM_HD R clamp(R x, scalar_of<R> low, scalar_of<R> high) {
  const R below = select(x < R(low), R(low), x);
  return select(below > R(high), R(high), below);
}

}  // namespace detail

/// e^x for |x| < 700 (float: |x| < 87), where the result is normal; undefined for other x.
template <class Policy, Real R>
GSIM_HD R exp_bounded(R x) {
#if defined(__CUDA_ARCH__)
  if constexpr (!Policy::is_strict && std::is_same_v<R, float>) {
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x * detail::ExpConstants<float>::log2_e));
    return power;
  }
#endif
  const auto e = detail::exp_reduce<Policy>(x);
  return detail::scale_normal(e.p + scalar_of<R>(1), e.n_shifted);
}

/// e^x. Fast: as exp_bounded.
template <class Policy, Real R>
GSIM_HD R exp(R x) {
  if constexpr (!Policy::is_strict) {
    return exp_bounded<Policy>(x);
  } else {
    using C = detail::ExpConstants<scalar_of<R>>;
    const auto e = detail::exp_reduce<Policy>(detail::clamp(x, C::smallest, C::largest));
    return canonical(detail::scale(e.p + scalar_of<R>(1), e.n_shifted));
  }
}

/// 2^x.
template <class Policy, Real R>
GSIM_HD R exp2(R x) {
  if constexpr (sizeof(scalar_of<R>) == 4) {
    return convert<float>(exp2<Policy>(convert<double>(x)));
  } else {
    const R clamped = detail::clamp(x, -1080.0, 1025.0);
    const auto n = detail::round_shifted(clamped, R(1.0));
    const R r = clamped - n.value;
    // (2^r - 1) / r, relative error 2^-58.0
    const R q = detail::polynomial(
        r, 0x1.62e42fefa39efp-1, 0x1.ebfbdff82c5a5p-3, 0x1.c6b08d704a0d7p-5, 0x1.3b2ab6fb9ff79p-7,
        0x1.5d87fe78a0e8dp-10, 0x1.4309130f29882p-13, 0x1.ffcbfc7c38fa6p-17, 0x1.62bfc6d9c46c9p-20,
        0x1.b524cdf568998p-24, 0x1.e61c947aad1b3p-28, 0x1.ea18491741281p-32);
    return canonical(detail::scale(fma(r, q, R(1.0)), n.shifted));
  }
}

/// e^x - 1, accurate also for small x.
template <class Policy, Real R>
GSIM_HD R expm1(R x) {
  if constexpr (sizeof(scalar_of<R>) == 4) {
    return convert<float>(expm1<Policy>(convert<double>(x)));
  } else {
    const auto e = detail::exp_reduce<Policy>(detail::clamp(x, -60.0, 710.0));
    // 2^(n-1) (1 + p) - 1/2, doubled: 2^n itself may overflow.
    const R half = detail::scale_normal(R(0.5), e.n_shifted);
    const R result = fma(e.p, half, half - 0.5) * 2.0;
    return canonical(select(abs(x) < R(0x1p-54), x, result));
  }
}

GSIM_TARGET_END
