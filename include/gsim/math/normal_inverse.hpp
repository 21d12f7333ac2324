#pragma once
// The inverse of the normal distribution function, x = Phi^-1(u). With p = min(u, 1 - u),
// q = 1/2 - p and w = -log(4 p (1 - p)), |x| = q P(w) (Giles 2010), where P is a minimax polynomial
// for w <= 6.25, that is |x| < 3.3. Its degree and relative error are 23 and 2^-55.5 in strict
// arithmetic (Remez in 140-bit arithmetic), 12 and 2^-30.8 in fast arithmetic (2^-29.9 with the
// error of the fast logarithm), 9 and 2^-27.4 for float (w <= 5). Farther out, with
// s = sqrt(-log(p)), |x| is s times a polynomial of degree 24 in (s - 4) / (s + 4) with the
// relative error 2^-55.7, for p down to the smallest subnormal.

#include "gsim/math/log.hpp"

GSIM_TARGET_BEGIN

namespace detail {

/// -Phi^-1(p) for 0 < p < 0.0017 (subnormals included).
template <Real R>
GSIM_HD R normal_quantile_tail(R p) {
  const auto n = normalise(p);
  const auto parts = log_split(n.x);
  const R square = -log_join(parts.k + n.k, parts.f, log_tail<Strict>(parts.f));
  const R s = sqrt(square);
  const R s_low = fma(-s, s, square) / (s + s);
  const R t = (s - 4.0) / (s + 4.0);
  const R rest = polynomial(
      t, 0x1.96efffd3edfd7p-2, -0x1.4610d8efe12dep-1, 0x1.90b0851cca470p-1, -0x1.c862bd31bd459p-1,
      0x1.f24053051de88p-1, -0x1.09e5808a50c00p+0, 0x1.17924fec5edadp+0, -0x1.2332f8fc75956p+0,
      0x1.2d393b2faf33ap+0, -0x1.36150c2bb8b06p+0, 0x1.3df7279371723p+0, -0x1.4519908b7e8cap+0,
      0x1.4b99eb312c4e8p+0, -0x1.517654fa148c6p+0, 0x1.5654128483574p+0, -0x1.5abc487fef1d5p+0,
      0x1.62b4dc7c90e5fp+0, -0x1.72df38088aeccp+0, 0x1.8096e2590c22ep+0, -0x1.6906d9ef95479p+0,
      0x1.1168b8c55b884p+0, -0x1.2a12bca473c4dp-1, 0x1.963cb8b3cb01bp-3, -0x1.01b0330397469p-5);
  const auto factor = quick_two_sum(R(0x1.4b598efd9c4c6p+0), t * rest);
  const R factor_low = factor.lo - 0x1.477837d200503p-54;
  return fma(s, factor.hi, fma(s, factor_low, s_low * factor.hi));
}

/// As above for any p and for float; infinite at 0 and NaN below.
template <Real R>
GSIM_HD R normal_quantile_far(R p) {
  using T = scalar_of<R>;
  R x;
  if constexpr (sizeof(T) == 8)
    x = normal_quantile_tail(p);
  else
    x = convert<float>(normal_quantile_tail(convert<double>(p)));
  return select(p > R(T(0)), x, select(p == R(T(0)), R(infinity_of<T>()), R(nan_of<T>())));
}

/// P(w) as an unevaluated sum of two parts.
template <class Policy, Real R>
GSIM_HD Pair<R> normal_quantile_factor(R w) {
  // The expansion point is chosen such that the terms are small where P is smallest, at w = 0.
  if constexpr (sizeof(scalar_of<R>) == 8) {
    const R t = w - 1.75;
    R rest;
    if constexpr (Policy::is_strict)
      rest = polynomial(t, 0x1.6aa62d8f24a21p-1, -0x1.cb5ae7570ee64p-10, -0x1.6085a97f42649p-8,
                        0x1.2b28dc70c6fcbp-11, 0x1.69a75a1070e6ap-15, -0x1.f636c0f1f976dp-17,
                        0x1.c99ab957a8c2dp-22, 0x1.25443f0396b4bp-22, -0x1.0fc3fcc89402ep-25,
                        -0x1.b71fb849b78b8p-29, 0x1.02081e0e4a7afp-30, -0x1.0542fccc199a6p-37,
                        -0x1.5c2859628e794p-36, 0x1.f26d57255d990p-40, 0x1.467e432f60286p-42,
                        -0x1.1c9267b222ce4p-44, -0x1.11eba118565e5p-50, 0x1.a8b0d2c98e515p-50,
                        -0x1.3179975cda498p-53, -0x1.d574c78bbeb1fp-57, 0x1.0c5148d72d04dp-58,
                        -0x1.675bc05f90d07p-62, 0x1.683764d12daa1p-67);
    else
      rest = polynomial(t, 0x1.6aa62d47996b3p-1, -0x1.cb5a3b3d6e49bp-10, -0x1.6085278dd8cf1p-8,
                        0x1.2b25e70265766p-11, 0x1.696ab2a1da9dcp-15, -0x1.f58738901bb64p-17,
                        0x1.d2b8b357611f5p-22, 0x1.1c3dacfb84efep-22, -0x1.0f56067f346dap-25,
                        -0x1.00d039217cc2cp-29, 0x1.57ca8f79c20bcp-31, -0x1.4569bf5edcd1bp-35);
    const auto sum = quick_two_sum(R(0x1.dbf6ce0ee4016p+1), t * rest);
    return {sum.hi, sum.lo - 0x1.528a291c99354p-53};
  } else {
    const R t = w - 1.25f;
    const R rest = polynomial(t, 0x1.6957cep-1f, 0x1.d19048p-8f, -0x1.a1c180p-8f, 0x1.aa2b0ap-12f,
                              0x1.7070e0p-14f, -0x1.e270b2p-17f, -0x1.8b543cp-21f, 0x1.72abeap-22f,
                              -0x1.aad560p-26f);
    const auto sum = quick_two_sum(R(0x1.aeaad4p+1f), t * rest);
    return {sum.hi, sum.lo - 0x1.d47e46p-27f};
  }
}

}  // namespace detail

/// Phi^-1(u); -infinity at 0, infinity at 1, NaN outside [0, 1].
template <class Policy, Real R>
GSIM_HD R normal_inverse(R u) {
  using T = scalar_of<R>;
  // p at w = 6.25, or at w = 5 for float.
  constexpr T tail_begins = sizeof(T) == 8 ? T(0.000483) : T(0.001688f);
  const R p = select(u < R(T(0.5)), u, T(1) - u);  // both exact
  const R q = T(0.5) - p, q_low = (T(0.5) - q) - p;
  const R w = -log_unit<Policy>(fma(p * T(-4), p, p * T(4)));
  const auto factor = detail::normal_quantile_factor<Policy>(w);
  R x = fma(q, factor.hi, fma(q, factor.lo, q_low * factor.hi));
  const auto tail = !(p >= R(tail_begins));
  if (any(tail)) x = select(tail, detail::normal_quantile_far(p), x);
  return canonical(copysign(x, u - T(0.5)));
}

GSIM_TARGET_END
