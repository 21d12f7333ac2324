#pragma once
// Standard normal numbers: in pairs from random words by Box and Muller (1958), and one by one from
// a uniform by the inverse of the distribution function, which keeps the order of quasi-random
// points.

#include <cstdint>

#include "gsim/math/log.hpp"
#include "gsim/math/normal_inverse.hpp"
#include "gsim/math/pack.hpp"
#include "gsim/math/policy.hpp"
#include "gsim/math/trig.hpp"
#include "gsim/random/philox.hpp"
#include "gsim/random/sobol.hpp"
#include "gsim/random/uniform.hpp"

GSIM_TARGET_BEGIN

namespace detail {

/// sqrt(-2 ln u) for u in (0, 1].
template <class Policy, Real R>
GSIM_HD R normal_radius(R u) {
  if constexpr (Policy::is_strict) {
    return sqrt(R(scalar_of<R>(-2)) * log_unit<Policy>(u));
  } else {
#if defined(__CUDA_ARCH__)
    if constexpr (sizeof(R) == 4) {
      // Flushing is no loss: u is never subnormal, and neither is the square unless it is 0.
      float log2, root;
      asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(log2) : "f"(u));
      asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(abs(log2 * -0x1.62e430p+0f)));
      return root;
    }
#endif
    // An approximate logarithm near 1 may have the wrong sign.
    return sqrt(abs(R(scalar_of<R>(-2)) * log_unit<Policy>(u)));
  }
}

}  // namespace detail

/// Box and Muller, "A note on the generation of random normal deviates" (1958): for u and v
/// independent and uniform, sqrt(-2 ln u) cos(2 pi v) and sqrt(-2 ln u) sin(2 pi v) are independent
/// standard normal. `u` in (0, 1], `v` in [0, 1].
template <class Policy, Real R>
GSIM_HD Draws<R, 2> box_muller(R u, R v) {
  const R radius = detail::normal_radius<Policy>(u);
  const auto angle = sincos_2pi<Policy>(v);
  return {{radius * angle.cos, radius * angle.sin}};
}

/// (floor(word / 2) + 1/2) / 2^31 rounded to float, in (0, 1]: all 31 bits count near 0, so that
/// normals reach 6.7 standard deviations and not 5.8. For radii, where 1 is allowed.
template <class L>
GSIM_HD rebind<L, float> radius_float(L word) {
  using R = rebind<L, float>;
  const auto half = bit_cast_to<std::int32_t>(low_word(word) >> 1);
  return fma(convert<float>(half), R(0x1p-31f), R(0x1p-32f));
}

/// The normals of one block. Doubles: radius from words 0 and 1, angle from words 2 and 3; at most
/// 8.58 standard deviations. Floats: a pair from words 0 (radius) and 1 (angle), another from words
/// 2 and 3.
template <class T, class Policy, class L>
GSIM_HD Draws<rebind<L, T>, draws_per_block<T>> normals(const PhiloxWords<L>& w) {
  if constexpr (sizeof(T) == 8) {
    return box_muller<Policy>(unit_double(w.x0, w.x1), unit_double(w.x2, w.x3));
  } else {
    const auto a = box_muller<Policy>(radius_float(w.x0), unit_float(w.x1));
    const auto b = box_muller<Policy>(radius_float(w.x2), unit_float(w.x3));
    return {{a[0], a[1], b[0], b[1]}};
  }
}

/// The standard normal of one scrambled Sobol coordinate (sobol.hpp), by inversion.
template <class T, class Policy, class Word>
GSIM_HD rebind<Word, T> scrambled_normal(Word reversed, ScrambleSeed seed) {
  return normal_inverse<Policy>(scrambled_unit<T>(reversed, seed));
}

GSIM_TARGET_END
