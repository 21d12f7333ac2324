#pragma once
// Standard normal random numbers: in pairs from random words by Box and Muller (1958), and
// individually from a uniform by the inverse of the distribution function, which preserves the
// order of quasi-random points.
//
// A pair uses two 32-bit words in float and in double, so that paths in both precisions agree up to
// rounding. Word a gives the radius, sqrt(-2 ln u). Doubles use all its 32 bits, u = (a + 1/2) /
// 2^32: the maximum is sqrt(66 ln 2) = 6.764, and the variance is 8e-11 below 1 (Stirling). Floats
// use 31 bits, u = (floor(a / 2) + 1/2) / 2^31: the maximum is sqrt(64 ln 2) = 6.661, and the
// variance is 1.6e-10 below 1. Word b gives the angle in three independent parts: 30 bits place it
// in the quarter turn around the axis, where sine and cosine need no argument reduction, the top
// bit reflects it at the diagonal, and the next bit rotates it by half a turn, which together is
// uniform on the circle. Doubles set the lowest of the 30 bits: odd multiples of 2^-30 are
// symmetric about 0. A pair therefore has 63 random bits in both precisions; floats round u and the
// angle to 24 bits. Fast doubles are computed as floats.

#include <cstdint>

#include "gsim/math/in_range.hpp"
#include "gsim/math/log.hpp"
#include "gsim/math/normal_inverse.hpp"
#include "gsim/math/pack.hpp"
#include "gsim/math/policy.hpp"
#include "gsim/math/trig.hpp"
#include "gsim/random/philox.hpp"
#include "gsim/random/sobol.hpp"
#include "gsim/random/uniform.hpp"

GSIM_TARGET_BEGIN

/// Number of normals from one Philox block, in every precision.
inline constexpr int normals_per_block = 4;

namespace detail {

GSIM_COEFFICIENTS(TwiceExponential, 0x1.5555555555566p-3, 0x1.999999998c7a5p-6,
                  0x1.24924937f54b3p-8, 0x1.c71c5972ef162p-11, 0x1.7464d5f3709f8p-13,
                  0x1.39c3d2bae88c0p-15, 0x1.2dc0d7209b8eap-17)
/// Twice a standard exponential number, -2 ln((a + 1/2) / 2^32). All constants of the logarithm
/// (log.hpp) are multiplied by -2 or powers of it, which is exact, and ln 2 is a single number, not
/// a sum of two: the error is at most 2^-55 (float 2^-28).
template <class L>
GSIM_HD rebind<L, double> twice_exponential_double(L a) {
  using R = rebind<L, double>;
  const L whole = join_halves(a, L(0x4330000000000000u));  // 2^52 + a
  const auto parts = log_split<32>(bit_cast_to<double>(whole) - R(0x1p52 - 0.5));
  const R s = divide_short<Strict>(parts.f, fma(parts.f, R(-0.5), R(-1.0)));  // -2 f / (2 + f)
  const R z = s * s;
  const R p = polynomial<TwiceExponential>(z);
  const R tail = s * fma(z, p, -parts.f);
  return fma(parts.k, R(-0x1.62e42fefa39efp+0), fma(parts.f, R(-2.0), tail));
}
template <class Policy, class Word>
GSIM_HD rebind<Word, float> twice_exponential_float(Word a) {
  using R = rebind<Word, float>;
  // Drop one bit, so that the number converts as a signed integer.
  const R half = convert<float>(bit_cast_to<std::int32_t>(a >> 1));
#if defined(__CUDA_ARCH__)
  if constexpr (!Policy::is_strict) {
    float log2;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(log2) : "f"(fma(half, 0x1p-31f, 0x1p-32f)));
    // The approximate logarithm near 1 may have either sign.
    return __builtin_fabsf(log2 * -0x1.62e430p+0f);
  }
#endif
  const auto parts = log_split<31>(half + R(0.5f));
  const R f = parts.f;
  R q;
  if constexpr (Policy::is_strict)
    q = polynomial(f, -0x1.55554ap-1f, 0x1.000218p-1f, -0x1.99a59cp-2f, 0x1.547a72p-2f,
                   -0x1.226e44p-2f, 0x1.0cd014p-2f, -0x1.07cdcep-2f, 0x1.4239bap-3f);
  else
    q = polynomial(f, -0x1.5556a8p-1f, 0x1.00048ep-1f, -0x1.98e77cp-2f, 0x1.5345aep-2f,
                   -0x1.309124p-2f, 0x1.25d134p-2f, -0x1.6db60cp-3f);
  const R tail = (f * f) * fma(f, q, R(1.0f));
  const R result = fma(parts.k, R(-0x1.62e430p+0f), fma(f, R(-2.0f), tail));
  return Policy::is_strict ? result : abs(result);
}

