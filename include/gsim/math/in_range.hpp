#pragma once
// Quotients and square roots of numbers that are far from overflow and underflow.
// Strict: correctly rounded, and so with the bits of / and sqrt. On a CUDA device they are computed
// as by the instructions that nvcc generates for such arguments (Newton's iterations from a
// hardware approximation, and a correction by the exact remainder: Markstein, "IA-64 and Elementary
// Functions", 2000, chapters 8 and 9), without the branches for all other arguments. With AVX-512
// roots of packs of doubles can be computed in this way, too. For eight lanes that takes 14
// operations, 7 cycles of two units, where the instruction keeps the divider of an Intel core, of
// which there is one, busy for 24 cycles. With AVX2 it would be slower than the instruction.
// Fast, on a CUDA device: float within 2 units in the last place, double within 1.

#include "gsim/math/pack.hpp"
#include "gsim/math/policy.hpp"

GSIM_TARGET_BEGIN

#if defined(__CUDA_ARCH__)
namespace detail {

/// 1 / b within two units in the last place, from a hardware approximation with 20 bits.
GSIM_HD double reciprocal(double b) {
  double r;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(b));
  const double e = fma(-b, r, 1.0);
  return fma(r, fma(e, e, e), r);
}
/// a / b from r, which is about 1 / b, corrected by the remainder.
GSIM_HD double quotient(double a, double b, double r) {
  const double q = a * r;
  return fma(r, fma(-b, q, a), q);
}

}  // namespace detail
#endif

namespace detail {

/// The square root of a, correctly rounded, from y, which is 1 / sqrt(a) with a relative error of
/// at most 2^-14. With e = 1 - a y^2, c is (1 - e)^(-1/2) - 1 - 2^-54: three terms of the series,
/// the fourth replaced by a polynomial of lower degree (Chebyshev), with an error below 2^-56.8.
/// This gives a root with an error of at most 1.1 units in the last place, and its inverse, which
/// is twice `slope`. The last step adds remainder * slope, where all errors together are below
/// 2^-51 units. Few roots are nearer than this to the middle between two numbers, and
/// tests/unit/math/in_range.cpp tries them all. One of them, that of 4 - 2^-51 (times powers of 4),
/// is rounded correctly because c is too small by 2^-54.
template <Real R>
GSIM_HD R root_by_iteration(R a, R y) {
  constexpr double square = 0x1p-26;  // of the largest e
  constexpr double c0 = -35.0 / 1024 * square * square - 0x1p-54;
  const R g = a * y, e = fma(-g, y, R(1.0));
  const R c = fma(e, fma(fma(e, R(5.0 / 16), R(3.0 / 8 + 35.0 / 128 * square)), e, R(0.5)), R(c0));
  const R root = fma(g, c, g), half = 0.5 * y, slope = fma(half, c, half);
  return fma(fma(-root, root, a), slope, root);
}

}  // namespace detail

/// a / b, where |b| and the quotient are in [2^-900, 2^900], float: [2^-100, 2^100], and |a| is in
/// that range or 0.
template <class Policy, Real R>
GSIM_HD R divide_in_range(R a, R b) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<R, double>) {
    double r = detail::reciprocal(b);
    if constexpr (Policy::is_strict) r = fma(r, fma(-b, r, 1.0), r);
    return detail::quotient(a, b, r);
  } else if constexpr (!Policy::is_strict && std::is_same_v<R, float>) {
    float q;
    asm("div.approx.ftz.f32 %0, %1, %2;" : "=f"(q) : "f"(a), "f"(b));
    return q;
  }
#endif
  return a / b;
}

/// a / b as divide_in_range(), for a and b with at most 40 significant bits. No quotient of such
/// numbers is within 2^-41 units in the last place of the middle between two numbers. The result
/// before rounding has an error below 2^-48 units, for a reciprocal with an error of two units in
/// the last place, so that it is rounded correctly.
template <class Policy, Real R>
GSIM_HD R divide_short(R a, R b) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<R, double>) return detail::quotient(a, b, detail::reciprocal(b));
#endif
  return divide_in_range<Policy>(a, b);
}

/// The square root of a, which is in [2^-900, 2^900], float: [2^-100, 2^100], or 0.
template <class Policy, Real R>
GSIM_HD R sqrt_in_range(R a) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<R, double>) {
    // The reciprocal root of a positive number, so that the result for 0 is 0, not NaN.
    const int top = __double2hiint(a), least = 0x07b00000;  // 2^-900
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;"
        : "=d"(y)
        : "d"(__hiloint2double(top > least ? top : least, 0)));
    const double e = fma(a, -(y * y), 1.0);
    y = fma(fma(e, 0.375, 0.5), y * e, y);
    const double g = a * y;
    return fma(fma(g, -g, a), 0.5 * y, g);
  } else if constexpr (!Policy::is_strict && std::is_same_v<R, float>) {
    float root;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(a));
    return root;
  }
#endif
  return sqrt(a);
}

/// The square root as sqrt_in_range(), with AVX-512 by iteration: for loops that are bound by the
/// divider.
template <class Policy, Real R>
GSIM_HD R sqrt_by_iteration(R a) {
#if defined(GSIM_AVX512)
  if constexpr (std::is_same_v<scalar_of<R>, double> && lanes_of < R >> 1)
    return detail::root_by_iteration(a, reciprocal_root_estimate(at_least(a, R(0x1p-900))));
#endif
  return sqrt_in_range<Policy>(a);
}

/// The same, where a is not 0.
template <class Policy, Real R>
GSIM_HD R positive_sqrt_by_iteration(R a) {
#if defined(GSIM_AVX512)
  if constexpr (std::is_same_v<scalar_of<R>, double> && lanes_of < R >> 1)
    return detail::root_by_iteration(a, reciprocal_root_estimate(a));
#endif
  return sqrt_in_range<Policy>(a);
}

GSIM_TARGET_END
