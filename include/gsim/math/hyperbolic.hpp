#pragma once
// tanh: x + x^3 P(x^2) for |x| < 0.55 (Remez in 160-bit arithmetic, relative error 2^-60.6), and
// 1 - 2 / (exp(2 |x|) + 1) beyond.

#include "gsim/math/exp.hpp"

GSIM_TARGET_BEGIN

/// The hyperbolic tangent.
template <class Policy, Real R>
GSIM_HD R tanh(R x) {
  if constexpr (sizeof(scalar_of<R>) == 4) {
    return convert<float>(tanh<Policy>(convert<double>(x)));
  } else {
    const R z = x * x;
    const R p = detail::polynomial(
        z, -0x1.5555555555550p-2, 0x1.11111111108b9p-3, -0x1.ba1ba1b98adb2p-5, 0x1.664f485c05092p-6,
        -0x1.226e2f5f9c113p-7, 0x1.d6d2a6513962ep-9, -0x1.7d905248fec3dp-10, 0x1.3487728d9db45p-11,
        -0x1.e99380050e496p-13, 0x1.5dd463805c56dp-14, -0x1.47f078d5d464bp-16);
    const R near_zero = fma(x * z, p, x);
    const R twice = detail::clamp(abs(x), 0.0, 22.0) * 2.0;  // tanh(22) rounds to 1
    const R far = copysign(1.0 - 2.0 / (exp_bounded<Policy>(twice) + 1.0), x);
    const R result = select(abs(x) < R(0.55), near_zero, far);
    return canonical(select(x == R(0.0), x, result));
  }
}

GSIM_TARGET_END
