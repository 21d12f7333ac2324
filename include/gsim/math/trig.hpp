#pragma once
// sin, cos and their forms with the argument in turns. Polynomials on a quarter turn about zero
// (Remez in 200-bit arithmetic, relative error 2^-58 for sine, 2^-54.1 for cosine; float 2^-28 and
// 2^-34; fast 2^-37.5, 2^-34.1, float 2^-28, 2^-24.9). Radians are reduced by pi/2 in three parts
// (Cody and Waite 1980) below 2^30 and by the method of Payne and Hanek (1983) above.

#include "gsim/math/detail/payne_hanek.hpp"
#include "gsim/math/detail/polynomial.hpp"
#include "gsim/math/policy.hpp"

GSIM_TARGET_BEGIN

template <class R>
struct SinCos {
  R sin, cos;
};

namespace detail {

GSIM_COEFFICIENTS(SineOfQuarter, -0x1.4abbce625be48p-1, 0x1.466bc67758ee9p-4, -0x1.32d2cce349a38p-8,
                  0x1.5078302fed5ddp-13, -0x1.e300b7cf4f3eep-19, 0x1.e4096b16246b1p-25)
GSIM_COEFFICIENTS(CosineOfQuarter, -0x1.3bd3cc9be45a8p+0, 0x1.03c1f081b16eep-2,
                  -0x1.55d3c7dcd9355p-6, 0x1.e1f4fc1c2c82ap-11, -0x1.a6ca0e3b36da9p-16,
                  0x1.f3f3a1d652cefp-22)
/// sin and cos of (quadrant + remainder) from those of the remainder; the quadrant is in the low
/// bits of `shifted`.
template <Real R>
GSIM_HD SinCos<R> rotate(R sine, R cosine, R shifted) {
  using T = scalar_of<R>;
  using Bits = typename Format<T>::Bits;
  constexpr int top = sizeof(T) * 8 - 1;
  constexpr Bits sign = Bits(1) << top;
  const auto quadrant = bit_cast_to<Bits>(shifted);
  const auto odd = (quadrant << top) != rebind<R, Bits>(Bits(0));
  const R s = select(odd, cosine, sine), c = select(odd, sine, cosine);
  const auto sin_sign = (quadrant << (top - 1)) & sign;
  const auto cos_sign = ((quadrant + Bits(1)) << (top - 1)) & sign;
  return {bit_cast_to<T>(bit_cast_to<Bits>(s) ^ sin_sign),
          bit_cast_to<T>(bit_cast_to<Bits>(c) ^ cos_sign)};
}

/// sin and cos of r quarter turns, |r| <= 1/2.
template <class Policy, Real R>
GSIM_HD SinCos<R> sincos_quarter(R r) {
  using T = scalar_of<R>;
  const R z = r * r;
  if constexpr (sizeof(T) == 8) {
    R s, c;
    if constexpr (Policy::is_strict) {
      s = polynomial<SineOfQuarter>(z);
      c = polynomial<CosineOfQuarter>(z);
    } else {
      s = polynomial(z, -0x1.4abbce5a4eaf6p-1, 0x1.466bbc845629ep-4, -0x1.32cb364644bf0p-8,
                     0x1.4beb04fae14b9p-13);
      c = polynomial(z, -0x1.3bd3cc7f6f87bp+0, 0x1.03c1df0443c6dp-2, -0x1.55c679ff7dbdep-6,
                     0x1.d9fd0495ec658p-11);
    }
    return {fma(r, R(0x1.921fb54442d18p+0), (r * z) * s), fma(z, c, R(1.0))};  // r pi/2 + …
  } else {
    const R s = polynomial(z, -0x1.4abbc0p-1f, 0x1.46604cp-4f, -0x1.2dd4bep-8f);
    R c;
    if constexpr (Policy::is_strict)
      c = polynomial(z, -0x1.3bd3ccp+0f, 0x1.03c1e0p-2f, -0x1.55c67ap-6f, 0x1.d9fd04p-11f);
    else
      c = polynomial(z, -0x1.3bd3a2p+0f, 0x1.03b17cp-2f, -0x1.4eae32p-6f);
    // The low part of pi/2 matters: pi/2 in float is off by 0.37 units in the last place.
    const R low = fma(z, s, R(-0x1.777a5cp-25f));
    return {fma(r, R(0x1.921fb6p+0f), r * low), fma(z, c, R(1.0f))};
  }
}

/// sin and cos of hi + lo radians, where |hi| is at most slightly above pi/4.
template <Real R>
GSIM_HD SinCos<R> sincos_radians(R hi, R lo) {
  const R z = hi * hi;
  const R s = polynomial(z, -0x1.5555555555549p-3, 0x1.111111110f8b4p-7, -0x1.a01a019c16b28p-13,
                         0x1.71de357ae9429p-19, -0x1.ae5e680894e09p-26, 0x1.5d935edb792efp-33);
  const R c = polynomial(z, -0x1.fffffffffffa4p-2, 0x1.555555554fa12p-5, -0x1.6c16c16492956p-10,
                         0x1.a019f888ad72bp-16, -0x1.27df6d241ea12p-22, 0x1.1b962a5ff5337p-29);
  return {hi + fma(hi * z, s, lo), fma(z, c, fma(-hi, lo, R(1.0)))};
}

/// The remainder of x modulo pi/2 as hi + lo, and the quadrant in the low bits of `shifted`.
template <class R>
struct QuadrantRemainder {
  R hi, lo, shifted;
};

/// For |x| <= 2^30: x - n pi/2 with pi/2 as a sum of three doubles. The first product is computed
/// exactly by fma; its result is a multiple of 2^-53 below 1.
template <Real R>
GSIM_HD QuadrantRemainder<R> reduce_small(R x) {
  const auto n = round_shifted(x, R(0x1.45f306dc9c883p-1));  // x times 2/pi
  const R first = fma(n.value, R(-0x1.921fb54442d18p+0), x);
  const auto second = two_product(n.value, R(0x1.1a62633145c07p-54));
  const auto r = two_sum(first, -second.hi);
  const R low = fma(n.value, R(0x1.f1976b7ed8fbcp-110), r.lo - second.lo);
  const auto sum = quick_two_sum(r.hi, low);
  return {sum.hi, sum.lo, n.shifted};
}

#if !defined(__CUDACC__)
/// Recomputes lanes with large arguments; the others keep the result of reduce_small.
template <class T, int W>
GSIM_HD void reduce_large(Pack<T, W> x, QuadrantRemainder<Pack<T, W>>& r) {
  T lanes[W], hi[W], lo[W], shifted[W];
  store(lanes, x);
  store(hi, r.hi);
  store(lo, r.lo);
  store(shifted, r.shifted);
  for (int i = 0; i < W; ++i)
    if (!(abs(lanes[i]) <= 0x1p30)) payne_hanek(lanes[i], hi[i], lo[i], shifted[i]);
  r = {load<Pack<T, W>>(hi), load<Pack<T, W>>(lo), load<Pack<T, W>>(shifted)};
}
#endif
GSIM_HD void reduce_large(double x, QuadrantRemainder<double>& r) {
  payne_hanek(x, r.hi, r.lo, r.shifted);
}

}  // namespace detail

