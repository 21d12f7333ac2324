// Logic, shifts, bit fields and permutations against loops over single bits, from the text of the
// PTX ISA manual.

#include <algorithm>

#include <doctest/doctest.h>

#include "oracle/forms.hpp"

using namespace ptxemu::oracle;

namespace {
bool bit(U64 value, int n) { return ((value >> n) & 1) != 0; }
/// The number whose bit n is f(n), for n < width.
template <class F>
U64 from_bits(int width, const F& f) {
  U64 value = 0;
  for (int n = 0; n < width; ++n) value |= U64{f(n)} << n;
  return value;
}
}  // namespace

TEST_CASE("logic") {
  for (const std::string& t : {std::string("b16"), std::string("b32"), std::string("b64")}) {
    const int width = bits_of(t);
    const auto form = [&](const std::string& opcode) {
      return Form{opcode + "." + t + " d, a" + (opcode.back() == 't' ? ";" : ", b;"), t, t, t, t};
    };
    const auto bitwise = [&](auto f) {
      return [=](const Operands& o) {
        return from_bits(width, [&](int n) { return f(bit(o.a, n), bit(o.b, n)); });
      };
    };
    check(form("and"), bitwise([](bool a, bool b) { return a && b; }));
    check(form("or"), bitwise([](bool a, bool b) { return a || b; }));
    check(form("xor"), bitwise([](bool a, bool b) { return a != b; }));
    check(form("not"), bitwise([](bool a, bool) { return !a; }));
    check(form("cnot"), [](const Operands& o) { return U64{o.a == 0}; });
  }
  for (const std::string& opcode : {std::string("and"), std::string("or"), std::string("xor")})
    check({"{ .reg .pred x, y; setp.lt.u32 x, a, b; setp.lt.u32 y, b, c; " + opcode +
               ".pred x, x, !y; not.pred y, x; selp.u32 d, 1, 0, x; @y add.u32 d, d, 2; }",
           "b32", "b32", "b32", "b32"},
          [&](const Operands& o) {
            const bool x = o.a < o.b, y = o.b >= o.c;
            const bool r = opcode == "and" ? x && y : opcode == "or" ? x || y : x != y;
            return U64{r ? 1u : 2u};
          });
}

TEST_CASE("lop3 of every function of three bits") {
  for (int table = 0; table < 256; ++table)
    check({"lop3.b32 d, a, b, c, " + std::to_string(table) + ";", "b32", "b32", "b32", "b32"},
          [&](const Operands& o) {
            return from_bits(32, [&](int n) {
              const int row = (bit(o.a, n) ? 4 : 0) + (bit(o.b, n) ? 2 : 0) + (bit(o.c, n) ? 1 : 0);
              return ((table >> row) & 1) != 0;
            });
          });
}

TEST_CASE("shifts, also by the width and more") {
  for (const int width : {16, 32, 64}) {
    const std::string w = std::to_string(width), b = std::string("b").append(w);
    const auto amount = [](const Operands& o) { return static_cast<S64>(low_bits(o.b, 32)); };
    check({"shl.b" + w + " d, a, b;", b, "b32", "b32", b}, [&](const Operands& o) {
      return from_bits(width,
                       [&](int n) { return n >= amount(o) && bit(o.a, n - int(amount(o))); });
    });
    for (const char kind : {'b', 'u', 's'})
      check({std::string("shr.") + kind + w + " d, a, b;", b, "b32", "b32", b},
            [&](const Operands& o) {
              return from_bits(width, [&](int n) {
                const S64 from = n + amount(o);
                if (from < width) return bit(o.a, static_cast<int>(from));
                return kind == 's' && bit(o.a, width - 1);
              });
            });
  }
  for (const bool left : {false, true})
    for (const bool clamp : {false, true})
      check({std::string("shf.") + (left ? "l." : "r.") + (clamp ? "clamp" : "wrap") +
                 ".b32 d, a, b, c;",
             "b32", "b32", "b32", "b32"},
            [&](const Operands& o) {
              const int by =
                  clamp ? static_cast<int>(std::min<U64>(o.c, 32)) : static_cast<int>(o.c % 32);
              // bits of the concatenation of b (upper half) and a (lower half)
              const auto both = [&](int n) { return n < 32 ? bit(o.a, n) : bit(o.b, n - 32); };
              return from_bits(32, [&](int n) { return both(left ? n + 32 - by : n + by); });
            });
}

