// Floating-point arithmetic in all rounding modes against exact arithmetic.

#include <doctest/doctest.h>

#include "oracle/forms.hpp"

using namespace ptxemu::oracle;

namespace {
/// Modifiers of an instruction, in the order in which they are written.
struct Modifiers {
  Rounding rounding = Rounding::nearest;
  bool ftz = false, sat = false;
  std::string text;
};

std::vector<Modifiers> all_modifiers(const std::string& type, bool with_saturation) {
  std::vector<Modifiers> list;
  for (int n = 0; n < 4; ++n)
    for (const bool ftz : {false, true})
      for (const bool sat : {false, true}) {
        if ((ftz || sat) && type != "f32") continue;
        if (sat && !with_saturation) continue;
        list.push_back(
            {roundings[n], ftz, sat,
             std::string(".") + rounding_suffixes[n] + (ftz ? ".ftz" : "") + (sat ? ".sat" : "")});
      }
  return list;
}

using Exact = std::function<Number(const Number&, const Number&, const Number&, Rounding)>;

/// Whether `result` is a NaN that double precision may give: that of an operand, made quiet, or the
/// default one if no operand is NaN.
bool is_double_nan(U64 result, std::initializer_list<U64> operands) {
  bool any = false;
  for (const U64 operand : operands) {
    if (!is_nan(operand, double_precision)) continue;
    any = true;
    if (result == (operand | 0x0008000000000000u)) return true;
  }
  return !any && result == 0xfff8000000000000u;
}

void check_arithmetic(const std::string& opcode, int operands, const std::string& type,
                      const Modifiers& m, const Exact& exact) {
  const Format f = format_of(type);
  const std::string sources = operands == 1 ? "a" : operands == 2 ? "a, b" : "a, b, c";
  check_each({opcode + m.text + "." + type + " d, " + sources + ";", type, type, type, type},
             [&](U64 result, const Operands& o) {
               U64 in[3] = {o.a, o.b, o.c};
               if (m.ftz)
                 for (U64& bits : in) bits = flushed(bits, f);
               const Number value =
                   exact(decode(in[0], f), decode(in[1], f), decode(in[2], f), m.rounding);
               U64 expected = encode(value, f, m.rounding);
               if (m.ftz) expected = flushed(expected, f);
               if (m.sat) expected = saturated(expected, f);
               if (value.is_nan() && type == "f64")
                 return operands == 1   ? is_double_nan(result, {o.a})
                        : operands == 2 ? is_double_nan(result, {o.a, o.b})
                                        : is_double_nan(result, {o.a, o.b, o.c});
               return result == expected;
             });
}

Number fused(const Number& a, const Number& b, const Number& c, Rounding rounding) {
  return sum(product(a, b), c, rounding);
}
}  // namespace

TEST_CASE("add, sub, mul and fma are correctly rounded") {
  for (const std::string type : {"f32", "f64"})
    for (const Modifiers& m : all_modifiers(type, true)) {
      check_arithmetic(
          "add", 2, type, m,
          [](const Number& a, const Number& b, const Number&, Rounding r) { return sum(a, b, r); });
      check_arithmetic("sub", 2, type, m,
                       [](const Number& a, const Number& b, const Number&, Rounding r) {
                         return sum(a, negated(b), r);
                       });
      check_arithmetic(
          "mul", 2, type, m,
          [](const Number& a, const Number& b, const Number&, Rounding) { return product(a, b); });
      check_arithmetic("fma", 3, type, m, fused);
      check_arithmetic("mad", 3, type, m, fused);
    }
}

TEST_CASE("arithmetic without a rounding suffix rounds to nearest") {
  for (const std::string type : {"f32", "f64"}) {
    check_arithmetic(
        "add", 2, type, {},
        [](const Number& a, const Number& b, const Number&, Rounding r) { return sum(a, b, r); });
    check_arithmetic(
        "mul", 2, type, {},
        [](const Number& a, const Number& b, const Number&, Rounding) { return product(a, b); });
  }
}

TEST_CASE("div, rcp and sqrt are correctly rounded") {
  for (const std::string type : {"f32", "f64"})
    for (const Modifiers& m : all_modifiers(type, false)) {
      check_arithmetic(
          "div", 2, type, m,
          [](const Number& a, const Number& b, const Number&, Rounding) { return quotient(a, b); });
      check_arithmetic("rcp", 1, type, m,
                       [](const Number& a, const Number&, const Number&, Rounding) {
                         return quotient(integer(1), a);
                       });
      check_arithmetic(
          "sqrt", 1, type, m,
          [](const Number& a, const Number&, const Number&, Rounding) { return square_root(a); });
    }
}

