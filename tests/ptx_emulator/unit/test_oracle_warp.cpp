// Exchanges between the lanes of a warp and barriers with reductions, from the pseudo-code of the
// PTX ISA manual. In each test the lanes of a random mask and the other lanes execute the
// instruction on different paths of a branch.

#include <algorithm>
#include <array>
#include <bit>
#include <random>

#include <doctest/doctest.h>

#include "oracle/forms.hpp"
#include "run_ptx.hpp"

using namespace ptxemu;
using namespace ptxemu::oracle;

namespace {
using Lanes = std::array<U64, 32>;
constexpr std::uint32_t warps = 32;  ///< of one block

/// Operands and results of the lanes of one warp; `member` contains the lanes of the same path.
struct WarpCase {
  Lanes a, b, c, d;
  std::uint32_t mask;  ///< the lanes that branch
  std::uint32_t member(int lane) const { return ((mask >> lane) & 1) != 0 ? mask : ~mask; }
};

/// Runs `instruction`, which reads a and b (of 64 bits), c (of 32 bits) and the member mask m and
/// writes d (of 32 bits); 32-bit operands are a0 and b0, a predicate is q (bit 0 of a).
std::vector<WarpCase> run(const std::string& instruction, U64 seed, U64 values) {
  std::mt19937_64 engine(seed);
  std::vector<WarpCase> cases(warps);
  std::vector<U64> a, b, c, masks;
  for (WarpCase& each : cases) {
    each.mask = static_cast<std::uint32_t>(engine() & engine());
    if (engine() % 8 == 0) each.mask = ~std::uint32_t{0};
    for (std::size_t n = 0; n < 32; ++n) {
      each.a[n] = engine() % 4 == 0 ? engine() : engine() % values * 0x100000001u;
      each.b[n] = engine() % 3 == 0 ? engine() % 32 : (n == 0 ? engine() % 32 : each.b[0]);
      each.c[n] = engine() % 2 == 0 ? 0x1f : engine() % 0x2000;
      a.push_back(each.a[n]), b.push_back(each.b[n]), c.push_back(each.c[n]);
    }
    masks.push_back(each.mask);
  }
  test::EmulatedDevice device;
  const U64 out = device.upload(std::vector<U64>(a.size()));
  device.run(test::kernel_text(5, R"(
      .reg .pred p, q, v; .reg .b32 t, w, m, d, a0, b0, c, one; .reg .b64 a, b, r, s;
      mov.u32 t, %tid.x; shr.u32 w, t, 5; ld.param.u64 r, [p3]; mul.wide.u32 s, w, 8;
      add.u64 r, r, s; ld.global.u32 m, [r]; mul.wide.u32 s, t, 8;
      ld.param.u64 r, [p0]; add.u64 r, r, s; ld.global.b64 a, [r]; cvt.u32.u64 a0, a;
      ld.param.u64 r, [p1]; add.u64 r, r, s; ld.global.b64 b, [r]; cvt.u32.u64 b0, b;
      ld.param.u64 r, [p2]; add.u64 r, r, s; ld.global.b32 c, [r];
      and.b32 one, a0, 1; setp.ne.u32 q, one, 0;
      mov.u32 d, %laneid; mov.u32 one, 1; shl.b32 one, one, d; and.b32 one, one, m;
      setp.ne.u32 p, one, 0; mov.u32 d, 0;
      @!p bra OTHER; )" + instruction +
                                      " bra DONE; OTHER: not.b32 m, m; " + instruction + R"(
      DONE: ld.param.u64 r, [p4]; add.u64 r, r, s; st.global.u32 [r], d;)"),
             {1, 1, 1}, {32 * warps, 1, 1},
             {device.upload(a), device.upload(b), device.upload(c), device.upload(masks), out});
  const auto d = device.download<U64>(out, a.size());
  for (std::size_t w = 0; w < cases.size(); ++w)
    for (std::size_t n = 0; n < 32; ++n) cases[w].d[n] = d[32 * w + n];
  return cases;
}

