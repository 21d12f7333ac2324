#pragma once
// Maps doubles to integers in the same order, so that minima and maxima can be found by integer
// comparisons, in any order and on any rank, with the same result.

#include <cstdint>
#include <limits>

#include "gsim/core/host_device.hpp"

namespace gsim {

inline constexpr std::int64_t max_ordered_key = 0x7fffffffffffffff;

/// Maps x to an integer monotonically: -infinity, negative numbers, -0, +0, positive numbers,
/// +infinity. Not for NaN.
GSIM_HD constexpr std::int64_t ordered_key(double x) {
  const auto bits = __builtin_bit_cast(std::int64_t, x);
  return bits >= 0 ? bits : bits ^ max_ordered_key;
}

/// The inverse of ordered_key().
constexpr double real_of_key(std::int64_t key) {
  return __builtin_bit_cast(double, key >= 0 ? key : key ^ max_ordered_key);
}

/// The key of NaN. It is smaller than the keys of all numbers, so that a NaN always is the minimum.
inline constexpr std::int64_t key_of_nan = -max_ordered_key - 1;

/// The minimum of these keys is the key of the smallest number, or of a NaN if there is one.
GSIM_HD constexpr std::int64_t key_of_minimum(double x) {
  return x != x ? key_of_nan : ordered_key(x);
}
/// The minimum of these keys is the key of the largest number, or of a NaN if there is one.
GSIM_HD constexpr std::int64_t key_of_maximum(double x) {
  return x != x ? key_of_nan : ~ordered_key(x);
}
/// The inverse functions; NaN is returned as the quiet NaN without payload.
constexpr double minimum_of_key(std::int64_t key) {
  return key == key_of_nan ? std::numeric_limits<double>::quiet_NaN() : real_of_key(key);
}
constexpr double maximum_of_key(std::int64_t key) {
  return key == key_of_nan ? std::numeric_limits<double>::quiet_NaN() : real_of_key(~key);
}

}  // namespace gsim
