// Loads, stores and atomics of all types and widths in each state space, and conversions of
// addresses.

#include <algorithm>
#include <bit>
#include <map>
#include <random>

#include <doctest/doctest.h>

#include "oracle/forms.hpp"
#include "run_ptx.hpp"

using namespace ptxemu;
using namespace ptxemu::oracle;

namespace {
constexpr std::uint32_t threads = 64;

/// Registers and addresses of the tests: t is the thread, x0 to x3 values of 64 bits that the
/// thread reads from p0, out the address of its 32 bytes at p1.
const std::string start = R"(
  .reg .pred p, q; .reg .b32 t, u; .reg .b64 x<4>, y<4>, in, out, s, at; .reg .b16 h<4>, g<4>;
  .reg .b32 w<8>, v<8>; .reg .f32 f<4>; .reg .f64 e<4>;
  .shared .align 16 .b8 shared_bytes[4096]; .local .align 16 .b8 local_bytes[64];
  mov.u32 t, %tid.x; mul.wide.u32 s, t, 32;
  ld.param.u64 in, [p0]; add.u64 in, in, s; ld.param.u64 out, [p1]; add.u64 out, out, s;
  ld.global.u64 x0, [in]; ld.global.u64 x1, [in+8];
  ld.global.u64 x2, [in+16]; ld.global.u64 x3, [in+24];
)";

struct Result {
  std::vector<U64> in, out;
};
Result run(const std::string& body, const std::string& declarations = "") {
  std::mt19937_64 engine(7);
  Result result;
  for (std::uint32_t n = 0; n < 4 * threads; ++n)
    result.in.push_back(engine() % 3 == 0 ? engine() | 0x8080808080808080u : engine());
  test::EmulatedDevice device;
  const U64 out = device.upload(std::vector<U64>(result.in.size(), 0));
  device.run(test::kernel_text(2, start + body, declarations), {1, 1, 1}, {threads, 1, 1},
             {device.upload(result.in), out});
  result.out = device.download<U64>(out, result.in.size());
  return result;
}
std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += part;
  return text;
}
}  // namespace

TEST_CASE("loads extend the sign of signed types into wider registers") {
  for (const std::string type : {"u8", "s8", "u16", "s16", "u32", "s32", "b8", "b16", "b32"})
    for (const int width : {16, 32, 64}) {
      if (width < bits_of(type)) continue;
      const std::string reg = width == 16 ? "h0" : width == 32 ? "w0" : "y0";
      const auto r = run(join({"ld.global.", type, " ", reg, ", [in+4]; st.global.b",
                               std::to_string(width), " [out], ", reg, ";"}));
      CAPTURE(type);
      CAPTURE(width);
      bool right = true;
      for (std::size_t t = 0; t < threads; ++t) {
        const auto value = value_of(r.in[4 * t] >> 32, type);
        right = right && r.out[4 * t] == low_bits(static_cast<U64>(value), width);
      }
      CHECK(right);
    }
}

TEST_CASE("stores of narrow types write the lowest bits of wider registers only") {
  for (const std::string type : {"u8", "b16", "s32"}) {
    const auto r = run("st.global." + type + " [out+4], x0;");
    bool right = true;
    for (std::size_t t = 0; t < threads; ++t)
      right = right && r.out[4 * t] == low_bits(r.in[4 * t], bits_of(type)) << 32;
    CHECK(right);
  }
}

