#pragma once
// Fixed-point sums, which do not depend on the order of their terms: every term is rounded to a
// multiple of a fixed-point unit, the quantum, and the integers are added exactly. Used for sums
// over particles and tallies that many threads and ranks contribute to.

#include <cstdint>

namespace gsim {

__extension__ typedef __int128 WideInteger;

/// A sum as a 128-bit integer number of quanta: room for 2^63 terms of 2^63 quanta each.
class ExactSum {
 public:
  ExactSum() = default;
  explicit ExactSum(WideInteger quanta) : value_(quanta) {}
  void add(std::int64_t quanta) { value_ += quanta; }
  void add(const ExactSum& other) { value_ += other.value_; }

  /// The sum as a double: the number of quanta rounded to the nearest double, times `quantum` (a
  /// power of two).
  double value(double quantum) const { return static_cast<double>(value_) * quantum; }

  /// Splits the sum into 64-bit integers that can be added across ranks, and joins them again.
  /// (Each part holds 32 bits, the highest with sign: room for 2^31 ranks.)
  static constexpr int parts = 4;
  void to_parts(std::int64_t* part) const {
    for (int k = 0; k < parts - 1; ++k)
      part[k] = static_cast<std::int64_t>(static_cast<std::uint32_t>(value_ >> (32 * k)));
    part[parts - 1] = static_cast<std::int64_t>(value_ >> (32 * (parts - 1)));
  }
  static ExactSum from_parts(const std::int64_t* part) {
    ExactSum sum;
    for (int k = parts - 1; k >= 0; --k) sum.value_ = (sum.value_ * 4294967296) + part[k];
    return sum;
  }

  friend bool operator==(const ExactSum&, const ExactSum&) = default;

 private:
  WideInteger value_ = 0;
};

}  // namespace gsim