TEST_CASE("fma where the product and the sum nearly cancel") {
  // c is the negated product, rounded, so that the result is the rounding error of the product.
  for (const std::string type : {"f32", "f64"})
    for (int n = 0; n < 4; ++n) {
      const Format f = format_of(type);
      check_each({"{ .reg ." + type + " x; mul.rn." + type + " x, a, b; neg." + type +
                      " x, x; fma." + rounding_suffixes[n] + "." + type + " d, a, b, x; }",
                  type, type, type, type},
                 [&](U64 result, const Operands& o) {
                   const Number a = decode(o.a, f), b = decode(o.b, f);
                   const Number x = decode(encode(product(a, b), f, Rounding::nearest), f);
                   const Number value = fused(a, b, negated(x), roundings[n]);
                   return value.is_nan() ? is_nan(result, f)
                                         : result == encode(value, f, roundings[n]);
                 });
    }
}

TEST_CASE("min, max, abs and neg") {
  for (const std::string type : {"f32", "f64"})
    for (const bool ftz : {false, true}) {
      if (ftz && type != "f32") continue;
      const Format f = format_of(type);
      const U64 sign = U64{1} << (f.bits() - 1), smallest_normal = U64{1} << f.mantissa;
      const std::string suffix = (ftz ? ".ftz." : ".") + type;
      const auto input = [&](U64 bits) { return ftz ? flushed(bits, f) : bits; };
      for (const bool nan : {false, true})
        for (const bool greater : {false, true}) {
          if (nan && type != "f32") continue;
          check_each({std::string(greater ? "max" : "min") + (ftz ? ".ftz" : "") +
                          (nan ? ".NaN." : ".") + type + " d, a, b;",
                      type, type, type, type},
                     [&](U64 result, const Operands& o) {
                       const U64 a = input(o.a), b = input(o.b);
                       const bool a_is_nan = is_nan(a, f), b_is_nan = is_nan(b, f);
                       if ((a_is_nan && b_is_nan) || (nan && (a_is_nan || b_is_nan)))
                         return type == "f32" ? result == 0x7fffffff : is_nan(result, f);
                       if (a_is_nan || b_is_nan) return result == (a_is_nan ? b : a);
                       const Number x = decode(a, f), y = decode(b, f);
                       if (x.is_zero() && y.is_zero())  // +0 > -0
                         return result == (greater ? a & b : a | b);
                       const bool first_is_less = compare(x, y) < 0;
                       return result == (first_is_less != greater ? a : b);
                     });
        }
      // NaN operands give an unspecified NaN.
      check_each({"abs" + suffix + " d, a;", type, type, type, type},
                 [&](U64 result, const Operands& o) {
                   return is_nan(o.a, f) ? is_nan(result, f) : result == (input(o.a) & ~sign);
                 });
      check_each({"neg" + suffix + " d, a;", type, type, type, type},
                 [&](U64 result, const Operands& o) {
                   return is_nan(o.a, f) ? is_nan(result, f) : result == (input(o.a) ^ sign);
                 });
      CHECK(flushed(smallest_normal - 1, f) == 0);
      CHECK(flushed(smallest_normal, f) == smallest_normal);
    }
}

TEST_CASE("the reference itself rounds known cases as IEEE 754 requires") {
  const auto tie = [](Rounding r) {  // 1 + 2^-24, half way between two numbers
    return encode(sum(integer(1), {Number::Kind::finite, false, 1, -24, false}, r), single, r);
  };
  CHECK(tie(Rounding::nearest) == 0x3f800000);
  CHECK(tie(Rounding::up) == 0x3f800001);
  CHECK(tie(Rounding::down) == 0x3f800000);
  CHECK(encode(quotient(integer(1), integer(3)), double_precision, Rounding::nearest) ==
        0x3fd5555555555555);
  CHECK(encode(square_root(integer(2)), double_precision, Rounding::nearest) == 0x3ff6a09e667f3bcd);
  const Number huge{Number::Kind::finite, true, 1, 2000, false};
  CHECK(encode(huge, single, Rounding::up) == 0xff7fffff);
  CHECK(encode(huge, single, Rounding::down) == 0xff800000);
  const Number tiny{Number::Kind::finite, false, 3, -151, false};  // 0.75 of the smallest number
  CHECK(encode(tiny, single, Rounding::nearest) == 1);
  CHECK(encode(tiny, single, Rounding::zero) == 0);
}