/// Compares the results with expected(case, lane), for several random cases.
template <class F>
void check_warp(const std::string& instruction, const F& expected, U64 values = 3) {
  CAPTURE(instruction);
  int wrong = 0;
  for (U64 seed = 1; seed <= 2; ++seed)
    for (const WarpCase& each : run(instruction, seed, values))
      for (int lane = 0; lane < 32; ++lane) {
        const U64 right = low_bits(expected(each, lane), 32);
        const U64 result = each.d[static_cast<std::size_t>(lane)];
        if (result == right || ++wrong > 3) continue;
        CAPTURE(lane);
        CAPTURE(each.mask);
        CHECK(result == right);
      }
  CHECK(wrong == 0);
}

/// Calls f(n) for the lanes of the path of `lane`.
template <class F>
void members(const WarpCase& each, int lane, const F& f) {
  for (int n = 0; n < 32; ++n)
    if (((each.member(lane) >> n) & 1) != 0) f(static_cast<std::size_t>(n));
}
}  // namespace

TEST_CASE("shfl in all modes, within segments") {
  for (const std::string mode : {"up", "down", "bfly", "idx"})
    check_warp("shfl.sync." + mode + ".b32 d|v, a0, b0, c, m; @v add.u32 d, d, 1;",
               [&](const WarpCase& w, int lane) -> U64 {
                 const auto at = static_cast<std::size_t>(lane);
                 const int by = w.b[at] & 31, clamp = w.c[at] & 31, segment = (w.c[at] >> 8) & 31;
                 const int max_lane = (lane & segment) | (clamp & ~segment);
                 const int min_lane = lane & segment;
                 int j = 0;
                 bool valid = false;
                 if (mode == "up") j = lane - by, valid = j >= max_lane;
                 if (mode == "down") j = lane + by, valid = j <= max_lane;
                 if (mode == "bfly") j = lane ^ by, valid = j <= max_lane;
                 if (mode == "idx") j = min_lane | (by & ~segment), valid = j <= max_lane;
                 if (!valid) j = lane;
                 // A value of a lane on the other path is undefined; it is compared all the same,
                 // because registers of inactive lanes keep their values.
                 return low_bits(w.a[static_cast<std::size_t>(j)], 32) + (valid ? 1 : 0);
               });
}

TEST_CASE("vote, activemask and elect") {
  const auto ballot = [](const WarpCase& w, int lane) {
    std::uint32_t bits = 0;
    members(w, lane, [&](std::size_t n) { bits |= static_cast<std::uint32_t>(w.a[n] & 1) << n; });
    return bits;
  };
  check_warp("vote.sync.ballot.b32 d, q, m;", ballot);
  check_warp("vote.sync.ballot.b32 d, !q, m;",
             [&](const WarpCase& w, int lane) { return w.member(lane) & ~ballot(w, lane); });
  for (const U64 values : {1, 2}) {  // with one value most votes are unanimous
    check_warp(
        "vote.sync.all.pred v, q, m; selp.u32 d, 1, 0, v;",
        [&](const WarpCase& w, int lane) -> U64 { return ballot(w, lane) == w.member(lane); },
        values);
    check_warp(
        "vote.sync.any.pred v, q, m; selp.u32 d, 1, 0, v;",
        [&](const WarpCase& w, int lane) -> U64 { return ballot(w, lane) != 0; }, values);
    check_warp(
        "vote.sync.uni.pred v, q, m; selp.u32 d, 1, 0, v;",
        [&](const WarpCase& w, int lane) -> U64 {
          return ballot(w, lane) == 0 || ballot(w, lane) == w.member(lane);
        },
        values);
  }
  check_warp("activemask.b32 d;", [](const WarpCase& w, int lane) { return w.member(lane); });
  check_warp("elect.sync d|v, m; @v add.u32 d, d, 100;", [](const WarpCase& w, int lane) -> U64 {
    const int first = std::countr_zero(w.member(lane));
    return static_cast<U64>(first + (lane == first ? 100 : 0));
  });
}

