#pragma once
// x^y = exp(y log|x|). The logarithm is computed as an unevaluated sum of two doubles: 2 s + (2/3)
// s^3 with extra precision, and the rest of the series of 2 atanh(s) in one double (relative error
// about 2^-64), so that y log|x| has an absolute error far below 2^-53 wherever the result is
// finite. Special values as in IEEE 754-2019.

#include "gsim/math/log.hpp"

GSIM_TARGET_BEGIN

namespace detail {

/// log(x) for positive x as a sum of two doubles.
template <Real R>
GSIM_HD Pair<R> log_pair(R x) {
  using C = ExpConstants<double>;
  const auto n = normalise(x);
  const auto parts = log_split(n.x);
  const R k = parts.k + n.k;
  // s = f / (2 + f) as a pair
  const auto d = quick_two_sum(R(2.0), parts.f);
  const R inverse = 1.0 / d.hi;
  const R s = parts.f * inverse;
  const R s_low = (fma(-s, d.hi, parts.f) - s * d.lo) * inverse;
  // s^2 as a pair, then 2/3 s^3
  const auto z = two_product(s, s);
  const R z_low = fma(s + s, s_low, z.lo);
  const auto c = two_product(z.hi, R(0x1.5555555555555p-1));  // 2/3
  const R c_low = c.lo + fma(z.hi, R(0x1.5555555555555p-55), z_low * 0x1.5555555555555p-1);
  // the rest of the series: (2 atanh(s)/s - 2 - 2/3 z) / z^2
  const R p = polynomial(z.hi, 0x1.99999999999c3p-2, 0x1.2492492480840p-2, 0x1.c71c71f78dd98p-3,
                         0x1.745cfb5a5d4a6p-3, 0x1.3b1bef6ee9859p-3, 0x1.0fc227588f7cap-3,
                         0x1.0bf7c18f29acfp-3);
  const auto series = quick_two_sum(R(2.0), c.hi);
  const R series_low = series.lo + fma(z.hi * z.hi, p, c_low);
  const auto m = two_product(s, series.hi);
  const R m_low = m.lo + fma(s_low, series.hi, s * series_low);
  const auto e = two_product(k, R(C::ln2));
  const auto sum = two_sum(e.hi, m.hi);
  return quick_two_sum(sum.hi, sum.lo + ((e.lo + m_low) + k * C::ln2_low));
}

/// x^y for x > 0.
template <Real R>
GSIM_HD R pow_positive(R x, R y) {
  const auto l = log_pair(x);
  // Beyond these bounds the result is infinite or zero; the clamp also excludes infinities.
  const R product = clamp(y * l.hi, -760.0, 720.0);
  const auto inside = (product > R(-760.0)) & (product < R(720.0));
  const R low = fma(y, l.hi, -product) + y * l.lo;
  const auto e = exp_reduce<Strict>(product);
  const R corrected = select(inside, low, R(0.0));
  return scale(1.0 + fma(e.p + 1.0, corrected, e.p), e.n_shifted);
}

}  // namespace detail

/// x raised to the power y.
template <class Policy, Real R>
GSIM_HD R pow(R x, std::type_identity_t<R> y) {
  if constexpr (sizeof(scalar_of<R>) == 4) {
    return convert<float>(pow<Policy>(convert<double>(x), convert<double>(y)));
  } else {
    const R one(1.0), zero(0.0), inf(infinity_of<double>()), nan(nan_of<double>());
    const R magnitude = abs(x);
    const R half_y = y * 0.5;
    const auto y_integer = round_even(y) == y;
    const auto y_odd = y_integer & (round_even(half_y) != half_y) & (abs(y) < R(0x1p53));
    const auto ordinary = (magnitude > zero) & (magnitude < inf);
    R result = detail::pow_positive(select(ordinary, magnitude, one), y);
    // |x| = 0 or infinity, or y infinite
    const R at_zero = select(y < zero, inf, zero), at_inf = select(y < zero, zero, inf);
    result = select(magnitude == zero, at_zero, result);
    result = select(magnitude == inf, at_inf, result);
    const R y_inf =
        select(magnitude > one, select(y > zero, inf, zero), select(y > zero, zero, inf));
    result = select(abs(y) == inf, y_inf, result);
    const auto negative = bit_cast_to<std::int64_t>(x) < rebind<R, std::int64_t>(0);
    result = select(mask_cast<R>(negative) & y_odd, -result, result);
    result = select((x < zero) & (magnitude < inf) & (!y_integer), nan, result);
    result = select((x == x) & (y == y), result, nan);
    const auto gives_one = (x == one) | (y == zero) | ((x == -one) & (abs(y) == inf));
    return canonical(select(gives_one, one, result));
  }
}

GSIM_TARGET_END
