// cvt between all types, against exact arithmetic.

#include <algorithm>

#include <doctest/doctest.h>

#include "oracle/forms.hpp"

using namespace ptxemu::oracle;
using Wide = __int128;

namespace {
const std::vector<std::string> integers = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};
const std::vector<std::string> floats = {"f32", "f64"};
const std::string integral_suffixes[] = {"rni", "rzi", "rmi", "rpi"};

std::string bits_type(int width) { return std::string("b").append(std::to_string(width)); }
/// The narrowest register for a type; registers have at least 16 bits.
std::string register_of(const std::string& type) {
  return type[0] == 'f' ? type : bits_type(std::max(16, bits_of(type)));
}
Wide lowest(const std::string& type) {
  return is_signed(type) ? -(Wide{1} << (bits_of(type) - 1)) : 0;
}
Wide highest(const std::string& type) {
  return (Wide{1} << (bits_of(type) - (is_signed(type) ? 1 : 0))) - 1;
}
Wide clamped(Wide value, const std::string& type) {
  return std::max(lowest(type), std::min(highest(type), value));
}
}  // namespace

TEST_CASE("integers are truncated, extended or clamped, in registers of any sufficient size") {
  for (const std::string& to : integers)
    for (const std::string& from : integers)
      for (const bool sat : {false, true})
        for (const int extra : {0, 1, 2}) {
          // registers of the size of the type, or wider ones for the source or the result
          const int in_width = extra == 1 ? 64 : std::max(16, bits_of(from));
          const int out_width = extra == 2 ? 64 : std::max(16, bits_of(to));
          check({std::string("cvt.") + (sat ? "sat." : "") + to + "." + from + " d, a;",
                 bits_type(in_width), "b32", "b32", bits_type(out_width)},
                [&](const Operands& o) {
                  const Wide value = value_of(o.a, from);
                  if (sat) return static_cast<U64>(clamped(value, to));
                  return static_cast<U64>(value_of(static_cast<U64>(value), to));
                });
        }
}

TEST_CASE("conversions of integers to floating point are correctly rounded") {
  for (const std::string& to : floats)
    for (const std::string& from : integers)
      for (int n = 0; n < 4; ++n)
        for (const bool sat : {false, true})
          check({std::string("cvt.") + rounding_suffixes[n] + (sat ? ".sat." : ".") + to + "." +
                     from + " d, a;",
                 register_of(from), "b32", "b32", to},
                [&](const Operands& o) {
                  const Format f = format_of(to);
                  const U64 bits = encode(integer(value_of(o.a, from)), f, roundings[n]);
                  return sat ? saturated(bits, f) : bits;
                });
}

TEST_CASE("conversions of floating point to integers round, saturate, and map NaN") {
  for (const std::string& to : integers)
    for (const std::string& from : floats)
      for (int n = 0; n < 4; ++n)
        for (const bool ftz : {false, true}) {
          if (ftz && from != "f32") continue;
          check({"cvt." + integral_suffixes[n] + (ftz ? ".ftz." : ".") + to + "." + from + " d, a;",
                 from, from, from, register_of(to)},
                [&](const Operands& o) -> std::optional<U64> {
                  const Format f = format_of(from);
                  const Number a = decode(ftz ? flushed(o.a, f) : o.a, f);
                  // NaN: zero if the source is not f64 and the result has less than 64 bits,
                  // otherwise the most significant bit of the result
                  if (a.is_nan())
                    return from == "f32" && bits_of(to) < 64
                               ? 0
                               : static_cast<U64>(value_of(U64{1} << (bits_of(to) - 1), to));
                  const Number limit = integer(Wide{1} << 66);
                  Wide value = 0;
                  if (a.kind == Number::Kind::infinite || compare(a, limit) > 0 ||
                      compare(a, negated(limit)) < 0)
                    value = a.negative ? -(Wide{1} << 66) : Wide{1} << 66;
                  else
                    value = to_integer(a, roundings[n]);
                  return static_cast<U64>(clamped(value, to));
                });
        }
}

TEST_CASE("conversions between single and double precision") {
  for (int n = 0; n < 4; ++n)
    for (const bool ftz : {false, true})
      for (const bool sat : {false, true})
        check({std::string("cvt.") + rounding_suffixes[n] + (ftz ? ".ftz" : "") +
                   (sat ? ".sat" : "") + ".f32.f64 d, a;",
               "f64", "f64", "f64", "f32"},
              [&](const Operands& o) {
                U64 bits = encode(decode(o.a, double_precision), single, roundings[n]);
                if (ftz) bits = flushed(bits, single);
                return sat ? saturated(bits, single) : bits;
              });
  for (const bool ftz : {false, true})
    for (const bool sat : {false, true})
      check_each({std::string("cvt") + (ftz ? ".ftz" : "") + (sat ? ".sat" : "") + ".f64.f32 d, a;",
                  "f32", "f32", "f32", "f64"},
                 [&](U64 result, const Operands& o) {
                   const Number a = decode(ftz ? flushed(o.a, single) : o.a, single);
                   if (a.is_nan() && !sat) return is_nan(result, double_precision);
                   const U64 bits = encode(a, double_precision, Rounding::nearest);
                   return result == (sat ? saturated(bits, double_precision) : bits);
                 });
}

TEST_CASE("rounding to integral values within a floating-point type") {
  for (const std::string& type : floats) {
    const Format f = format_of(type);
    for (int n = -1; n < 4; ++n)
      for (const bool ftz : {false, true})
        for (const bool sat : {false, true}) {
          if (ftz && type != "f32") continue;
          const std::string rounding = n < 0 ? "" : "." + integral_suffixes[n];
          check_each({"cvt" + rounding + (ftz ? ".ftz" : "") + (sat ? ".sat" : "") + "." + type +
                          "." + type + " d, a;",
                      type, type, type, type},
                     [&](U64 result, const Operands& o) {
                       const U64 bits = ftz ? flushed(o.a, f) : o.a;
                       const Number a = decode(bits, f);
                       if (a.is_nan())
                         return sat             ? result == 0
                                : type == "f32" ? result == 0x7fffffff
                                                : is_nan(result, f);
                       U64 expected = bits;
                       if (n >= 0 && a.kind == Number::Kind::finite && a.exponent < 0) {
                         Number rounded = integer(to_integer(a, roundings[n]));
                         rounded.negative = a.negative;  // also of zero
                         expected = encode(rounded, f, Rounding::nearest);
                       }
                       return result == (sat ? saturated(expected, f) : expected);
                     });
        }
  }
}