TEST_CASE("match of 32 and 64 bits") {
  for (const int width : {32, 64}) {
    const std::string operand = width == 32 ? "a0" : "a", type = ".b" + std::to_string(width);
    const auto same = [&](const WarpCase& w, int lane) {
      std::uint32_t bits = 0;
      const U64 own = low_bits(w.a[static_cast<std::size_t>(lane)], width);
      members(w, lane,
              [&](std::size_t n) { bits |= std::uint32_t{low_bits(w.a[n], width) == own} << n; });
      return bits;
    };
    check_warp("match.any.sync" + type + " d, " + operand + ", m;", same);
    for (const U64 values : {1, 3})
      check_warp(
          "match.all.sync" + type + " d|v, " + operand + ", m; @v add.u32 d, d, 1;",
          [&](const WarpCase& w, int lane) -> U64 {
            const bool all = same(w, lane) == w.member(lane);
            return all ? U64{w.member(lane)} + 1 : 0;
          },
          values);
  }
}

TEST_CASE("redux of integers") {
  for (const std::string type : {"u32", "s32", "b32"})
    for (const std::string operation : {"add", "min", "max", "and", "or", "xor"}) {
      const bool logical = operation == "and" || operation == "or" || operation == "xor";
      if (logical != (type == "b32")) continue;
      check_warp("redux.sync." + operation + "." + type + " d, a0, m;",
                 [&](const WarpCase& w, int lane) -> U64 {
                   bool first = true;
                   __int128 r = 0;
                   members(w, lane, [&](std::size_t n) {
                     const __int128 v = value_of(w.a[n], type == "b32" ? "u32" : type);
                     if (first)
                       r = v;
                     else if (operation == "add")
                       r += v;
                     else if (operation == "min")
                       r = std::min(r, v);
                     else if (operation == "max")
                       r = std::max(r, v);
                     else if (operation == "and")
                       r &= v;
                     else if (operation == "or")
                       r |= v;
                     else
                       r ^= v;
                     first = false;
                   });
                   return static_cast<U64>(r);
                 });
    }
}

TEST_CASE("bar.red counts and combines the predicates of a block or of part of it") {
  for (const std::uint32_t threads : {32u, 96u, 256u})
    for (const std::uint32_t limit : {0u, 1u, 50u, 1000u}) {
      test::EmulatedDevice device;
      const U64 out = device.upload(std::vector<std::uint32_t>(3 * threads));
      device.run(test::kernel_text(1,
                                   ".reg .pred p, q; .reg .b32 t, x, y, z; .reg .b64 r, s;"
                                   "mov.u32 t, %tid.x; setp.lt.u32 p, t, " +
                                       std::to_string(limit) + R"(;
          bar.red.popc.u32 x, 0, p; barrier.cta.red.and.aligned.pred q, 1, p;
          selp.u32 y, 1, 0, q; bar.red.or.pred q, 0, !p; selp.u32 z, 1, 0, q;
          ld.param.u64 r, [p0]; mul.wide.u32 s, t, 12; add.u64 r, r, s; st.global.u32 [r], x;
          st.global.u32 [r+4], y; st.global.u32 [r+8], z;)"),
                 {1, 1, 1}, {threads, 1, 1}, {out});
      const auto d = device.download<std::uint32_t>(out, 3 * threads);
      const std::uint32_t count = std::min(limit, threads);
      bool right = true;
      for (std::size_t t = 0; t < threads; ++t)
        right = right && d[3 * t] == count && d[3 * t + 1] == (count == threads ? 1u : 0u) &&
                d[3 * t + 2] == (count < threads ? 1u : 0u);
      CAPTURE(threads);
      CAPTURE(limit);
      CHECK(right);
    }
}
