// Compares instructions on special and random operands with independently written references.

#include <bit>
#include <cmath>
#include <functional>

#include <doctest/doctest.h>

#include "run_ptx.hpp"

using namespace ptxemu::test;
using U64 = std::uint64_t;
using U32 = std::uint32_t;
using S32 = std::int32_t;
using S64 = std::int64_t;
using Wide = __int128;

namespace {
constexpr std::size_t count = 3000;
using Reference = std::function<U64(U64, U64, U64)>;

/// Compares an instruction on registers of type `in` with results of type `out` to the bits that
/// `reference` returns for the bits of a, b and c.
void compare(const std::string& instruction, const std::string& in, const std::string& out,
             const Reference& reference) {
  const int bits = std::stoi(in.substr(1));
  const bool is_float = in[0] == 'f';
  const auto draw = [&](U64 seed) {
    return is_float ? float_operands(bits, seed, count) : operands(bits, seed, count);
  };
  const auto a = draw(1), b = draw(2), c = draw(3);
  const auto results = run_instruction(instruction, in, out, a, b, c);
  const U64 mask = out.substr(1) == "64" ? ~0ull : (1ull << std::stoi(out.substr(1))) - 1;
  CAPTURE(instruction);
  std::size_t mismatches = 0;
  for (std::size_t n = 0; n < count; ++n) {
    if (results[n] == (reference(a[n], b[n], c[n]) & mask)) continue;
    if (mismatches++ == 0) {
      CAPTURE(a[n]);
      CAPTURE(b[n]);
      CAPTURE(c[n]);
      CHECK(results[n] == (reference(a[n], b[n], c[n]) & mask));
    }
  }
  CHECK(mismatches == 0);
}
S64 s32(U64 a) { return static_cast<S32>(a); }
float f32(U64 a) { return std::bit_cast<float>(static_cast<U32>(a)); }
U64 bits(float a) { return a != a ? 0x7fffffffu : std::bit_cast<U32>(a); }

/// The single-precision number nearest to `exact` that is not below it (direction 1) or not above
/// it (direction -1), found by search among neighbours.
float rounded(__float128 exact, int direction) {
  float r = static_cast<float>(static_cast<double>(exact));
  const auto wide = [](float v) { return static_cast<__float128>(v); };
  if (direction > 0) {
    while (wide(r) < exact) r = std::nextafterf(r, INFINITY);
    while (wide(std::nextafterf(r, -INFINITY)) >= exact) r = std::nextafterf(r, -INFINITY);
  } else {
    while (wide(r) > exact) r = std::nextafterf(r, -INFINITY);
    while (wide(std::nextafterf(r, INFINITY)) <= exact) r = std::nextafterf(r, INFINITY);
  }
  return r;
}
}  // namespace

TEST_CASE("integer arithmetic agrees with host integers") {
  compare("add.s32 d, a, b;", "u32", "u32", [](U64 a, U64 b, U64) { return a + b; });
  compare("sub.s64 d, a, b;", "u64", "u64", [](U64 a, U64 b, U64) { return a - b; });
  compare("mul.hi.u64 d, a, b;", "u64", "u64", [](U64 a, U64 b, U64) {
    return static_cast<U64>((static_cast<unsigned __int128>(a) * b) >> 64);
  });
  compare("mul.hi.s32 d, a, b;", "u32", "u32",
          [](U64 a, U64 b, U64) { return static_cast<U64>((s32(a) * s32(b)) >> 32); });
  compare("mul.wide.s32 d, a, b;", "u32", "u64",
          [](U64 a, U64 b, U64) { return static_cast<U64>(s32(a) * s32(b)); });
  compare("mad.lo.s64 d, a, b, c;", "u64", "u64", [](U64 a, U64 b, U64 c) { return a * b + c; });
  compare("div.s32 d, a, b;", "u32", "u32", [](U64 a, U64 b, U64) {
    return static_cast<U64>(static_cast<U32>(b) == 0 ? -1 : s32(a) / s32(b));
  });
  compare("rem.u64 d, a, b;", "u64", "u64", [](U64 a, U64 b, U64) { return b == 0 ? a : a % b; });
  compare("min.s32 d, a, b;", "u32", "u32",
          [](U64 a, U64 b, U64) { return static_cast<U64>(std::min(s32(a), s32(b))); });
  compare("abs.s32 d, a;", "u32", "u32",
          [](U64 a, U64, U64) { return static_cast<U64>(std::abs(s32(a))); });
  compare("add.sat.s32 d, a, b;", "u32", "u32", [](U64 a, U64 b, U64) {
    return static_cast<U64>(std::max<S64>(INT32_MIN, std::min<S64>(INT32_MAX, s32(a) + s32(b))));
  });
}

