// Approximate functions: errors within the bounds of the PTX ISA manual, and its tables of special
// values.

#include <bit>
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "oracle/forms.hpp"

using namespace ptxemu::oracle;
using Real = long double;

namespace {
constexpr Real infinite = std::numeric_limits<Real>::infinity();
float f32(U64 bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }

/// The distance of two neighbouring numbers in single precision at `exact`.
Real unit_in_last_place(Real exact) {
  if (exact == 0) return 0x1p-149l;
  return std::max(0x1p-149l, std::ldexp(1.0l, std::ilogb(exact) - 23));
}
/// Whether `result` is within `error` of `exact`; infinities, zeros and NaN must be the same.
bool near(float result, Real exact, Real error) {
  if (exact != exact) return std::bit_cast<std::uint32_t>(result) == 0x7fffffff;
  if (std::isinf(exact)) return static_cast<Real>(result) == exact;
  const Real largest = std::numeric_limits<float>::max();
  if (std::isinf(result)) return std::fabs(exact) + error > largest;
  if (exact == 0) return result == 0 && std::signbit(result) == std::signbit(exact);
  return std::fabs(static_cast<Real>(result) - exact) <= error;
}
enum class Bound { relative, absolute, units };

using Function = Real (*)(Real);
/// Checks function.approx{.ftz}.f32 for operands for which `in_range` holds.
void check_function(
    const std::string& name, Function f, Bound bound, Real size,
    bool (*in_range)(Real) = [](Real) { return true; }) {
  for (const bool ftz : {false, true})
    check_each({name + ".approx" + (ftz ? ".ftz" : "") + ".f32 d, a;", "f32", "f32", "f32", "f32"},
               [&](U64 result, const Operands& o) {
                 const float a = f32(ftz ? flushed(o.a, single) : o.a);
                 if (!in_range(a)) return true;
                 const Real exact = f(a);
                 const Real error = bound == Bound::absolute   ? size
                                    : bound == Bound::relative ? size * std::fabs(exact)
                                                               : size * unit_in_last_place(exact);
                 if (ftz && std::fabs(exact) < 0x1p-126l)
                   return flushed(result, single) == result &&
                          std::signbit(f32(result)) == std::signbit(exact);
                 // A subnormal result has fewer bits.
                 return near(f32(result), exact,
                             error + (std::fabs(exact) < 0x1p-126l ? 0x1p-149l : 0));
               });
}
}  // namespace

TEST_CASE("reciprocals, square roots, exponentials, logarithms and tanh") {
  check_function(
      "rcp", [](Real a) { return 1 / a; }, Bound::units, 1);
  check_function(
      "sqrt", [](Real a) { return a < 0 ? NAN : std::sqrt(a); }, Bound::units, 1);
  check_function(
      "rsqrt", [](Real a) { return a < 0 ? Real{NAN} : 1 / std::sqrt(a); }, Bound::relative,
      std::exp2(-22.9l));
  check_function(
      "ex2", [](Real a) { return std::exp2(a); }, Bound::relative, std::exp2(-22.5l));
  check_function(
      "lg2", [](Real a) { return a < 0 ? Real{NAN} : std::log2(a); }, Bound::absolute, 0x1p-22l,
      [](Real a) { return a >= 0.5l && a <= 2; });
  check_function(
      "lg2", [](Real a) { return a < 0 ? Real{NAN} : std::log2(a); }, Bound::relative,
      std::exp2(-22.6l), [](Real a) { return !(a > 0.5l && a < 2); });
  check_function(
      "tanh", [](Real a) { return std::tanh(a); }, Bound::relative, 0x1p-11l);
}

TEST_CASE("sine and cosine") {
  const auto in_two_turns = [](Real a) { return std::fabs(a) <= 6.283185307179586l || a != a; };
  const auto is_infinite = [](Real a) { return std::isinf(a); };
  for (const auto range : {+in_two_turns, +is_infinite}) {
    check_function(
        "sin", [](Real a) { return std::sin(a); }, Bound::absolute, std::exp2(-20.5l), range);
    check_function(
        "cos", [](Real a) { return std::cos(a); }, Bound::absolute, std::exp2(-20.5l), range);
  }
}

TEST_CASE("quotients of div.approx and div.full") {
  for (const bool full : {false, true})
    for (const bool ftz : {false, true})
      check_each(
          {std::string("div.") + (full ? "full" : "approx") + (ftz ? ".ftz" : "") + ".f32 d, a, b;",
           "f32", "f32", "f32", "f32"},
          [&](U64 result, const Operands& o) {
            const float a = f32(ftz ? flushed(o.a, single) : o.a);
            const float b = f32(ftz ? flushed(o.b, single) : o.b);
            const Real exact = Real{a} / b, size = std::fabs(Real{b});
            if (exact != exact) return result == 0x7fffffff;
            if (size > 0x1p126l && size < infinite) {
              if (full) return true;  // the error is not bounded
              return std::isinf(a) ? result == 0x7fffffff : f32(result) == 0;
            }
            if (size < 0x1p-126l && size != 0) return true;  // not bounded
            if (ftz && std::fabs(exact) < 0x1p-126l) return f32(result) == 0;
            return near(f32(result), exact, 2 * unit_in_last_place(exact));
          });
}

TEST_CASE("reciprocals and square roots of the upper halves of double-precision numbers") {
  for (const bool root : {false, true})
    check_each(
        {std::string(root ? "rsqrt" : "rcp") + ".approx.ftz.f64 d, a;", "f64", "f64", "f64", "f64"},
        [&](U64 result, const Operands& o) {
          const U64 upper = o.a & 0xffffffff00000000u;
          const auto a = std::bit_cast<double>(flushed(upper, double_precision));
          if (a != a || (root && a < 0)) return result == 0x7fffffff00000000u;
          const Real exact = root ? 1 / std::sqrt(Real{a}) : 1 / Real{a};
          const auto d = std::bit_cast<double>(result);
          if (static_cast<std::uint32_t>(result) != 0) return false;
          if (std::fabs(exact) < 0x1p-1022l || std::isinf(exact))
            return static_cast<Real>(d) == (std::isinf(exact) ? exact : 0);
          return std::fabs(d - exact) <= std::fabs(exact) * 0x1p-19l;
        });
}
