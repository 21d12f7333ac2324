#pragma once
// log, log2, log1p. x = 2^k m with m in [sqrt(1/2), sqrt(2)); with f = m - 1, s = f / (2 + f), z =
// s^2,
//   log(1 + f) = 2 atanh(s) = f - s (f - z P(z)),   P(z) = (2 atanh(s) / s - 2) / z
// (the identity of Tang 1990 and of fdlibm's e_log.c), P minimax on z <= 0.0295 (Remez in 200-bit
// arithmetic): relative error of the logarithm 2^-58.9 (strict), 2^-37.1 (fast). float uses no
// division: f + f^2 (-1/2 + f Q(f)), error 2^-27.3 (strict), 2^-24.8 (fast).

#include "gsim/math/detail/polynomial.hpp"
#include "gsim/math/exp.hpp"
#include "gsim/math/in_range.hpp"
#include "gsim/math/policy.hpp"

GSIM_TARGET_BEGIN

namespace detail {

GSIM_COEFFICIENTS(LogTail, 0x1.5555555555566p-1, 0x1.999999998c7a5p-2, 0x1.24924937f54b3p-2,
                  0x1.c71c5972ef162p-3, 0x1.7464d5f3709f8p-3, 0x1.39c3d2bae88c0p-3,
                  0x1.2dc0d7209b8eap-3)
/// x = 2^(k + scale) (1 + f) for a positive normal x.
template <class R>
struct LogParts {
  R k, f;
};
template <int scale = 0, Real R>
GSIM_HD LogParts<R> log_split(R x) {
  using T = scalar_of<R>;
  using F = Format<T>;
  using Bits = typename F::Bits;
  // The bits of about sqrt(1/2). An integer k that is put into the fraction bits of `power` gives
  // the real number power + k.
  constexpr Bits root_half = sizeof(T) == 8 ? Bits(0x3fe6a09e00000000u) : Bits(0x3f3504f3u);
  constexpr Bits fraction = (Bits(1) << F::fraction_bits) - 1;
  constexpr T power = sizeof(T) == 8 ? T(0x1p52) : T(0x1p23f);
  const auto shifted = bit_cast_to<Bits>(x) + (F::one - root_half);
  const auto exponent = (shifted >> F::fraction_bits) | bit_cast_to<Bits>(power);
  const R k = bit_cast_to<T>(exponent) - (power + T(int(F::bias) + scale));
  return {k, bit_cast_to<T>((shifted & fraction) + root_half) - T(1)};
}

/// log(1 + f) - f.
template <class Policy, Real R>
GSIM_HD R log_tail(R f) {
  if constexpr (sizeof(scalar_of<R>) == 8) {
    const R s = divide_in_range<Policy>(f, f + R(2.0));
    const R z = s * s;
    R p;
    if constexpr (Policy::is_strict)
      p = polynomial<LogTail>(z);
    else
      p = polynomial(z, 0x1.5555551d24425p-1, 0x1.999a4dc5a1071p-2, 0x1.24424ffb7247fp-2,
                     0x1.e1b937d326ca9p-3);
    return s * fma(z, p, -f);
  } else {
    R q;
    if constexpr (Policy::is_strict)
      q = polynomial(f, 0x1.55554ap-2f, -0x1.000218p-2f, 0x1.99a59cp-3f, -0x1.547a72p-3f,
                     0x1.226e44p-3f, -0x1.0cd014p-3f, 0x1.07cdcep-3f, -0x1.4239bap-4f);
    else
      q = polynomial(f, 0x1.5556a8p-2f, -0x1.00048ep-2f, 0x1.98e77cp-3f, -0x1.5345aep-3f,
                     0x1.309124p-3f, -0x1.25d134p-3f, 0x1.6db60cp-4f);
    return (f * f) * fma(f, q, R(-0.5f));
  }
}

/// k ln 2 + f + tail.
template <Real R>
GSIM_HD R log_join(R k, R f, R tail) {
  using C = ExpConstants<scalar_of<R>>;
  return fma(k, R(C::ln2), f + fma(k, R(C::ln2_low), tail));
}

/// Scales a positive subnormal by a power of two; `k` receives the exponent.
template <class R>
struct Normalised {
  R x, k;
};
template <Real R>
GSIM_HD Normalised<R> normalise(R x) {
  using T = scalar_of<R>;
  using F = Format<T>;
  constexpr int up = F::fraction_bits + 1;
  const auto small = x < R(F::min_normal);
  return {select(small, x * T(std::uint64_t(1) << up), x), select(small, R(T(-up)), R(T(0)))};
}

/// The logarithm of arguments that are not positive and finite: NaN, -infinity at zero, infinity at
/// infinity.
template <Real R>
GSIM_HD R log_special(R x, R result) {
  using T = scalar_of<R>;
  const R inf(infinity_of<T>());
  const R special = select(x == R(T(0)), -inf, select(x == inf, inf, R(nan_of<T>())));
  return select((x > R(T(0))) & (x < inf), result, special);
}

}  // namespace detail

