#pragma once
// Exact sums of real numbers and of their products, for any magnitudes and any order of terms, by a
// superaccumulator (Kulisch and Miranker 1986, "The arithmetic of the digital computer: a new
// approach", SIAM Review 28, 1; in the form of Neal 2015, "Fast exact summation using small and
// large superaccumulators", arXiv:1505.05571). It is a fixed-point number with a digit for every
// bit that a double or a product of two doubles can have, so that no quantum has to be chosen and
// cancellation is exact. If the magnitude of terms is known in advance, sums of integer quanta
// (core/exact_sum.hpp) take less memory.

#include <array>
#include <cstdint>

#include "gsim/core/exact_sum.hpp"
#include "gsim/core/host_device.hpp"

namespace gsim {

/// A finite double is mantissa * 2^(position - 1074), with 0 <= position <= 2045.
struct RealParts {
  std::int64_t mantissa;  ///< signed, below 2^53 in magnitude
  int position;
};
GSIM_HD constexpr RealParts parts_of(double x) {
  const auto bits = __builtin_bit_cast(std::uint64_t, x);
  const int exponent = static_cast<int>((bits >> 52) & 0x7ff);
  const auto fraction = static_cast<std::int64_t>(bits & 0xfffffffffffffu);
  const std::int64_t magnitude = exponent == 0 ? fraction : fraction | (std::int64_t{1} << 52);
  return {(bits >> 63) != 0 ? -magnitude : magnitude, exponent == 0 ? 0 : exponent - 1};
}

class Superaccumulator {
 public:
  /// Digits of 32 bits in 64-bit integers: digit k counts multiples of 2^(32 k - 2148), where
  /// 2^-2148 is the least significant bit of a product of two doubles; the highest digit carries
  /// the sign. There is room for 2^100 terms.
  static constexpr int digits = 134;
  /// The digits, followed by the numbers of terms that were NaN, +infinity and -infinity.
  static constexpr int parts = digits + 3;
  static constexpr int nan_part = digits, plus_part = digits + 1, minus_part = digits + 2;

  /// Adds x exactly. NaNs and infinities are counted.
  void add(double x);
  /// Adds the exact product of a and b, which may exceed the range of doubles.
  void add_product(double a, double b);
  void add(const Superaccumulator& other);

  /// The sum rounded to the nearest double, ties to even; infinity if it exceeds the range of
  /// doubles. As in IEEE 754, it is NaN if a term was NaN or infinities of both signs were added,
  /// and infinite if infinities of one sign were added. An empty sum and exact cancellation give
  /// +0.
  double value() const;
  /// The square root of the sum, also if the sum itself exceeds the range of doubles: within 0.76
  /// units in the last place. NaN if the sum is negative or NaN.
  double root() const;
  /// Number of terms that were NaN or infinite.
  std::int64_t not_finite() const { return part_[nan_part] + part_[plus_part] + part_[minus_part]; }

  /// Splits the sum into 64-bit integers that can be added across threads and ranks (up to 2^31 of
  /// them), and joins them again. Code that adds to parts without a carry may do so 2^30 times
  /// before the next carry().
  const std::array<std::int64_t, parts>& to_parts() const { return part_; }
  static Superaccumulator from_parts(const std::int64_t* part);

  friend bool operator==(const Superaccumulator&, const Superaccumulator&) = default;

 private:
  struct Rounded;  // a rounded sum as sign, integer magnitude and exponent
  /// Adds quanta * 2^(32 digit) units of the least significant bit.
  void add_quanta(WideInteger quanta, int digit);
  /// Counts x if it is NaN or infinite; returns whether it is.
  bool add_special(double x);
  /// The sum if a term was NaN or infinite.
  double special_value() const;
  /// Normalises the digits.
  static void carry(std::array<std::int64_t, parts>& part);
  /// The sum rounded to 53 bits, none of them below bit number `lowest_bit`.
  Rounded round(int lowest_bit) const;
  std::array<std::int64_t, parts> part_{};  // normalised: all digits but the highest are below 2^32
};

}  // namespace gsim
