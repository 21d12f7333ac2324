#include "oracle/exact.hpp"

#include <algorithm>
#include <array>

namespace ptxemu::oracle {
namespace {

using U64 = std::uint64_t;
using Kind = Number::Kind;

U64 ones(int count) { return count >= 64 ? ~U64{0} : (U64{1} << count) - 1; }

int width(Bits128 value) {
  int bits = 0;
  for (; value != 0; value >>= 1) ++bits;
  return bits;
}

/// A non-negative multiple of 2^-2304 that holds products of two numbers in double precision.
class Big {
 public:
  static constexpr int words = 72, lowest_exponent = -2304;

  void add_shifted(Bits128 value, int exponent) {
    const int shift = exponent - lowest_exponent;
    for (int bit = 0; value != 0; ++bit, value >>= 1)
      if ((value & 1) != 0) set(shift + bit);
  }
  bool less(const Big& other) const {
    for (int n = words - 1; n >= 0; --n)
      if (word_[at(n)] != other.word_[at(n)]) return word_[at(n)] < other.word_[at(n)];
    return false;
  }
  void add(const Big& other) {
    Bits128 carry = 0;
    for (int n = 0; n < words; ++n) {
      carry += Bits128{word_[at(n)]} + other.word_[at(n)];
      word_[at(n)] = static_cast<U64>(carry);
      carry >>= 64;
    }
  }
  /// Subtracts a smaller number.
  void subtract(const Big& other) {
    U64 borrow = 0;
    for (int n = 0; n < words; ++n) {
      const Bits128 taken = Bits128{other.word_[at(n)]} + borrow;
      borrow = word_[at(n)] < taken ? 1 : 0;
      word_[at(n)] = static_cast<U64>(word_[at(n)] - taken);
    }
  }
  /// The highest 120 bits as a number.
  Number number() const {
    Number result;
    int top = words * 64 - 1;
    while (top >= 0 && !get(top)) --top;
    const int low = std::max(0, top - 119);
    for (int bit = top; bit >= low; --bit) result.magnitude = result.magnitude * 2 + get(bit);
    for (int bit = 0; bit < low; ++bit) result.inexact = result.inexact || get(bit);
    result.exponent = low + lowest_exponent;
    return result;
  }