/// Natural logarithm of a positive normal number, such as a uniform random number in (0, 1];
/// undefined for other x.
template <class Policy, Real R>
GSIM_HD R log_unit(R x) {
#if defined(__CUDA_ARCH__)
  if constexpr (!Policy::is_strict && std::is_same_v<R, float>) {
    float log2;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(log2) : "f"(x));
    return log2 * detail::ExpConstants<float>::ln2;
  }
#endif
  const auto parts = detail::log_split(x);
  return detail::log_join(parts.k, parts.f, detail::log_tail<Policy>(parts.f));
}

/// Whether log_near_one() is defined: x is in the range of 1 + f for k = 0.
template <Real R>
GSIM_HD mask_of<R> is_near_one(R x) {
  return (x > R(scalar_of<R>(0.7072))) & (x < R(scalar_of<R>(1.4142)));
}
/// Natural logarithm of a number near 1, with the bits of log_unit().
template <class Policy, Real R>
GSIM_HD R log_near_one(R x) {
  const R f = x - R(scalar_of<R>(1));
  return f + detail::log_tail<Policy>(f);
}

/// Natural logarithm. Fast: as log_unit.
template <class Policy, Real R>
GSIM_HD R log(R x) {
  if constexpr (!Policy::is_strict) {
    return log_unit<Policy>(x);
  } else {
    const auto n = detail::normalise(x);
    const auto parts = detail::log_split(n.x);
    const R tail = detail::log_tail<Policy>(parts.f);
    return detail::log_special(x, detail::log_join(parts.k + n.k, parts.f, tail));
  }
}

/// Binary logarithm; exact for powers of two.
template <class Policy, Real R>
GSIM_HD R log2(R x) {
  if constexpr (sizeof(scalar_of<R>) == 4) {
    return convert<float>(log2<Policy>(convert<double>(x)));
  } else {
    const auto n = detail::normalise(x);
    const auto parts = detail::log_split(n.x);
    const R tail = detail::log_tail<Policy>(parts.f);
    constexpr double log2_e = 0x1.71547652b82fep+0, log2_e_low = 0x1.777d0ffda0d24p-56;
    const R low = fma(parts.f, R(log2_e_low), tail * log2_e);
    const auto head = detail::two_product(parts.f, R(log2_e));
    const auto sum = detail::quick_two_sum(parts.k + n.k, head.hi);
    const R whole = sum.hi + (sum.lo + (head.lo + low));
    // For k = 0 the product dominates, and the order that quick_two_sum requires does not hold.
    const R near_one = head.hi + (head.lo + low);
    return detail::log_special(x, select(parts.k + n.k == R(0.0), near_one, whole));
  }
}

/// log(1 + x), also accurate for small x.
template <class Policy, Real R>
GSIM_HD R log1p(R x) {
  if constexpr (sizeof(scalar_of<R>) == 4) {
    return convert<float>(log1p<Policy>(convert<double>(x)));
  } else {
    const auto u = detail::two_sum(R(1.0), x);
    const auto parts = detail::log_split(u.hi);
    const R tail = detail::log_tail<Policy>(parts.f) + u.lo / u.hi;
    const R result = detail::log_join(parts.k, parts.f, tail);
    return select(x == R(0.0), x, detail::log_special(u.hi, result));
  }
}

GSIM_TARGET_END
