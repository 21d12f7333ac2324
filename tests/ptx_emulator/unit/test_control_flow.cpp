// Tests basic blocks, post-dominators and divergent execution.

#include <doctest/doctest.h>

#include "program/control_flow.hpp"
#include "run_ptx.hpp"

using namespace ptxemu;
using test::EmulatedDevice;
using test::kernel_text;

namespace {
// Before the tested instructions: t is the number of the thread, r the address of its result; after
// them x is stored there.
const std::string start = R"(
.reg .pred p, q; .reg .b32 t, x, y, z, n; .reg .u64 r, s;
mov.u32 t, %tid.x; ld.param.u64 r, [p0]; mul.wide.u32 s, t, 4; add.u64 r, r, s;
)";
const std::string finish = "\nst.global.u32 [r], x;";

std::vector<std::uint32_t> run(const std::string& body, std::uint32_t threads = 64,
                               const std::string& declarations = "") {
  EmulatedDevice device;
  const std::uint64_t out = device.upload(std::vector<std::uint32_t>(threads));
  device.run(kernel_text(1, start + body + finish, declarations), {1, 1, 1}, {threads, 1, 1},
             {out});
  return device.download<std::uint32_t>(out, threads);
}
}  // namespace

TEST_CASE("the post-dominator of a branch is the block after both of its paths") {
  const Module module = parse(kernel_text(0, R"(.reg .pred p; .reg .b32 x;
    @p bra A; mov.u32 x, 1; bra B; A: mov.u32 x, 2; B: mov.u32 x, 3;)"));
  const ControlFlow flow = analyse(module.functions[0]);
  REQUIRE(flow.blocks.size() == 4);
  CHECK(flow.blocks[0].post_dominator == 3);
  CHECK(flow.blocks[1].post_dominator == 3);
  CHECK(flow.blocks[3].post_dominator == -1);
}

TEST_CASE(
    "the post-dominator of a loop is the block after it, and a block that may return has none") {
  const Module module = parse(kernel_text(0, R"(.reg .pred p, q; .reg .b32 x;
    L: add.s32 x, x, 1; @q bra M; @p bra L; M: @p ret; mov.u32 x, 3;)"));
  const ControlFlow flow = analyse(module.functions[0]);
  CHECK(flow.blocks[0].post_dominator == 2);
  CHECK(flow.blocks[1].post_dominator == 2);
  CHECK(flow.blocks[2].post_dominator == -1);
}

TEST_CASE(
    "lanes that leave a loop in different iterations reconverge before the next instruction") {
  const auto x = run(R"(mov.u32 x, 0; mov.u32 n, 0;
    L: add.u32 n, n, t; add.u32 x, x, 1; setp.lt.u32 p, x, t; @p bra L;
    vote.sync.ballot.b32 y, 1, 0xffffffff;
    setp.eq.u32 q, y, 0xffffffff; selp.b32 x, n, 0, q;)");
  for (std::uint32_t t = 0; t < 64; ++t) CHECK(x[t] == (t == 0 ? 0 : t * t));
}

TEST_CASE("lanes that wait long for one of them reconverge in every iteration") {
  // In each of 100 iterations one lane executes 600 times 3 instructions alone, and then all do.
  EmulatedDevice device;
  const std::uint64_t out = device.upload(std::vector<std::uint32_t>(32));
  const Counts counts = device.run(kernel_text(1, start + R"(mov.u32 x, 0; mov.u32 n, 0;
    L: setp.ne.u32 p, t, 5; @p bra ALL; mov.u32 y, 0;
    ONE: add.u32 y, y, 1; setp.lt.u32 q, y, 600; @q bra ONE;
    ALL: mov.u32 z, 0;
    M: add.u32 z, z, 1; setp.lt.u32 q, z, 600; @q bra M;
    add.u32 x, x, z; add.u32 n, n, 1; setp.lt.u32 p, n, 100; @p bra L;)" +
                                                      finish),
                                   {1, 1, 1}, {32, 1, 1}, {out});
  for (const std::uint32_t x : device.download<std::uint32_t>(out, 32)) CHECK(x == 60000);
  CHECK(counts.warp_instructions < 100 * (2 * 3 * 600 + 20));
}

TEST_CASE("every lane takes its own path through nested divergent branches") {
  const auto x = run(R"(mov.u32 x, 0; mov.u32 n, 0;
    L: and.b32 y, t, 1; setp.eq.u32 p, y, 0; @p bra EVEN;
    mad.lo.u32 x, x, 3, t; and.b32 y, t, 2; setp.eq.u32 q, y, 0; @q add.u32 x, x, 7; bra NEXT;
    EVEN: setp.gt.u32 q, t, 40; @q bra BIG; add.u32 x, x, n; bra NEXT; BIG: xor.b32 x, x, t;
    NEXT: add.u32 n, n, 1; and.b32 y, t, 7; setp.le.u32 p, n, y; @p bra L;)");
  for (std::uint32_t t = 0; t < 64; ++t) {
    std::uint32_t expected = 0;
    for (std::uint32_t n = 0; n <= (t & 7); ++n) {
      if ((t & 1) != 0) {
        expected = expected * 3 + t;
        if ((t & 2) == 0) expected += 7;
      } else if (t > 40) {
        expected ^= t;
      } else {
        expected += n;
      }
    }
    CHECK(x[t] == expected);
  }
}

TEST_CASE("indexed branches go to the target of each lane") {
  const auto x = run(R"(and.b32 y, t, 3; TABLE: .branchtargets A, B, C, B;
    brx.idx y, TABLE;
    A: mov.u32 x, 10; bra END; B: mov.u32 x, 20; bra END; C: mov.u32 x, 30; END: add.u32 x, x, 1;)");
  const std::uint32_t expected[] = {11, 21, 31, 21};
  for (std::uint32_t t = 0; t < 64; ++t) CHECK(x[t] == expected[t % 4]);
}

TEST_CASE("functions called in divergent code may recurse and return early") {
  const auto x = run(R"(.reg .u64 f; setp.lt.u32 p, t, 20; mov.u32 x, 5; @p bra DONE;
    { .param .b32 a0; .param .b32 r0; and.b32 y, t, 7; st.param.b32 [a0], y;
      call.uni (r0), factorial, (a0); ld.param.b32 x, [r0]; }
    DONE: add.u32 x, x, 1;)",
                     64, R"(.func (.param .b32 res) factorial(.param .b32 n)
    { .reg .b32 a, b; .reg .pred p; ld.param.b32 a, [n]; setp.gt.u32 p, a, 1; @p bra MORE;
      st.param.b32 [res], 1; ret;
      MORE: { .param .b32 a0; .param .b32 r0; sub.u32 b, a, 1; st.param.b32 [a0], b;
      call.uni (r0), factorial, (a0); ld.param.b32 b, [r0]; } mul.lo.u32 b, a, b;
      st.param.b32 [res], b; ret; })");
  const std::uint32_t factorial[] = {1, 1, 2, 6, 24, 120, 720, 5040};
  for (std::uint32_t t = 0; t < 64; ++t) CHECK(x[t] == (t < 20 ? 6 : factorial[t & 7] + 1));
}