TEST_CASE("bit fields") {
  for (const std::string& t :
       {std::string("u32"), std::string("s32"), std::string("u64"), std::string("s64")}) {
    const int width = bits_of(t);
    const std::string b = std::string("b").append(std::to_string(width));
    check({"bfe." + t + " d, a, b, c;", b, "b32", "b32", b}, [&](const Operands& o) {
      const int position = o.b & 255, length = o.c & 255, most = width - 1;
      const bool sign =
          is_signed(t) && length != 0 && bit(o.a, std::min(position + length - 1, most));
      return from_bits(width, [&](int n) {
        return n < length && position + n <= most ? bit(o.a, position + n) : sign;
      });
    });
    check({"bfind." + t + " d, a;", b, b, b, "b32"}, [&](const Operands& o) -> U64 {
      const bool sign = is_signed(t) && bit(o.a, width - 1);
      for (int n = width - 1; n >= 0; --n)
        if (bit(o.a, n) != sign) return static_cast<U64>(n);
      return ~U64{0};
    });
    check({"bfind.shiftamt." + t + " d, a;", b, b, b, "b32"}, [&](const Operands& o) -> U64 {
      const bool sign = is_signed(t) && bit(o.a, width - 1);
      for (int n = width - 1; n >= 0; --n)
        if (bit(o.a, n) != sign) return static_cast<U64>(width - 1 - n);
      return ~U64{0};
    });
    if (is_signed(t)) continue;
    check(
        {"{ .reg .b32 length; shr.u32 length, c, 3; bfi.b" + t.substr(1) + " d, a, b, c, length; }",
         b, b, "b32", b},
        [&](const Operands& o) {
          const int position = o.c & 255, length = (low_bits(o.c, 32) >> 3) & 255;
          return from_bits(width, [&](int n) {
            return n >= position && n < position + length ? bit(o.a, n - position) : bit(o.b, n);
          });
        });
    check({"popc." + b + " d, a;", b, b, b, "b32"}, [&](const Operands& o) {
      U64 count = 0;
      for (int n = 0; n < width; ++n) count += bit(o.a, n);
      return count;
    });
    check({"clz." + b + " d, a;", b, b, b, "b32"}, [&](const Operands& o) {
      U64 count = 0;
      for (int n = width - 1; n >= 0 && !bit(o.a, n); --n) ++count;
      return count;
    });
    check({"brev." + b + " d, a;", b, b, b, b}, [&](const Operands& o) {
      return from_bits(width, [&](int n) { return bit(o.a, width - 1 - n); });
    });
  }
  for (const bool clamp : {false, true}) {
    const std::string mode = clamp ? "clamp" : "wrap";
    check({"bmsk." + mode + ".b32 d, a, b;", "b32", "b32", "b32", "b32"}, [&](const Operands& o) {
      const U64 position = clamp ? o.a : o.a % 32, length = clamp ? o.b : o.b % 32;
      return from_bits(32, [&](int n) {
        return static_cast<U64>(n) >= position && static_cast<U64>(n) - position < length;
      });
    });
    for (const char kind : {'u', 's'})
      check({"szext." + mode + "." + kind + "32 d, a, b;", "b32", "b32", "b32", "b32"},
            [&](const Operands& o) -> U64 {
              const U64 length = clamp ? std::min<U64>(o.b, 32) : o.b % 32;
              const bool sign =
                  kind == 's' && length != 0 && bit(o.a, static_cast<int>(length) - 1);
              return from_bits(
                  32, [&](int n) { return static_cast<U64>(n) < length ? bit(o.a, n) : sign; });
            });
  }
}

