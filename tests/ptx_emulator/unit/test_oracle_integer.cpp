// Integer arithmetic against 128-bit integers, from the text of the PTX ISA manual.

#include <algorithm>

#include <doctest/doctest.h>

#include "oracle/forms.hpp"

using namespace ptxemu::oracle;
using Wide = __int128;

namespace {
const std::vector<std::string> all_types = {"u16", "s16", "u32", "s32", "u64", "s64"};
const std::vector<std::string> long_types = {"u32", "s32", "u64", "s64"};

std::string type_name(char kind, int width) {
  return std::string(1, kind).append(std::to_string(width));
}
std::string bit_type(const std::string& type) { return type_name('b', bits_of(type)); }

/// Checks an instruction whose operands and result have one type.
void check_same(const std::string& instruction, const std::string& type,
                const std::function<std::optional<Wide>(Wide, Wide, Wide)>& f) {
  const std::string b = bit_type(type);
  check({instruction, b, b, b, b}, [&](const Operands& in) -> std::optional<U64> {
    const auto value = f(value_of(in.a, type), value_of(in.b, type), value_of(in.c, type));
    if (!value) return std::nullopt;
    return static_cast<U64>(*value);
  });
}

Wide clamp32(Wide value) {
  return std::max<Wide>(-(Wide{1} << 31), std::min<Wide>((Wide{1} << 31) - 1, value));
}
/// The bits of a product of two integers of `width` bits from bit `width` on.
Wide high(Wide a, Wide b, int width) {
  if (width < 64) return (a * b) >> width;
  // Schoolbook multiplication of the magnitudes' halves, then the sign.
  const bool negative = (a < 0) != (b < 0);
  const auto x = static_cast<Bits128>(a < 0 ? -a : a), y = static_cast<Bits128>(b < 0 ? -b : b);
  const Bits128 product = x * y;  // below 2^128
  const Bits128 signed_product = negative ? Bits128{0} - product : product;
  return static_cast<Wide>(static_cast<U64>(signed_product >> 64));
}
}  // namespace

TEST_CASE("integer sums, differences, products and quotients") {
  for (const std::string& t : all_types) {
    const int width = bits_of(t);
    check_same("add." + t + " d, a, b;", t, [](Wide a, Wide b, Wide) { return a + b; });
    check_same("sub." + t + " d, a, b;", t, [](Wide a, Wide b, Wide) { return a - b; });
    check_same("mul.lo." + t + " d, a, b;", t, [](Wide a, Wide b, Wide) {
      return static_cast<Wide>(static_cast<U64>(a) * static_cast<U64>(b));
    });
    check_same("mul.hi." + t + " d, a, b;", t,
               [&](Wide a, Wide b, Wide) { return high(a, b, width); });
    check_same("mad.lo." + t + " d, a, b, c;", t, [](Wide a, Wide b, Wide c) {
      return static_cast<Wide>(static_cast<U64>(a) * static_cast<U64>(b) + static_cast<U64>(c));
    });
    check_same("mad.hi." + t + " d, a, b, c;", t,
               [&](Wide a, Wide b, Wide c) { return high(a, b, width) + c; });
    check_same("min." + t + " d, a, b;", t, [](Wide a, Wide b, Wide) { return std::min(a, b); });
    check_same("max." + t + " d, a, b;", t, [](Wide a, Wide b, Wide) { return std::max(a, b); });
    check_same("sad." + t + " d, a, b, c;", t,
               [](Wide a, Wide b, Wide c) { return (a < b ? b - a : a - b) + c; });
    check_same("div." + t + " d, a, b;", t, [](Wide a, Wide b, Wide) {
      return b == 0 ? std::nullopt : std::optional<Wide>(a / b);
    });
    check_same("rem." + t + " d, a, b;", t, [](Wide a, Wide b, Wide) {
      return b == 0 ? std::nullopt : std::optional<Wide>(a % b);
    });
    if (!is_signed(t)) continue;
    check_same("abs." + t + " d, a;", t, [](Wide a, Wide, Wide) { return a < 0 ? -a : a; });
    check_same("neg." + t + " d, a;", t, [](Wide a, Wide, Wide) { return -a; });
  }
}

TEST_CASE("saturating sums and 24-bit products") {
  check_same("add.sat.s32 d, a, b;", "s32", [](Wide a, Wide b, Wide) { return clamp32(a + b); });
  check_same("sub.sat.s32 d, a, b;", "s32", [](Wide a, Wide b, Wide) { return clamp32(a - b); });
  check_same("mad.hi.sat.s32 d, a, b, c;", "s32",
             [](Wide a, Wide b, Wide c) { return clamp32(((a * b) >> 32) + c); });
  for (const std::string& t : {std::string("u32"), std::string("s32")}) {
    const auto low24 = [&](Wide v) {
      const Wide low = v & 0xffffff;
      return is_signed(t) && (low & 0x800000) != 0 ? low - 0x1000000 : low;
    };
    check_same("mul24.lo." + t + " d, a, b;", t,
               [&](Wide a, Wide b, Wide) { return low24(a) * low24(b); });
    check_same("mad24.lo." + t + " d, a, b, c;", t,
               [&](Wide a, Wide b, Wide c) { return low24(a) * low24(b) + c; });
    check_same("mul24.hi." + t + " d, a, b;", t,
               [&](Wide a, Wide b, Wide) { return (low24(a) * low24(b)) >> 16; });
    check_same("mad24.hi." + t + " d, a, b, c;", t,
               [&](Wide a, Wide b, Wide c) { return ((low24(a) * low24(b)) >> 16) + c; });
  }
}