/// sin and cos of 2 pi u for u in [0, 1].
template <class Policy, Real R>
GSIM_HD SinCos<R> sincos_2pi(R u) {
#if defined(__CUDA_ARCH__)
  if constexpr (!Policy::is_strict && std::is_same_v<R, float>) {
    float s, c;
    __sincosf((u - 0.5f) * 0x1.921fb6p+2f, &s, &c);  // most accurate in [-pi, pi]
    return {-s, -c};
  }
#endif
  using T = scalar_of<R>;
  const auto n = detail::round_shifted(u, R(T(4)));
  const auto q = detail::sincos_quarter<Policy>(fma(u, R(T(4)), -n.value));
  return detail::rotate(q.sin, q.cos, n.shifted);
}

/// sin and cos of pi x, any x; NaN for infinities.
template <class Policy, Real R>
GSIM_HD SinCos<R> sincospi(R x) {
  using T = scalar_of<R>;
  const R quarters = fma(round_even(x * T(0.5)), R(T(-2)), x) * T(2);  // exact
  const R n = round_even(quarters);
  auto q = detail::sincos_quarter<Policy>(quarters - n);
  q = detail::rotate(q.sin, q.cos, n + R(detail::Format<T>::rounder));
  // The sine of an integer is a zero with the sign of x.
  const R s = select(q.sin == R(T(0)), copysign(q.sin, x), q.sin);
  return {canonical(s), canonical(q.cos)};
}

/// sin and cos of x radians, any x; NaN for infinities. Fast: |x| <= 2^30.
template <class Policy, Real R>
GSIM_HD SinCos<R> sincos(R x) {
  if constexpr (sizeof(scalar_of<R>) == 4) {
#if defined(__CUDA_ARCH__)
    if constexpr (!Policy::is_strict && std::is_same_v<R, float>) {
      float s, c;
      __sincosf(x, &s, &c);
      return {s, c};
    }
#endif
    const auto d = sincos<Policy>(convert<double>(x));
    return {convert<float>(d.sin), convert<float>(d.cos)};
  } else {
    auto r = detail::reduce_small(x);
    if constexpr (Policy::is_strict)
      if (any(!(abs(x) <= R(0x1p30)))) detail::reduce_large(x, r);
    const auto q = detail::sincos_radians(r.hi, r.lo);
    auto result = detail::rotate(q.sin, q.cos, r.shifted);
    result.sin = canonical(select(x == R(0.0), x, result.sin));
    result.cos = canonical(result.cos);
    return result;
  }
}

/// sin(x), x in radians.
template <class Policy, Real R>
GSIM_HD R sin(R x) {
  return sincos<Policy>(x).sin;
}
/// cos(x), x in radians.
template <class Policy, Real R>
GSIM_HD R cos(R x) {
  return sincos<Policy>(x).cos;
}

GSIM_TARGET_END
