#pragma once
// Exact arithmetic on floating-point numbers by integers, for references that do not depend on the
// floating-point unit of the host, its rounding modes or its library.

#include <cstdint>

namespace ptxemu::oracle {

using Bits128 = unsigned __int128;

/// Widths of the fields of an IEEE 754 format.
struct Format {
  int mantissa, exponent;
  int bits() const { return 1 + exponent + mantissa; }
};
constexpr Format half{10, 5}, bfloat16{7, 8}, single{23, 8}, double_precision{52, 11};

enum class Rounding { nearest, zero, down, up };
constexpr Rounding roundings[] = {Rounding::nearest, Rounding::zero, Rounding::down, Rounding::up};
/// The suffixes of PTX for the rounding modes, in the order of `roundings`.
constexpr const char* rounding_suffixes[] = {"rn", "rz", "rm", "rp"};

/// A number magnitude * 2^exponent with a sign, infinity, or NaN. `inexact` says that the exact
/// magnitude is above the given one by less than one unit.
struct Number {
  enum class Kind { finite, infinite, nan } kind = Kind::finite;
  bool negative = false;
  Bits128 magnitude = 0;
  int exponent = 0;
  bool inexact = false;

  bool is_zero() const { return kind == Kind::finite && magnitude == 0; }
  bool is_nan() const { return kind == Kind::nan; }
};

/// The number with the given bits.
Number decode(std::uint64_t bits, Format format);
/// Rounds a number to the format. NaN has all bits but the sign set in formats of at most 32 bits,
/// and is 0xfff8000000000000 in double precision.
std::uint64_t encode(const Number& number, Format format, Rounding rounding);

Number integer(__int128 value);
/// The sum; `rounding` determines the sign of an exact zero.
Number sum(const Number& a, const Number& b, Rounding rounding);
Number product(const Number& a, const Number& b);
Number quotient(const Number& a, const Number& b);
Number square_root(const Number& a);
Number negated(Number a);
/// a < 0: -1, a > 0: 1, for finite and infinite numbers in the usual order.
int compare(const Number& a, const Number& b);
/// The integer that `rounding` gives for a finite number with a magnitude below 2^126.
__int128 to_integer(const Number& a, Rounding rounding);

/// Bits with a subnormal number replaced by zero with the same sign.
std::uint64_t flushed(std::uint64_t bits, Format format);
/// Bits clamped to [0, 1] as by .sat; NaN gives +0.
std::uint64_t saturated(std::uint64_t bits, Format format);
bool is_nan(std::uint64_t bits, Format format);

}  // namespace ptxemu::oracle
