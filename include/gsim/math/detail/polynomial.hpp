#pragma once
// Polynomials with constant coefficients, starting with the constant term. Even and odd powers form
// two Horner chains, so that the dependent chain is half as long.

#include "gsim/math/pack.hpp"

// GSIM_COEFFICIENTS(name, c0, c1, …), at namespace scope, defines the type `name` of the double
// coefficients of a polynomial. On a CUDA device they are in constant memory: no instruction in
// double precision takes a constant of 64 bits, and loading it is one instruction, while moving its
// halves to registers is two.
#if defined(__CUDACC__)
#define GSIM_DEVICE_COEFFICIENTS(name, ...) \
  static __constant__ double name##_on_device[] = {__VA_ARGS__};
#else
#define GSIM_DEVICE_COEFFICIENTS(name, ...)
#endif
#if defined(__CUDA_ARCH__)
#define GSIM_COEFFICIENT(name, i) name##_on_device[i]
#else
#define GSIM_COEFFICIENT(name, i) values[i]
#endif
#define GSIM_COEFFICIENTS(name, ...)                                      \
  GSIM_DEVICE_COEFFICIENTS(name, __VA_ARGS__)                             \
  struct name {                                                           \
    static constexpr double values[] = {__VA_ARGS__};                     \
    static constexpr int count = sizeof(values) / sizeof(double);         \
    static GSIM_HD double at(int i) { return GSIM_COEFFICIENT(name, i); } \
  };

GSIM_TARGET_BEGIN

namespace detail {

/// c0 + c2 x2 + c4 x2^2 + …, where x2 = x^2: every second coefficient of a polynomial in x.
template <class R, class T>
GSIM_HD R every_second(R, T c0) {
  return R(c0);
}
template <class R, class T>
GSIM_HD R every_second(R, T c0, T) {
  return R(c0);
}
template <class R, class T, class... Rest>
GSIM_HD R every_second(R x2, T c0, T, T c2, Rest... rest) {
  return fma(every_second(x2, c2, rest...), x2, R(c0));
}

/// c0 + c1 x + c2 x^2 + …
template <class R, class T, class... Rest>
GSIM_HD R polynomial(R x, T c0, Rest... rest) {
  const R x2 = x * x;
  return fma(every_second(x2, rest...), x, every_second(x2, c0, rest...));
}

/// Coefficients i, i + 2, … of a polynomial in x, where x2 = x^2.
template <class Coefficients, int i, class R>
GSIM_HD R every_second_from(R x2) {
  if constexpr (i + 2 < Coefficients::count)
    return fma(every_second_from<Coefficients, i + 2>(x2), x2, R(Coefficients::at(i)));
  else
    return R(Coefficients::at(i));
}

/// The polynomial in x with coefficients GSIM_COEFFICIENTS.
template <class Coefficients, class R>
GSIM_HD R polynomial(R x) {
  const R x2 = x * x;
  return fma(every_second_from<Coefficients, 1>(x2), x, every_second_from<Coefficients, 0>(x2));
}

/// The layout of an IEEE 754 format, and the constant whose addition rounds to an integer in the
/// low bits.
template <class T>
struct Format;
template <>
struct Format<double> {
  using Bits = std::uint64_t;
  static constexpr int fraction_bits = 52;
  static constexpr Bits bias = 1023;
  static constexpr Bits one = 0x3ff0000000000000u;
  static constexpr double rounder = 0x1.8p52;
  static constexpr Bits rounder_bits = 0x4338000000000000u;
  static constexpr double min_normal = 0x1p-1022;
};
template <>
struct Format<float> {
  using Bits = std::uint32_t;
  static constexpr int fraction_bits = 23;
  static constexpr Bits bias = 127;
  static constexpr Bits one = 0x3f800000u;
  static constexpr float rounder = 0x1.8p23f;
  static constexpr Bits rounder_bits = 0x4b400000u;
  static constexpr float min_normal = 0x1p-126f;
};

/// The integer nearest to x * factor: `value`, and `shifted`, its sum with Format::rounder.
template <class R>
struct Rounded {
  R shifted, value;
};
template <class R>
GSIM_HD Rounded<R> round_shifted(R x, std::type_identity_t<R> factor) {
  constexpr auto rounder = Format<scalar_of<R>>::rounder;
  const R shifted = fma(x, factor, R(rounder));
  return {shifted, shifted - rounder};
}

/// y * 2^n for a normal result; n as returned by round_shifted.
template <class R>
GSIM_HD R scale_normal(R y, R shifted_n) {
  using F = Format<scalar_of<R>>;
  using Bits = typename F::Bits;
  return bit_cast_to<scalar_of<R>>(bit_cast_to<Bits>(y) +
                                   (bit_cast_to<Bits>(shifted_n) << F::fraction_bits));
}

/// y * 2^n with overflow and gradual underflow: multiplied by two exact powers, so that there is at
/// most one rounding.
template <class R>
GSIM_HD R scale(R y, R shifted_n) {
  using T = scalar_of<R>;
  using F = Format<T>;
  using Bits = typename F::Bits;
  constexpr Bits offset = 4 * (F::bias + 1);  // keeps the halved exponent positive
  const auto n = bit_cast_to<Bits>(shifted_n) - F::rounder_bits;
  const auto half = ((n + offset) >> 1) - offset / 2;
  const auto first = (half + F::bias) << F::fraction_bits;
  const auto second = (n - half + F::bias) << F::fraction_bits;
  return (y * bit_cast_to<T>(first)) * bit_cast_to<T>(second);
}

/// a + b exactly, as the rounded sum and its error (Knuth 1969).
template <class R>
struct Pair {
  R hi, lo;
};
template <class R>
GSIM_HD Pair<R> two_sum(R a, R b) {
  const R s = a + b, bb = s - a;
  return {s, (a - (s - bb)) + (b - bb)};
}
/// As above for |a| >= |b| (Dekker 1971).
template <class R>
GSIM_HD Pair<R> quick_two_sum(R a, R b) {
  const R s = a + b;
  return {s, b - (s - a)};
}
/// a * b exactly.
template <class R>
GSIM_HD Pair<R> two_product(R a, R b) {
  const R p = a * b;
  return {p, fma(a, b, -p)};
}

}  // namespace detail

GSIM_TARGET_END