TEST_CASE("shifts, bit fields and permutations agree with plain loops") {
  compare("shl.b32 d, a, b;", "u32", "u32", [](U64 a, U64 b, U64) { return b > 31 ? 0 : a << b; });
  compare("{ cvt.u32.u64 t1, b; shr.s64 d, a, t1; }", "u64", "u64", [](U64 a, U64 b, U64) {
    return static_cast<U64>(static_cast<S64>(a) >> std::min<U32>(63, static_cast<U32>(b)));
  });
  compare("bfe.s32 d, a, b, c;", "u32", "u32", [](U64 a, U64 b, U64 c) {
    const Wide wide = s32(a);  // bits above the width are copies of the sign
    const int position = static_cast<int>(b & 255), length = static_cast<int>(c & 255);
    if (length == 0) return U64{0};
    const int clamped_length = std::min(length, 64);
    const Wide field = wide >> std::min(position, 100);
    if (clamped_length >= 32) return static_cast<U64>(field);
    // The sign is that of the last bit of the field, or of the operand if the field extends beyond
    // its end.
    return static_cast<U64>(static_cast<S64>(static_cast<U64>(field) << (64 - clamped_length)) >>
                            (64 - clamped_length));
  });
  compare("bfi.b32 d, a, b, c, 7;", "u32", "u32", [](U64 a, U64 b, U64 c) {
    const U64 p = c & 255;
    if (p > 31) return b;
    const U64 mask = 127ull << p;
    return (b & ~mask) | ((a << p) & mask);
  });
  compare("lop3.b32 d, a, b, c, 0xCA;", "u32", "u32",
          [](U64 a, U64 b, U64 c) { return (a & b) | (~a & c); });
  compare("shf.r.wrap.b32 d, a, b, c;", "u32", "u32",
          [](U64 a, U64 b, U64 c) { return ((b << 32) | a) >> (c & 31); });
  compare("shf.l.clamp.b32 d, a, b, c;", "u32", "u32", [](U64 a, U64 b, U64 c) {
    return static_cast<U64>(
        (((static_cast<unsigned __int128>(b) << 32) | a) << std::min<U64>(c, 32)) >> 32);
  });
  compare("popc.b64 d, a;", "u64", "u32", [](U64 a, U64, U64) {
    U64 n = 0;
    for (; a != 0; a &= a - 1) ++n;
    return n;
  });
  compare("clz.b32 d, a;", "u32", "u32", [](U64 a, U64, U64) {
    U64 n = 0;
    for (int k = 31; k >= 0 && ((a >> k) & 1) == 0; --k) ++n;
    return n;
  });
  compare("brev.b32 d, a;", "u32", "u32", [](U64 a, U64, U64) {
    U64 r = 0;
    for (int k = 0; k < 32; ++k) r |= ((a >> k) & 1) << (31 - k);
    return r;
  });
  compare("prmt.b32 d, a, b, 0x7531;", "u32", "u32", [](U64 a, U64 b, U64) {
    return ((a >> 8) & 255) | ((a >> 24) & 255) << 8 | ((b >> 8) & 255) << 16 |
           ((b >> 24) & 255) << 24;
  });
}