 private:
  static std::size_t at(int n) { return static_cast<std::size_t>(n); }
  bool get(int bit) const { return ((word_[at(bit / 64)] >> (bit % 64)) & 1) != 0; }
  void set(int bit) { word_[at(bit / 64)] |= U64{1} << (bit % 64); }
  std::array<U64, words> word_{};
};

Number nan() { return {Kind::nan, false, 0, 0, false}; }
Number infinity(bool negative) { return {Kind::infinite, negative, 0, 0, false}; }
Number zero(bool negative) { return {Kind::finite, negative, 0, 0, false}; }

/// Whether a magnitude is rounded up: `odd` is the last bit that is kept, `half` the first bit that
/// is dropped, `rest` whether any other dropped bit is set.
bool rounds_up(bool odd, bool half_bit, bool rest, bool negative, Rounding rounding) {
  switch (rounding) {
    case Rounding::nearest:
      return half_bit && (rest || odd);
    case Rounding::zero:
      return false;
    case Rounding::down:
      return negative && (half_bit || rest);
    default:
      return !negative && (half_bit || rest);
  }
}

/// The magnitude in units of 2^unit, rounded.
Bits128 in_units(const Number& a, int unit, Rounding rounding) {
  const int drop = unit - a.exponent;
  if (drop <= 0) return a.magnitude << -drop;
  const Bits128 kept = drop > 127 ? 0 : a.magnitude >> drop;
  const bool half_bit = drop <= 128 && ((a.magnitude >> (drop - 1)) & 1) != 0;
  const Bits128 below = drop > 128 ? a.magnitude : a.magnitude & ((Bits128{1} << (drop - 1)) - 1);
  const bool rest = below != 0 || a.inexact;
  return kept + (rounds_up((kept & 1) != 0, half_bit, rest, a.negative, rounding) ? 1 : 0);
}

}  // namespace

Number decode(U64 bits, Format f) {
  const U64 fraction = bits & ones(f.mantissa);
  const int exponent = static_cast<int>((bits >> f.mantissa) & ones(f.exponent));
  const bool negative = ((bits >> (f.mantissa + f.exponent)) & 1) != 0;
  if (exponent == static_cast<int>(ones(f.exponent)))
    return fraction != 0 ? nan() : infinity(negative);
  const int bias = static_cast<int>(ones(f.exponent - 1)) + f.mantissa;
  Number number{Kind::finite, negative, fraction, std::max(exponent, 1) - bias, false};
  if (exponent != 0) number.magnitude |= U64{1} << f.mantissa;
  return number;
}

U64 encode(const Number& a, Format f, Rounding rounding) {
  const U64 sign = U64{a.negative} << (f.mantissa + f.exponent);
  const U64 infinite = ones(f.exponent) << f.mantissa;
  if (a.is_nan()) return f.mantissa == 52 ? 0xfff8000000000000u : ones(f.bits() - 1);
  if (a.kind == Kind::infinite) return sign | infinite;
  if (a.magnitude == 0) return sign;
  const int bias = static_cast<int>(ones(f.exponent - 1)) + f.mantissa;
  // The unit in the last place for the exponent of the number; that of subnormal numbers at least.
  int unit = std::max(a.exponent + width(a.magnitude) - 1 - f.mantissa, 1 - bias);
  Bits128 significand = in_units(a, unit, rounding);
  if (width(significand) > f.mantissa + 1) significand >>= 1, ++unit;
  const bool normal = width(significand) == f.mantissa + 1;
  const int exponent = normal ? unit + bias : 0;
  if (exponent >= static_cast<int>(ones(f.exponent))) {
    const bool to_infinity = rounding == Rounding::nearest ||
                             (rounding == Rounding::up && !a.negative) ||
                             (rounding == Rounding::down && a.negative);
    return sign | (to_infinity ? infinite : infinite - 1);
  }
  return sign | (static_cast<U64>(exponent) << f.mantissa) |
         (static_cast<U64>(significand) & ones(f.mantissa));
}

Number integer(__int128 value) {
  const bool negative = value < 0;
  return {Kind::finite, negative,
          negative ? Bits128{0} - static_cast<Bits128>(value) : static_cast<Bits128>(value), 0,
          false};
}

Number sum(const Number& a, const Number& b, Rounding rounding) {
  if (a.is_nan() || b.is_nan()) return nan();
  if (a.kind == Kind::infinite && b.kind == Kind::infinite)
    return a.negative == b.negative ? a : nan();
  if (a.kind == Kind::infinite) return a;
  if (b.kind == Kind::infinite) return b;
  if (a.is_zero() && b.is_zero() && a.negative == b.negative) return a;
  Big x, y;
  x.add_shifted(a.magnitude, a.exponent);
  y.add_shifted(b.magnitude, b.exponent);
  if (a.negative == b.negative) {
    x.add(y);
    Number result = x.number();
    result.negative = a.negative;
    return result;
  }
  const bool a_is_smaller = x.less(y);
  Big& larger = a_is_smaller ? y : x;
  larger.subtract(a_is_smaller ? x : y);
  Number result = larger.number();
  result.negative = a_is_smaller ? b.negative : a.negative;
  if (result.is_zero()) return zero(rounding == Rounding::down);
  return result;
}

Number product(const Number& a, const Number& b) {
  const bool negative = a.negative != b.negative;
  if (a.is_nan() || b.is_nan()) return nan();
  if (a.kind == Kind::infinite || b.kind == Kind::infinite)
    return a.is_zero() || b.is_zero() ? nan() : infinity(negative);
  return {Kind::finite, negative, a.magnitude * b.magnitude, a.exponent + b.exponent, false};
}

Number quotient(const Number& a, const Number& b) {
  const bool negative = a.negative != b.negative;
  if (a.is_nan() || b.is_nan()) return nan();
  if (a.kind == Kind::infinite) return b.kind == Kind::infinite ? nan() : infinity(negative);
  if (b.kind == Kind::infinite) return zero(negative);
  if (b.is_zero()) return a.is_zero() ? nan() : infinity(negative);
  if (a.is_zero()) return zero(negative);
  const int shift = 126 - width(a.magnitude);
  const Bits128 dividend = a.magnitude << shift;
  return {Kind::finite, negative, dividend / b.magnitude, a.exponent - shift - b.exponent,
          dividend % b.magnitude != 0};
}

Number square_root(const Number& a) {
  if (a.is_nan() || a.is_zero()) return a;
  if (a.negative) return nan();
  if (a.kind == Kind::infinite) return a;
  int shift = 124 - width(a.magnitude);
  if ((a.exponent - shift) % 2 != 0) --shift;
  const Bits128 square = a.magnitude << shift;
  Bits128 root = 0;
  for (int bit = 62; bit >= 0; --bit) {
    const Bits128 candidate = root | (Bits128{1} << bit);
    if (candidate * candidate <= square) root = candidate;
  }
  return {Kind::finite, false, root, (a.exponent - shift) / 2, root * root != square};
}

Number negated(Number a) {
  a.negative = !a.negative;
  return a;
}

int compare(const Number& a, const Number& b) {
  if (a.is_zero() && b.is_zero()) return 0;
  if (a.kind == Kind::infinite && b.kind == Kind::infinite && a.negative == b.negative) return 0;
  const Number difference = sum(a, negated(b), Rounding::nearest);
  if (difference.is_zero()) return 0;
  return difference.negative ? -1 : 1;
}

__int128 to_integer(const Number& a, Rounding rounding) {
  const auto magnitude = static_cast<__int128>(in_units(a, 0, rounding));
  return a.negative ? -magnitude : magnitude;
}

U64 flushed(U64 bits, Format f) {
  const bool subnormal_or_zero = ((bits >> f.mantissa) & ones(f.exponent)) == 0;
  return subnormal_or_zero ? bits & ~ones(f.bits() - 1) & ones(f.bits()) : bits;
}

U64 saturated(U64 bits, Format f) {
  const Number a = decode(bits, f);
  if (a.is_nan() || a.negative || a.is_zero()) return 0;
  const Number one = integer(1);
  return compare(a, one) > 0 ? encode(one, f, Rounding::nearest) : bits;
}

bool is_nan(U64 bits, Format f) { return decode(bits, f).is_nan(); }

}  // namespace ptxemu::oracle
