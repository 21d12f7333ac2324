#pragma once
// atan and atan2. With a the smaller and b the larger one of |x| and |y|, the angle atan(a / b) is
// atan(u) with u = a / b for a <= b / 2, and else pi/4 + atan(u) with u = (a - b) / (a + b), where
// a - b is exact. In both cases |u| <= 1/2, and
//   atan(u) = u + u^3 P(u^2),   P minimax (Remez in 240-bit arithmetic, relative error 2^-62.1).

#include "gsim/math/detail/polynomial.hpp"
#include "gsim/math/policy.hpp"

GSIM_TARGET_BEGIN

namespace detail {

/// (atan(u) - u) / u^3 as a function of z = u^2, |u| <= 1/2.
template <Real R>
GSIM_HD R atan_tail(R z) {
  return polynomial(z, -0x1.5555555555552p-2, 0x1.999999999901ep-3, -0x1.249249244ffa8p-3,
                    0x1.c71c71a9dc05bp-4, -0x1.745d1374e4081p-4, 0x1.3b135f09ac7d0p-4,
                    -0x1.110c5f31f52e6p-4, 0x1.e181ca430f501p-5, -0x1.ac6d3ace962bap-5,
                    0x1.77e8e97fb4782p-5, -0x1.2ff13b93877a4p-5, 0x1.833350a9d2645p-6,
                    -0x1.11b148f679f18p-7);
}

}  // namespace detail

/// The angle of the point (x, y) from the positive x axis, in [-pi, pi].
template <class Policy, Real R>
GSIM_HD R atan2(R y, std::type_identity_t<R> x) {
  if constexpr (sizeof(scalar_of<R>) == 4) {
    return convert<float>(atan2<Policy>(convert<double>(y), convert<double>(x)));
  } else {
    const R rise = abs(y), run = abs(x);
    const auto steep = rise > run;
    // Both are halved where their sum could overflow; next to such a number a subnormal, which
    // halving may round, is negligible.
    const R scale = select(max(rise, run) > R(0x1p1000), R(0.5), R(1.0));
    const R a = select(steep, run, rise) * scale, b = select(steep, rise, run) * scale;
    const auto infinite = a == R(infinity_of<double>());  // then b is infinite, too
    const auto far = (a > 0.5 * b) | infinite;            // then u = (a - b) / (a + b)
    R u = select(far, a - b, a) / select(far, a + b, b);
    u = select((b == R(0.0)) | infinite, R(0.0), u);
    const R z = u * u;
    // The multiple of pi/4 is added at the end: k pi/4 + sign atan(u).
    const auto left = copysign(R(1.0), x) < R(0.0);  // also x = -0
    const R turned = select(left, R(4.0), R(0.0)), forward = select(left, R(-1.0), R(1.0));
    const R sign = select(steep, -forward, forward);
    const R k = fma(sign, select(far, R(1.0), R(0.0)), select(steep, R(2.0), turned));
    constexpr double quarter = 0x1.921fb54442d18p-1, quarter_low = 0x1.1a62633145c07p-55;  // pi/4
    const R turns = k * quarter;
    const R turns_low = fma(k, R(quarter), -turns) + k * quarter_low;
    const R angle = turns + fma(sign, u, fma(sign, (u * z) * detail::atan_tail(z), turns_low));
    return canonical(select((x == x) & (y == y), copysign(angle, y), R(nan_of<double>())));
  }
}

/// The angle whose tangent is x, in [-pi/2, pi/2].
template <class Policy, Real R>
GSIM_HD R atan(R x) {
  return atan2<Policy>(x, R(scalar_of<R>(1)));
}

GSIM_TARGET_END