TEST_CASE("fns finds the n-th set bit from a position upwards or downwards") {
  // The lowest four bits of c are the signed number of the bit to find.
  check({"{ .reg .b32 base; .reg .s32 n; and.b32 base, b, 31; shl.b32 n, c, 28; shr.s32 n, n, 28; "
         "fns.b32 d, a, base, n; }",
         "b32", "b32", "b32", "b32"},
        [](const Operands& o) -> U64 {
          const int base = o.b & 31, n = static_cast<int>(value_of(o.c & 15, "s64") ^ 8) - 8;
          if (n == 0) return bit(o.a, base) ? static_cast<U64>(base) : 0xffffffffu;
          int found = 0;
          for (int k = base; k >= 0 && k<32; k += n> 0 ? 1 : -1)
            if (bit(o.a, k) && ++found == (n > 0 ? n : -n)) return static_cast<U64>(k);
          return 0xffffffffu;
        });
}

TEST_CASE("prmt in all modes") {
  const auto byte = [](const Operands& o, int n) {
    return ((n < 4 ? o.a : o.b) >> (8 * (n & 3))) & 255;
  };
  check({"prmt.b32 d, a, b, c;", "b32", "b32", "b32", "b32"}, [&](const Operands& o) {
    U64 d = 0;
    for (int n = 0; n < 4; ++n) {
      const int selector = static_cast<int>(o.c >> (4 * n)) & 15;
      U64 value = byte(o, selector & 7);
      if (selector >= 8) value = value >= 128 ? 255 : 0;
      d |= value << (8 * n);
    }
    return d;
  });
  // The table of the manual: bytes 3, 2, 1, 0 of the result for selectors 0 to 3.
  const struct {
    const char *mode, *selected[4];
  } rows[] = {
      {"f4e", {"3210", "4321", "5432", "6543"}}, {"b4e", {"5670", "6701", "7012", "0123"}},
      {"rc8", {"0000", "1111", "2222", "3333"}}, {"ecl", {"3210", "3211", "3222", "3333"}},
      {"ecr", {"0000", "1110", "2210", "3210"}}, {"rc16", {"1010", "3232", "1010", "3232"}}};
  for (const auto& row : rows)
    check({std::string("prmt.b32.") + row.mode + " d, a, b, c;", "b32", "b32", "b32", "b32"},
          [&](const Operands& o) {
            U64 d = 0;
            for (int n = 0; n < 4; ++n) d |= byte(o, row.selected[o.c & 3][3 - n] - '0') << (8 * n);
            return d;
          });
}

TEST_CASE("mov between a value and its parts") {
  check({"{ .reg .b32 l, h; mov.b64 {l, h}, a; mov.b64 d, {h, l}; }", "b64", "b64", "b64", "b64"},
        [](const Operands& o) { return (o.a << 32) | (o.a >> 32); });
  check({"{ .reg .b16 x<4>; mov.b64 {x0, x1, x2, x3}, a; mov.b64 d, {x3, x0, x1, x2}; }", "b64",
         "b64", "b64", "b64"},
        [](const Operands& o) { return (o.a << 16) | (o.a >> 48); });
  check({"{ .reg .b16 l, h; mov.b32 {l, h}, a; mov.b32 d, {h, l}; }", "b32", "b32", "b32", "b32"},
        [](const Operands& o) { return (o.a << 16) | (o.a >> 16); });
  check({"{ .reg .b128 w; .reg .b64 l, h; mov.b128 w, {a, b}; mov.b128 {l, h}, w; "
         "sub.u64 d, h, l; }",
         "b64", "b64", "b64", "b64"},
        [](const Operands& o) { return o.b - o.a; });
}