TEST_CASE("add.cc, sub.cc and mad.cc carry into the next word") {
  compare("{ .reg .u64 l; add.cc.u64 l, a, b; addc.u64 d, a, c; }", "u64", "u64",
          [](U64 a, U64 b, U64 c) {
            const auto low = static_cast<unsigned __int128>(a) + b;
            return a + c + static_cast<U64>(low >> 64);
          });
  compare("{ .reg .u64 l; sub.cc.u64 l, a, b; subc.u64 d, a, c; }", "u64", "u64",
          [](U64 a, U64 b, U64 c) { return a - c - (a < b ? 1 : 0); });
  compare("{ .reg .u64 l; sub.cc.u64 l, a, b; addc.u64 d, c, 0; }", "u64", "u64",
          [](U64 a, U64 b, U64 c) { return c + (a < b ? 0 : 1); });
  compare(
      "{ .reg .u32 l; mad.lo.cc.u32 l, a, b, c; madc.hi.u32 d, a, b, c; }", "u32", "u32",
      [](U64 a, U64 b, U64 c) { return (a * b >> 32) + c + (((a * b & 0xffffffff) + c) >> 32); });
}

TEST_CASE("single-precision arithmetic is correctly rounded up, down and to nearest") {
  // Products of two numbers of 24 bits are exact in the 113 bits of __float128.
  const int directions[] = {1, -1};
  const char* const names[] = {"rp", "rm"};
  for (int n = 0; n < 2; ++n) {
    const int direction = directions[n];
    compare("mul." + std::string(names[n]) + ".f32 d, a, b;", "f32", "f32",
            [&](U64 a, U64 b, U64) -> U64 {
              const __float128 exact = static_cast<__float128>(f32(a)) * f32(b);
              const double magnitude = std::fabs(static_cast<double>(f32(a)) * f32(b));
              if (!(magnitude < 3e38) || exact == 0 || magnitude < 1e-37) {
                // Zeros, infinities and NaN are those of the host; all other results are rounded
                // by search.
                if (exact == 0 && f32(a) == f32(a) && f32(b) == f32(b))
                  return bits(f32(a) * f32(b));
                if (!(magnitude <= 1e308) || magnitude != magnitude) return bits(f32(a) * f32(b));
              }
              return bits(rounded(exact, direction));
            });
  }
  compare("add.rn.f32 d, a, b;", "f32", "f32",
          [](U64 a, U64 b, U64) { return bits(static_cast<float>(double{f32(a)} + f32(b))); });
  compare("div.rn.f32 d, a, b;", "f32", "f32",
          [](U64 a, U64 b, U64) { return bits(static_cast<float>(double{f32(a)} / f32(b))); });
  compare("sqrt.rn.f32 d, a;", "f32", "f32",
          [](U64 a, U64, U64) { return bits(static_cast<float>(std::sqrt(double{f32(a)}))); });
  compare("fma.rn.f32 d, a, b, c;", "f32", "f32",
          [](U64 a, U64 b, U64 c) { return bits(std::fmaf(f32(a), f32(b), f32(c))); });
}

TEST_CASE("conversions to integers saturate, and NaN gives zero or the most significant bit") {
  compare("cvt.rzi.s32.f32 d, a;", "f32", "u32", [](U64 a, U64, U64) -> U64 {
    const double v = f32(a);
    if (v != v) return 0;
    return static_cast<U64>(
        static_cast<S64>(std::max(-2147483648.0, std::min(2147483647.0, std::trunc(v)))));
  });
  compare("cvt.rni.s64.f64 d, a;", "f64", "u64", [](U64 a, U64, U64) -> U64 {
    const auto v = std::bit_cast<double>(a);
    if (v != v || v <= -0x1p63) return 1ull << 63;
    if (v >= 0x1p63) return ~0ull >> 1;
    return static_cast<U64>(std::llrint(v));
  });
}

TEST_CASE("conversions of integers to single precision round to nearest") {
  compare("cvt.rn.f32.s32 d, a;", "u32", "f32",
          [](U64 a, U64, U64) { return bits(static_cast<float>(static_cast<double>(s32(a)))); });
}