/// The point on the unit circle given by word b: cosine and sine before the half turn, and the half
/// turn as a sign bit.
template <class R>
struct CirclePoint {
  R cos, sin;
  rebind<R, uint_of<scalar_of<R>>> turn;
};
/// `top`: lanes whose top bits are those of b; q: sine and cosine of the angle that the other 30
/// bits of b give.
template <Real R>
GSIM_HD CirclePoint<R> circle_point(rebind<R, uint_of<scalar_of<R>>> top, SinCos<R> q) {
  using Bits = uint_of<scalar_of<R>>;
  constexpr Bits sign = Bits(1) << (sizeof(Bits) * 8 - 1);
  return {select_top_bit(top, q.sin, q.cos), select_top_bit(top, q.cos, q.sin), (top << 1) & sign};
}
template <class Policy, class L>
GSIM_HD CirclePoint<rebind<L, double>> circle_point_double(L b) {
  using R = rebind<L, double>;
  // 2^52 + ((b mod 2^30, its top bit flipped) | 1): an odd multiple of 2^-30, symmetric about 0.
  const L whole = (b & L(0x3ffffffeu)) ^ L(0x4330000020000001u);
  const R quarters = fma(bit_cast_to<double>(whole), R(0x1p-30), R(-(0x1p22 + 0.5)));
  return circle_point(b << 32, sincos_quarter<Policy>(quarters));
}
template <class Policy, class Word>
GSIM_HD CirclePoint<rebind<Word, float>> circle_point_float(Word b) {
  const auto fraction = convert<float>(bit_cast_to<std::int32_t>(b << 2));
#if defined(__CUDA_ARCH__)
  if constexpr (!Policy::is_strict) {
    SinCos<float> q;
    __sincosf(fraction * 0x1.921fb6p-32f, &q.sin, &q.cos);  // the fraction of pi / 2
    return circle_point(b, q);
  }
#endif
  return circle_point(b, sincos_quarter<Policy>(fraction * 0x1p-32f));
}

template <class Policy, class R>
GSIM_HD Draws<R, 2> scale_to_radius(R squared, const CirclePoint<R>& point) {
  using T = scalar_of<R>;
  const R radius = sqrt_in_range<Policy>(squared);
  const R turned = bit_cast_to<T>(bit_cast_to<uint_of<T>>(radius) ^ point.turn);
  return {{turned * point.cos, turned * point.sin}};
}

}  // namespace detail

/// Box and Muller, "A note on the generation of random normal deviates" (1958): two independent
/// standard normals from words a and b. Words for doubles are in the low halves of 64-bit lanes.
template <class Policy, class Word>
GSIM_HD Draws<rebind<Word, float>, 2> normal_pair_float(Word a, Word b) {
  return detail::scale_to_radius<Policy>(detail::twice_exponential_float<Policy>(a),
                                         detail::circle_point_float<Policy>(b));
}
template <class L>
GSIM_HD Draws<rebind<L, double>, 2> normal_pair_double(L a, L b) {
  return detail::scale_to_radius<Strict>(detail::twice_exponential_double(a),
                                         detail::circle_point_double<Strict>(b));
}

/// The normals of one block: a pair from words 0 and 1, another from words 2 and 3. Fast doubles
/// are floats.
template <class T, class Policy, class L>
GSIM_HD Draws<rebind<L, T>, normals_per_block> normals(const PhiloxWords<L>& w) {
  if constexpr (sizeof(T) == 8 && Policy::is_strict) {
    const auto first = normal_pair_double(w.x0, w.x1), second = normal_pair_double(w.x2, w.x3);
    return {{first[0], first[1], second[0], second[1]}};
  } else if constexpr (sizeof(T) == 8 && lanes_of<L> > 1) {
    // One pack of floats holds the first pair in its even lanes, the second in its odd ones.
    const auto both =
        normal_pair_float<Policy>(alternate_words(w.x0, w.x2), alternate_words(w.x1, w.x3));
    return {{convert<T>(even_lanes(both[0])), convert<T>(even_lanes(both[1])),
             convert<T>(odd_lanes(both[0])), convert<T>(odd_lanes(both[1]))}};
  } else {
    const auto first = normal_pair_float<Policy>(low_word(w.x0), low_word(w.x1));
    const auto second = normal_pair_float<Policy>(low_word(w.x2), low_word(w.x3));
    return {
        {convert<T>(first[0]), convert<T>(first[1]), convert<T>(second[0]), convert<T>(second[1])}};
  }
}

/// The standard normal of one scrambled Sobol coordinate (sobol.hpp), by inversion.
template <class T, class Policy, class Word>
GSIM_HD rebind<Word, T> scrambled_normal(Word reversed, ScrambleSeed seed) {
  return normal_inverse<Policy>(scrambled_unit<T>(reversed, seed));
}

GSIM_TARGET_END