TEST_CASE("vectors pass through every state space in order") {
  const struct {
    std::string space, address;
  } places[] = {{".global", "out"}, {".shared", "s"}, {".local", "local_bytes"}, {"", "out"}};
  for (const auto& place : places) {
    // A thread's part of shared memory starts at shared_bytes + 32 t.
    const std::string base =
        place.space == ".shared" ? "mov.u64 at, shared_bytes; add.u64 s, s, at; " : "";
    const auto round_trip = [&](const std::string& store, const std::string& load) {
      return run(join({base, "st", place.space, store, "ld", place.space, load}));
    };
    const std::string at = " [" + place.address + "]";
    CAPTURE(place.space);
    {  // 2 × 64 bits
      const auto r = round_trip(".v2.b64" + at + ", {x0, x1}; ",
                                ".v2.u64 {y0, y1}," + at + "; st.global.v2.u64 [out], {y1, y0};");
      bool right = true;
      for (std::size_t t = 0; t < threads; ++t)
        right = right && r.out[4 * t] == r.in[4 * t + 1] && r.out[4 * t + 1] == r.in[4 * t];
      CHECK(right);
    }
    {  // 4 × 32 bits, in integer and floating-point registers
      const auto r =
          run(join({base, "mov.b64 {w0, w1}, x0; mov.b64 {w2, w3}, x1; st", place.space, ".v4.u32",
                    at, ", {w0, w1, w2, w3}; ld", place.space, ".v4.f32 {f3, f2, f1, f0},", at,
                    "; st.global.v4.f32 [out], {f0, f1, f2, f3};"}));
      bool right = true;
      for (std::size_t t = 0; t < threads; ++t)
        right = right && r.out[4 * t] == ((r.in[4 * t + 1] << 32) | (r.in[4 * t + 1] >> 32)) &&
                r.out[4 * t + 1] == ((r.in[4 * t] << 32) | (r.in[4 * t] >> 32));
      CHECK(right);
    }
    {  // 4 × 8 bits, with sign, in 32-bit registers
      const auto r = run(join({base, "cvt.u32.u64 w0, x0; st", place.space, ".u32", at, ", w0; ld",
                               place.space, ".v4.s8 {v0, v1, v2, v3},", at,
                               "; add.s32 v0, v0, v1; add.s32 v2, v2, v3; add.s32 v0, v0, v2; "
                               "st.global.v2.u32 [out], {v0, v0};"}));
      bool right = true;
      for (std::size_t t = 0; t < threads; ++t) {
        __int128 sum = 0;
        for (int n = 0; n < 4; ++n) sum += value_of(r.in[4 * t] >> (8 * n), "s8");
        right = right && static_cast<std::uint32_t>(r.out[4 * t]) ==
                             static_cast<std::uint32_t>(static_cast<U64>(sum));
      }
      CHECK(right);
    }
  }
}

TEST_CASE("cvta and isspacep tell the state spaces of generic addresses") {
  const auto r = run(R"(
    .reg .pred a<4>; mov.u64 at, shared_bytes; cvta.shared.u64 y0, at;
    mov.u64 at, local_bytes; cvta.local.u64 y1, at; cvta.global.u64 y2, out;
    mov.u64 at, constants; cvta.const.u64 y3, at;
    mov.u32 w0, 0;
    isspacep.shared p, y0; @p add.u32 w0, w0, 1; isspacep.shared p, y1; @p add.u32 w0, w0, 0x100;
    isspacep.local p, y1; @p add.u32 w0, w0, 2;  isspacep.local p, y2; @p add.u32 w0, w0, 0x100;
    isspacep.global p, y2; @p add.u32 w0, w0, 4; isspacep.global p, y0; @p add.u32 w0, w0, 0x100;
    isspacep.global p, y1; @p add.u32 w0, w0, 0x100;
    st.u64 [y0], x0; ld.shared.u64 x1, [shared_bytes]; bar.sync 0;
    cvta.to.shared.u64 at, y0; ld.shared.u64 x2, [at];
    ld.u32 w1, [y3]; cvta.to.const.u64 at, y3; ld.const.u32 w2, [at+4];
    st.u64 [y1], x3; ld.local.u64 x3, [local_bytes];
    st.global.v2.u32 [out], {w0, w1}; st.global.u32 [out+8], w2; st.global.u64 [out+16], x3;
  )",
                     ".const .align 8 .u32 constants[2] = {11, 12};");
  for (std::size_t t = 0; t < threads; ++t) {
    CHECK(r.out[4 * t] == (U64{11} << 32 | 7));
    CHECK(r.out[4 * t + 1] == 12);
    CHECK(r.out[4 * t + 2] == r.in[4 * t + 3]);
  }
}

namespace {
/// A word of memory after an atomic operation on `old` with b (and c for cas).
std::optional<U64> after(const std::string& operation, const std::string& type, bool is_shared,
                         U64 old, U64 b, U64 c) {
  if (operation == "exch") return b;
  if (operation == "cas") return old == b ? c : old;
  if (operation == "and") return old & b;
  if (operation == "or") return old | b;
  if (operation == "xor") return old ^ b;
  if (operation == "inc") return old >= b ? 0 : old + 1;
  if (operation == "dec") return old == 0 || old > b ? b : old - 1;
  if (type[0] == 'f') {
    const Format f = format_of(type);
    const bool flush = type == "f32" && !is_shared;
    if (flush) old = flushed(old, f), b = flushed(b, f);
    const U64 bits =
        encode(sum(decode(old, f), decode(b, f), Rounding::nearest), f, Rounding::nearest);
    return flush ? flushed(bits, f) : bits;
  }
  const __int128 x = value_of(old, type), y = value_of(b, type);
  if (operation == "min") return static_cast<U64>(std::min(x, y));
  if (operation == "max") return static_cast<U64>(std::max(x, y));
  return static_cast<U64>(x + y);
}

/// Bits for an atomic: numbers near the extremes, subnormal numbers, or small integers.
U64 draw(std::mt19937_64& engine, const std::string& type) {
  const U64 random = engine();
  if (type == "f32")
    return random % 4 == 0 ? (random >> 40) & 0x80ffffff
                           : 0x3f000000 | ((random >> 20) & 0x81ffffff);
  if (type == "f64") return 0x3ff0000000000000 | ((random >> 2) & 0x801fffffffffffff);
  if (random % 2 == 0) return low_bits(random >> 8 & 3, bits_of(type));
  return low_bits(random, bits_of(type));
}
}  // namespace

