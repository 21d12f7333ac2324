#include "gsim/core/superaccumulator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gsim {
namespace {

constexpr int bits_per_digit = 32;
constexpr std::int64_t digit_mask = 0xffffffff;
constexpr int exponent_of_bit_0 =
    -2148;  // exponent of the least significant bit of a product of two doubles
constexpr int bit_of_double = 1074;  // index of the bit of value 2^-1074, the smallest double

}  // namespace

/// A rounded sum: magnitude * 2^exponent, with sign.
struct Superaccumulator::Rounded {
  bool is_negative = false;
  double magnitude = 0;  ///< an integer up to 2^53
  int exponent = 0;
};

void Superaccumulator::carry(std::array<std::int64_t, parts>& part) {
  for (std::size_t k = 0; k + 1 < digits; ++k) {
    part[k + 1] += part[k] >> bits_per_digit;
    part[k] &= digit_mask;
  }
}

/// Adds quanta * 2^(32 digit) units of the least significant bit, and normalises the digits.
void Superaccumulator::add_quanta(WideInteger quanta, int digit) {
  auto k = static_cast<std::size_t>(digit);
  for (int part = 0; part < 3; ++part, ++k, quanta >>= bits_per_digit)
    part_[k] += static_cast<std::int64_t>(quanta & digit_mask);
  part_[k] += static_cast<std::int64_t>(quanta);
  for (k = static_cast<std::size_t>(digit); k + 1 < digits; ++k) {
    part_[k + 1] += part_[k] >> bits_per_digit;
    part_[k] &= digit_mask;
  }
}

bool Superaccumulator::add_special(double x) {
  if (std::isfinite(x)) return false;
  ++part_[std::isnan(x) ? nan_part : x > 0 ? plus_part : minus_part];
  return true;
}

void Superaccumulator::add(double x) {
  if (add_special(x)) return;
  const RealParts p = parts_of(x);
  const int bit = p.position + bit_of_double;
  add_quanta(WideInteger{p.mantissa} * (WideInteger{1} << (bit % bits_per_digit)),
             bit / bits_per_digit);
}

void Superaccumulator::add_product(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) {
    add_special(a * b);  // an infinity, or NaN for infinity times 0
    return;
  }
  const RealParts p = parts_of(a), q = parts_of(b);
  const int bit = p.position + q.position, shift = bit % bits_per_digit;
  const WideInteger product = WideInteger{p.mantissa} * q.mantissa;
  const WideInteger magnitude = product < 0 ? -product : product;  // below 2^106
  const int sign = product < 0 ? -1 : 1;
  const auto low = static_cast<WideInteger>(static_cast<std::uint64_t>(magnitude));
  add_quanta(sign * (low << shift), bit / bits_per_digit);
  add_quanta(sign * ((magnitude >> 64) << shift), bit / bits_per_digit + 2);
}

void Superaccumulator::add(const Superaccumulator& other) {
  for (std::size_t k = 0; k < parts; ++k) part_[k] += other.part_[k];
  carry(part_);
}

Superaccumulator Superaccumulator::from_parts(const std::int64_t* part) {
  Superaccumulator sum;
  std::copy_n(part, parts, sum.part_.begin());
  carry(sum.part_);
  return sum;
}

/// The nearest number whose bits are at `lowest_bit` or above and span at most 53 places.
Superaccumulator::Rounded Superaccumulator::round(int lowest_bit) const {
  std::array<std::int64_t, parts> digit = part_;
  Rounded rounded;
  rounded.is_negative = digit[digits - 1] < 0;
  if (rounded.is_negative) {
    for (std::size_t k = 0; k < digits; ++k) digit[k] = -digit[k];
    carry(digit);
  }
  int top = digits - 1;
  while (top >= 0 && digit[static_cast<std::size_t>(top)] == 0) --top;
  if (top < 0) return {};
  const auto bit_value = [&](int bit) {  // 0 or 1
    const auto k = static_cast<std::size_t>(std::min(bit / bits_per_digit, digits - 1));
    return (digit[k] >> (bit - static_cast<int>(k) * bits_per_digit)) & 1;
  };
  int highest = top * bits_per_digit;
  for (std::int64_t d = digit[static_cast<std::size_t>(top)]; d > 1; d >>= 1) ++highest;
  const int last_bit = std::max(highest - 52, lowest_bit);
  std::int64_t mantissa_bits = 0;
  for (int bit = highest; bit >= last_bit; --bit)
    mantissa_bits = 2 * mantissa_bits + bit_value(bit);
  const bool rounding_bit_is_set =
      last_bit > 0 && bit_value(last_bit - 1) != 0 && last_bit - 1 <= highest;
  bool has_lower_bits = false;
  for (int bit = std::min(last_bit - 2, highest);
       rounding_bit_is_set && bit >= 0 && !has_lower_bits; --bit)
    has_lower_bits = bit_value(bit) != 0;
  if (rounding_bit_is_set && (has_lower_bits || mantissa_bits % 2 != 0)) ++mantissa_bits;
  rounded.magnitude = static_cast<double>(mantissa_bits);
  rounded.exponent = last_bit + exponent_of_bit_0;
  return rounded;
}

double Superaccumulator::special_value() const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (part_[nan_part] > 0 || (part_[plus_part] > 0 && part_[minus_part] > 0))
    return std::numeric_limits<double>::quiet_NaN();
  return part_[plus_part] > 0 ? infinity : -infinity;
}

double Superaccumulator::value() const {
  if (not_finite() > 0) return special_value();
  const Rounded r = round(bit_of_double);
  const double magnitude = std::ldexp(r.magnitude, r.exponent);
  return r.is_negative && magnitude > 0 ? -magnitude : magnitude;
}

double Superaccumulator::root() const {
  if (not_finite() > 0) return std::sqrt(special_value());
  const Rounded r = round(0);
  if (r.is_negative) return std::numeric_limits<double>::quiet_NaN();
  const int odd = r.exponent & 1;
  return std::ldexp(std::sqrt(std::ldexp(r.magnitude, odd)), (r.exponent - odd) / 2);
}

}  // namespace gsim