TEST_CASE("indirect calls go to the function of each lane") {
  const auto x = run(R"(.reg .u64 f, g; mov.u64 f, one; mov.u64 g, two; and.b32 y, t, 1;
    setp.eq.u32 p, y, 0; selp.b64 f, f, g, p;
    { .param .b32 r0; P: .callprototype (.param .b32 _) _ (); call (r0), f, (), P;
      ld.param.b32 x, [r0]; })",
                     64, R"(.func (.param .b32 res) one() { st.param.b32 [res], 1; ret; }
    .func (.param .b32 res) two() { st.param.b32 [res], 2; ret; })");
  for (std::uint32_t t = 0; t < 64; ++t) CHECK(x[t] == 1 + t % 2);
}

TEST_CASE("a lane may wait for another lane of its warp") {
  // A spin lock acquired by each lane: spinning lanes must not block the holder.
  EmulatedDevice device;
  const std::uint64_t out = device.upload(std::vector<std::uint32_t>(2));
  device.run(kernel_text(1, R"(.reg .pred p; .reg .b32 x, y; .reg .u64 r; ld.param.u64 r, [p0];
    TRY: atom.global.cas.b32 x, [r], 0, 1; setp.ne.u32 p, x, 0; @p bra TRY;
    ld.global.u32 y, [r+4]; add.u32 y, y, 1; st.global.u32 [r+4], y; st.global.u32 [r], 0;)"),
             {3, 1, 1}, {96, 1, 1}, {out});
  CHECK(device.download<std::uint32_t>(out, 2)[1] == 288);
}

TEST_CASE("lanes that wait at different warp barriers reconverge before a shuffle") {
  const auto x = run(R"(mov.u32 x, t; setp.lt.u32 p, t, 16; @p bra A;
    add.u32 x, x, 100; bar.warp.sync 0xffffffff; bra B;
    A: add.u32 x, x, 200; bar.warp.sync 0xffffffff;
    B: shfl.sync.bfly.b32 x, x, 16, 31, 0xffffffff;)",
                     32);
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(x[t] == (t ^ 16) + (t < 16 ? 100 : 200));
}

TEST_CASE("a block may wait for any other block, in any order of execution") {
  // Each block waits for its predecessor: the order of blocks must not matter.
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    EmulatedDevice device;
    const std::uint64_t out = device.upload(std::vector<std::uint32_t>(25));
    device.run(kernel_text(1, R"(.reg .pred p; .reg .b32 x, b; .reg .u64 r, s; ld.param.u64 r, [p0];
      mov.u32 b, %ctaid.x; mul.wide.u32 s, b, 4; add.u64 r, r, s;
      setp.eq.u32 p, b, 0; mov.u32 x, 1; @p bra FIRST;
      WAIT: ld.acquire.gpu.global.u32 x, [r]; setp.eq.u32 p, x, 0; @p bra WAIT; add.u32 x, x, b;
      FIRST: st.release.gpu.global.u32 [r+4], x;)"),
               {24, 1, 1}, {1, 1, 1}, {out}, seed);
    CHECK(device.download<std::uint32_t>(out, 25)[24] == 1 + 23 * 24 / 2);
  }
}