TEST_CASE("atom and red of all operations and types, in global and shared memory") {
  const std::map<std::string, std::vector<std::string>> types = {
      {"add", {"u32", "s32", "u64", "f32", "f64"}},
      {"min", {"u32", "s32", "u64", "s64"}},
      {"max", {"u32", "s32", "u64", "s64"}},
      {"and", {"b32", "b64"}},
      {"or", {"b32", "b64"}},
      {"xor", {"b32", "b64"}},
      {"inc", {"u32"}},
      {"dec", {"u32"}},
      {"exch", {"b32", "b64"}},
      {"cas", {"b32", "b64", "b16"}}};
  std::mt19937_64 engine(3);
  for (const auto& [operation, list] : types)
    for (const std::string& type : list)
      for (const std::string space : {"global", "shared", ""})
        for (const bool has_result : {true, false}) {
          if (!has_result && (operation == "exch" || operation == "cas")) continue;
          const std::string dot = space.empty() ? "" : ".",
                            b = std::string("b").append(std::to_string(bits_of(type)));
          const std::string memory = space == "shared" ? "shared" : "global";
          const bool compares = operation == "cas";
          const std::string reg = type[0] == 'f' ? type : b, load = type[0] == 'f' ? type : b;
          // Word t mod 4 of four words is changed by the threads of one warp with an even sum of
          // their bits; the old value and finally the word are stored.
          const std::string text = join(
              {".reg .pred p; .reg .b32 t, u, v; .reg .b64 r, s, in, word, own; .reg .",
               reg,
               " b, c, d, m; .shared .align 8 .b8 words[32]; mov.u32 t, %tid.x; and.b32 u, t, 3;"
               "mul.wide.u32 s, t, 8; mul.wide.u32 r, u, 8; ld.param.u64 in, [p0]; add.u64 own, "
               "in, s;"
               "ld.global.",
               load,
               " b, [own]; ld.global.",
               load,
               " c, [own+256];"
               "ld.param.u64 word, [p1]; add.u64 word, word, r; ld.global.",
               load,
               " m, [word];",
               space == "shared" ? "mov.u64 word, words; add.u64 word, word, r;" : "",
               "st.",
               memory,
               ".",
               load,
               " [word], m; bar.sync 0; popc.b32 v, t; and.b32 v, v, 1;"
               "setp.eq.u32 p, v, 0; @!p bra DONE; ",
               has_result ? "atom." : "red.",
               space,
               dot,
               operation,
               ".",
               type,
               has_result ? " d, " : " ",
               "[word], b",
               compares ? ", c" : "",
               ";",
               has_result ? "ld.param.u64 r, [p2]; add.u64 r, r, s; st.global." + load + " [r], d;"
                          : "",
               " DONE: bar.sync 0; ld.",
               memory,
               ".",
               load,
               " m, [word]; ld.param.u64 r, [p2]; "
               "add.u64 r, r, s; st.global.",
               load,
               " [r+256], m;"});
          std::vector<U64> in(64), words(4), expected(64);
          for (U64& value : in) value = draw(engine, type);
          for (U64& value : words) value = draw(engine, type);
          if (compares)  // about half of the comparisons succeed
            for (std::size_t n = 0; n < 32; ++n) in[n] = words[n % 4];
          test::EmulatedDevice device;
          const U64 out = device.upload(std::vector<U64>(64));
          device.run(test::kernel_text(3, text), {1, 1, 1}, {32, 1, 1},
                     {device.upload(in), device.upload(words), out});
          for (std::size_t n = 0; n < 32; ++n) {
            if (std::popcount(n) % 2 != 0) continue;
            U64& word = words[n % 4];
            if (has_result) expected[n] = word;
            word = low_bits(*after(operation, type, space == "shared", word, in[n], in[32 + n]),
                            bits_of(type));
          }
          for (std::size_t n = 0; n < 32; ++n) expected[32 + n] = words[n % 4];
          CAPTURE(operation);
          CAPTURE(type);
          CAPTURE(space);
          CHECK(device.download<U64>(out, 64) == expected);
        }
}