TEST_CASE("products of twice the width") {
  for (const std::string& t :
       {std::string("u16"), std::string("s16"), std::string("u32"), std::string("s32")}) {
    const std::string in = bit_type(t), out = type_name('b', 2 * bits_of(t));
    const std::string wide_type = t.substr(0, 1) + out.substr(1);
    check({"mul.wide." + t + " d, a, b;", in, in, in, out},
          [&](const Operands& o) { return static_cast<U64>(value_of(o.a, t) * value_of(o.b, t)); });
    check({"mad.wide." + t + " d, a, b, c;", in, in, out, out}, [&](const Operands& o) {
      return static_cast<U64>(value_of(o.a, t) * value_of(o.b, t) + value_of(o.c, wide_type));
    });
  }
}

TEST_CASE("dot products of bytes and of half words with bytes") {
  for (const std::string& a : {std::string("u32"), std::string("s32")})
    for (const std::string& b : {std::string("u32"), std::string("s32")}) {
      const std::string types = a + "." + b;
      const auto part = [](U64 word, int n, int width, const std::string& type) {
        return value_of(word >> (n * width), type_name(type[0], width));
      };
      check({"dp4a." + types + " d, a, b, c;", "b32", "b32", "b32", "b32"}, [&](const Operands& o) {
        Wide sum = static_cast<Wide>(o.c);
        for (int n = 0; n < 4; ++n) sum += part(o.a, n, 8, a) * part(o.b, n, 8, b);
        return static_cast<U64>(sum);
      });
      for (const bool upper : {false, true})
        check({"dp2a." + std::string(upper ? "hi." : "lo.") + types + " d, a, b, c;", "b32", "b32",
               "b32", "b32"},
              [&](const Operands& o) {
                Wide sum = static_cast<Wide>(o.c);
                for (int n = 0; n < 2; ++n)
                  sum += part(o.a, n, 16, a) * part(o.b, n + (upper ? 2 : 0), 8, b);
                return static_cast<U64>(sum);
              });
    }
}

TEST_CASE("carries and borrows through three words") {
  for (const std::string& t : long_types) {
    const std::string b = bit_type(t);
    const int width = bits_of(t);
    // The second operation receives and sets the carry; the third makes it visible.
    const auto chain = [&](const std::string& first, const std::string& second,
                           const std::string& third) {
      return Form{"{ .reg ." + b + " l, m; " + first + second + third + " shl." + b +
                      " m, m, 1; xor." + b + " d, d, m; }",
                  b, b, b, b};
    };
    const auto bit = [&](Wide v) { return static_cast<U64>(v >> width) & 1; };
    const auto word = [&](U64 v) { return static_cast<Wide>(low_bits(v, width)); };
    check(chain("add.cc." + t + " l, a, b; ", "addc.cc." + t + " m, b, c; ",
                "addc." + t + " d, c, 0;"),
          [&](const Operands& o) {
            const Wide low = word(o.a) + word(o.b);
            const Wide middle = word(o.b) + word(o.c) + static_cast<Wide>(bit(low));
            return (o.c + bit(middle)) ^ (static_cast<U64>(middle) << 1);
          });
    check(chain("sub.cc." + t + " l, a, b; ", "subc.cc." + t + " m, b, c; ",
                "subc." + t + " d, c, 0;"),
          [&](const Operands& o) {
            const Wide low = word(o.a) - word(o.b);
            const Wide middle = word(o.b) - word(o.c) - (low < 0 ? 1 : 0);
            return (o.c - (middle < 0 ? 1 : 0)) ^ (static_cast<U64>(middle) << 1);
          });
    for (const bool upper : {false, true}) {
      const std::string part = upper ? "hi" : "lo";
      const auto product = [&](U64 x, U64 y) {
        const Wide vx = value_of(x, t), vy = value_of(y, t);
        return upper ? word(static_cast<U64>(high(vx, vy, width)))
                     : word(static_cast<U64>(x) * static_cast<U64>(y));
      };
      check(chain("mad." + part + ".cc." + t + " l, a, b, c; ",
                  "madc." + part + ".cc." + t + " m, b, c, a; ",
                  "madc." + part + "." + t + " d, a, c, b;"),
            [&](const Operands& o) {
              const Wide low = product(o.a, o.b) + word(o.c);
              const Wide middle = product(o.b, o.c) + word(o.a) + static_cast<Wide>(bit(low));
              const Wide top = product(o.a, o.c) + word(o.b) + static_cast<Wide>(bit(middle));
              return static_cast<U64>(top) ^ (static_cast<U64>(middle) << 1);
            });
    }
  }
}
