#pragma once
// The scalar form of every pack operation (pack.hpp), for CUDA threads, tests and set-up code. A
// scalar is a pack with one lane.

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "gsim/math/target.hpp"

GSIM_TARGET_BEGIN

/// Element types of kernels.
template <class T>
concept Scalar = std::same_as<T, float> || std::same_as<T, double> ||
    std::same_as<T, std::int32_t> || std::same_as<T, std::uint32_t> ||
    std::same_as<T, std::int64_t> || std::same_as<T, std::uint64_t>;
template <class T>
concept RealScalar = std::same_as<T, float> || std::same_as<T, double>;

/// Properties of R, a scalar or a pack.
template <class R>
struct PackTraits;
template <Scalar T>
struct PackTraits<T> {
  using scalar = T;
  using mask = bool;
  static constexpr int lanes = 1;
  template <class U>
  using rebind = U;
};
template <class R>
using scalar_of = typename PackTraits<R>::scalar;
template <class R>
inline constexpr int lanes_of = PackTraits<R>::lanes;
/// The type of comparisons of two R: bool, or one truth value per lane.
template <class R>
using mask_of = typename PackTraits<R>::mask;
/// The pack of type U with as many lanes as R.
template <class R, class U>
using rebind = typename PackTraits<R>::template rebind<U>;

/// Signed and unsigned integers of the width of T.
template <class T>
using int_of = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
template <class T>
using uint_of = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

/// Selects `a` where the mask is true, else `b`; both are computed.
template <Scalar T>
GSIM_HD T select(bool mask, T a, std::type_identity_t<T> b) {
  return mask ? a : b;
}
/// The larger, or smaller, of `value` and `bound`; `value` if they are equal or one is NaN. On a
/// host one instruction, where max and min, which test both arguments for NaN, need several.
template <Scalar T>
GSIM_HD T at_least(T value, std::type_identity_t<T> bound) {
  return bound > value ? bound : value;
}
template <Scalar T>
GSIM_HD T at_most(T value, std::type_identity_t<T> bound) {
  return bound < value ? bound : value;
}
GSIM_HD bool any(bool mask) { return mask; }
GSIM_HD bool all(bool mask) { return mask; }
/// Converts a mask to lanes of another width.
template <class R>
GSIM_HD bool mask_cast(bool mask) {
  return mask;
}

/// Converts every lane by static_cast. Real numbers convert to integers by truncation and must be
/// in range.
template <Scalar To, Scalar From>
GSIM_HD To convert(From a) {
  return static_cast<To>(a);
}

/// Reinterprets the bits of every lane as another type of the same width.
template <Scalar To, Scalar From>
requires(sizeof(To) == sizeof(From)) GSIM_HD To bit_cast_to(From a) {
  return __builtin_bit_cast(To, a);
}

/// a * b + c, rounded once.
template <RealScalar T>
GSIM_HD T fma(T a, std::type_identity_t<T> b, std::type_identity_t<T> c) {
  if constexpr (sizeof(T) == 8)
    return __builtin_fma(a, b, c);
  else
    return __builtin_fmaf(a, b, c);
}

/// The correctly rounded square root.
template <RealScalar T>
GSIM_HD T sqrt(T a) {
  if constexpr (sizeof(T) == 8)
    return __builtin_sqrt(a);
  else
    return __builtin_sqrtf(a);
}

template <RealScalar T>
GSIM_HD T abs(T a) {
  constexpr uint_of<T> sign_bit = uint_of<T>(1) << (sizeof(T) * 8 - 1);
  return bit_cast_to<T>(bit_cast_to<uint_of<T>>(a) & ~sign_bit);
}

/// The magnitude of `magnitude` with the sign of `sign`.
template <RealScalar T>
GSIM_HD T copysign(T magnitude, std::type_identity_t<T> sign) {
  constexpr uint_of<T> sign_bit = uint_of<T>(1) << (sizeof(T) * 8 - 1);
  return bit_cast_to<T>((bit_cast_to<uint_of<T>>(magnitude) & ~sign_bit) |
                        (bit_cast_to<uint_of<T>>(sign) & sign_bit));
}

/// The nearest integer, ties to even.
template <RealScalar T>
GSIM_HD T round_even(T a) {
#if defined(__CUDA_ARCH__)
  return ::rint(a);
#else
  constexpr T big = sizeof(T) == 8 ? T(0x1p52) : T(0x1p23f);
  const T magnitude = abs(a);
  const T rounded = (magnitude + big) - big;
  return copysign(magnitude < big ? rounded : magnitude, a);
#endif
}

/// The largest integer not above a.
template <RealScalar T>
GSIM_HD T floor(T a) {
#if defined(__CUDA_ARCH__)
  return ::floor(a);
#else
  const T r = round_even(a);
  return r > a ? r - T(1) : r;
#endif
}

/// The canonical NaN that gsim's functions return: quiet, positive, no payload.
template <RealScalar T>
GSIM_HD constexpr T nan_of() {
  return __builtin_bit_cast(
      T, sizeof(T) == 8 ? uint_of<T>(0x7ff8000000000000u) : uint_of<T>(0x7fc00000u));
}
template <RealScalar T>
GSIM_HD constexpr T infinity_of() {
  return __builtin_bit_cast(
      T, sizeof(T) == 8 ? uint_of<T>(0x7ff0000000000000u) : uint_of<T>(0x7f800000u));
}

/// Selects a where the top bit of `bits` is set, else b.
template <RealScalar T>
GSIM_HD T select_top_bit(uint_of<T> bits, T a, T b) {
  return bits >> (sizeof(T) * 8 - 1) != 0 ? a : b;
}

/// Joins the low half of `low` and the high half of `high`.
GSIM_HD std::uint64_t join_halves(std::uint64_t low, std::uint64_t high) {
  return (low & 0xffffffffu) | (high & 0xffffffff00000000u);
}

/// The product of the low 32-bit halves.
GSIM_HD std::uint64_t mul_wide(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) * static_cast<std::uint32_t>(b);
}

/// Loads lanes from consecutive elements without alignment.
template <Scalar R>
GSIM_HD R load(const R* from) {
  return *from;
}
template <Scalar R>
GSIM_HD void store(R* to, R a) {
  *to = a;
}
template <Scalar R>
GSIM_HD R broadcast(std::type_identity_t<R> x) {
  return x;
}
/// The lane indices 0, 1, 2, …
template <Scalar R>
GSIM_HD R lane_index() {
  return R(0);
}
/// Gathers table[index] for every lane.
template <Scalar T>
GSIM_HD T gather(const T* table, std::int32_t index) {
  return table[index];
}
/// One lane.
template <Scalar T>
GSIM_HD T extract(T a, int /*lane*/) {
  return a;
}

GSIM_TARGET_END
