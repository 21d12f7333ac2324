#pragma once
// Real numbers as integers in the same order: the least and the greatest of many can then be found
// by integer comparisons, in any order and on any rank, with the same result.

#include <cstdint>
#include <limits>

#include "gsim/core/host_device.hpp"

namespace gsim {

inline constexpr std::int64_t greatest_key = 0x7fffffffffffffff;

/// An integer that grows with x: -infinity has the least, then negative numbers, -0, +0, positive
/// numbers and +infinity. Not for NaN.
GSIM_HD constexpr std::int64_t ordered_key(double x) {
  const auto bits = __builtin_bit_cast(std::int64_t, x);
  return bits >= 0 ? bits : bits ^ greatest_key;
}

/// The number that has this key.
constexpr double real_of_key(std::int64_t key) {
  return __builtin_bit_cast(double, key >= 0 ? key : key ^ greatest_key);
}

/// What a NaN has instead of a key: below the keys of all numbers, so that it is the least wherever
/// there is one.
inline constexpr std::int64_t key_of_nan = -greatest_key - 1;

/// A key whose least value belongs to the least of several numbers, or to a NaN among them.
GSIM_HD constexpr std::int64_t key_of_minimum(double x) {
  return x != x ? key_of_nan : ordered_key(x);
}
/// A key whose least value belongs to the greatest of several numbers, or to a NaN among them.
GSIM_HD constexpr std::int64_t key_of_maximum(double x) {
  return x != x ? key_of_nan : ~ordered_key(x);
}
/// The numbers back from these keys; a NaN is the quiet one without a payload.
constexpr double minimum_of_key(std::int64_t key) {
  return key == key_of_nan ? std::numeric_limits<double>::quiet_NaN() : real_of_key(key);
}
constexpr double maximum_of_key(std::int64_t key) {
  return key == key_of_nan ? std::numeric_limits<double>::quiet_NaN() : real_of_key(~key);
}

}  // namespace gsim
