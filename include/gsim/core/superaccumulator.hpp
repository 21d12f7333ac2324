#pragma once
// Exact sums of real numbers and of their products, whatever their magnitudes and their order: a
// superaccumulator (Kulisch and Miranker 1986, "The arithmetic of the digital computer: a new
// approach", SIAM Review 28, 1; in the form of Neal 2015, "Fast exact summation using small and
// large superaccumulators", arXiv:1505.05571). It is a fixed-point number with digits for every bit
// that a double, or a product of two, can have, so that no quantum has to be chosen, and terms that
// cancel leave exactly what they should. Where the magnitude of terms is known beforehand, sums of
// whole quanta (core/exact_sum.hpp) take less memory.

#include <array>
#include <cstdint>

#include "gsim/core/exact_sum.hpp"
#include "gsim/core/host_device.hpp"

namespace gsim {

/// A finite double is mantissa * 2^(position - 1074), with 0 <= position <= 2045.
struct RealParts {
  std::int64_t mantissa;  ///< with sign, below 2^53 in magnitude
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
  /// Digits of 32 bits in 64-bit integers: digit k counts 2^(32 k - 2148), the least bit of a
  /// product of two doubles; the highest one has the sign. There is room for 2^100 terms.
  static constexpr int digits = 134;
  /// The digits, and behind them the numbers of terms that were NaN, +infinity and -infinity.
  static constexpr int parts = digits + 3;
  static constexpr int nan_part = digits, plus_part = digits + 1, minus_part = digits + 2;

  /// Adds x exactly. NaN and infinities are counted.
  void add(double x);
  /// Adds the exact product of a and b, which may be beyond the range of doubles.
  void add_product(double a, double b);
  void add(const Superaccumulator& other);

  /// The sum rounded to the nearest double, ties to even; an infinity where it is beyond their
  /// range. As IEEE 754 has it, NaN if a term was NaN or infinities of both signs were added, and
  /// the infinity if those of one sign were. A sum of nothing, and one that cancels, is +0.
  double value() const;
  /// The square root of the sum, also where the sum itself is beyond the range of doubles: within
  /// 0.76 units in the last place. NaN where the sum is negative or NaN.
  double root() const;
  /// Terms that were NaN or infinite.
  std::int64_t not_finite() const { return part_[nan_part] + part_[plus_part] + part_[minus_part]; }

  /// The sum in parts that add up across threads and ranks as 64-bit integers (2^31 of them fit),
  /// and back. What adds to parts without a carry may do so 2^30 times before the next carry().
  const std::array<std::int64_t, parts>& to_parts() const { return part_; }
  static Superaccumulator from_parts(const std::int64_t* part);

  friend bool operator==(const Superaccumulator&, const Superaccumulator&) = default;

 private:
  struct Rounded;
  void add_quanta(WideInteger quanta, int digit);
  bool add_special(double x);
  double special_value() const;
  static void carry(std::array<std::int64_t, parts>& part);
  Rounded round(int lowest_bit) const;
  std::array<std::int64_t, parts> part_{};  // digits below 2^32 but the highest: one form a sum
};

}  // namespace gsim
