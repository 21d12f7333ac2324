// Tests of the check for data races: each kernel with a race has a counterpart that is ordered.

#include <doctest/doctest.h>

#include "checks/findings.hpp"
#include "run_ptx.hpp"

using namespace ptxemu;
using test::EmulatedDevice;
using test::kernel_text;

namespace {

/// The message of the race that the kernel has; empty if there is none. Registers t, b and w are
/// the numbers of thread, block and warp; r and s the addresses in p0 and shared memory, and r4 and
/// s4 those of word t.
std::string race(const std::string& body, std::uint32_t blocks, std::uint32_t threads,
                 Checks::Races mode = Checks::Races::faults) {
  const std::string start = R"(.reg .pred p, q; .reg .b32 t, b, w, u, x, y, s, s4; .reg .b16 h;
    .reg .u64 r, r4, o; mov.u32 t, %tid.x; mov.u32 b, %ctaid.x; shr.u32 w, t, 5;
    ld.param.u64 r, [p0]; mul.wide.u32 o, t, 4; add.u64 r4, r, o; mov.u32 s, m; shl.b32 s4, t, 2;
    add.u32 s4, s4, s; mov.u32 x, 0;
  )";
  EmulatedDevice device;
  device.checks.races = mode;
  const std::uint64_t memory = device.upload(std::vector<std::uint32_t>(4096));
  try {
    device.run(kernel_text(1, start + body, ".shared .align 16 .b8 m[8192];"), {blocks, 1, 1},
               {threads, 1, 1}, {memory});
  } catch (const Fault& fault) {
    if (fault.kind() != Fault::Kind::race) throw;
    return fault.what();
  }
  return "";
}
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
bool races(const std::string& body, std::uint32_t blocks, std::uint32_t threads) {
  return !race(body, blocks, threads).empty();
}

// Each thread writes its word of shared memory and, after `order`, reads that of another thread.
bool exchange_races(const std::string& order, int distance, std::uint32_t threads = 64) {
  return races("st.shared.u32 [s4], t;" + order + "xor.b32 s4, s4, " +
                   std::to_string(4 * distance) + "; ld.shared.u32 x, [s4];",
               1, threads);
}

}  // namespace

TEST_CASE("shared memory: another warp's write is ordered by a barrier of the block") {
  CHECK(exchange_races("", 32));
  CHECK(exchange_races("bar.warp.sync 0xffffffff;", 32));
  CHECK_FALSE(exchange_races("bar.sync 0;", 32));
  CHECK_FALSE(exchange_races("barrier.sync 3;", 32));
  CHECK_FALSE(exchange_races("bar.red.popc.u32 x, 0, q;", 32));
  const std::string message =
      race("setp.ge.u32 p, t, 32; @!p st.shared.u32 [s4], t; @p ld.shared.u32 x, [m];", 1, 64);
  CHECK(contains(message,
                 "block (0,0,0), thread (32,0,0): race, read after write: byte 0 of shared"));
  CHECK(contains(message, "after block (0,0,0), thread (0,0,0), PTX line"));
  CHECK(contains(message, "'@!p st.shared.u32 [s4+0], t'"));
}

TEST_CASE("shared memory: another lane's write is ordered by a barrier of the warp") {
  CHECK(exchange_races("", 1, 32));
  CHECK(exchange_races("shfl.sync.idx.b32 x, t, 0, 31, 0xffffffff;", 1, 32));
  CHECK_FALSE(exchange_races("bar.warp.sync 0xffffffff;", 1, 32));
  // Only the lanes of the mask are ordered.
  const std::string halves =
      "setp.lt.u32 p, t, 16; @p bra A; bar.warp.sync 0xffff0000; bra B; A: bar.warp.sync 0xffff; "
      "B:";
  CHECK_FALSE(exchange_races(halves, 1, 32));
  CHECK(exchange_races(halves, 16, 32));
}

TEST_CASE("shared memory: a write after a read of another thread is a race") {
  const std::string read = "setp.ge.u32 p, t, 32; @!p ld.shared.u32 x, [s4];",
                    write = "@p st.shared.u32 [m], 1;";
  CHECK(contains(race(read + write, 1, 64), "write after read"));
  CHECK_FALSE(races(read + "bar.sync 0;" + write, 1, 64));
}

TEST_CASE("unordered writes of the same value are no race") {
  CHECK_FALSE(races("st.shared.u32 [s], 7;", 1, 96));
  CHECK_FALSE(races("st.global.u32 [r], 7;", 5, 96));
  CHECK(contains(race("st.shared.u32 [s], t;", 1, 32), "write after write"));
  CHECK(races("st.global.u32 [r], b;", 2, 1));
}

TEST_CASE("bytes of one word may be written by different threads") {
  CHECK_FALSE(races("add.u32 s, s, t; cvt.u16.u32 h, t; st.shared.u8 [s], h;", 1, 64));
  CHECK_FALSE(races("mul.wide.u32 o, t, 2; add.u64 r, r, o; st.global.u16 [r], h;", 1, 64));
  // A wider access conflicts with them.
  CHECK(
      races("add.u32 s, s, t; cvt.u16.u32 h, t; st.shared.u8 [s], h; bar.warp.sync 0xffffffff;"
            "ld.shared.u32 x, [m+32];",
            1, 64));
}

TEST_CASE("named barriers order the threads that take part") {
  // Warp 0 writes and arrives; warp 1 waits and reads.
  const auto produce_consume = [](const std::string& after_arrival) {
    return races("setp.ne.u32 p, w, 0; @p bra READ; st.shared.u32 [s4], t; bar.arrive 1, 64;" +
                     after_arrival +
                     "bra END; READ: bar.sync 1, 64; xor.b32 s4, s4, 128; ld.shared.u32 x, [s4];"
                     "END:",
                 1, 64);
  };
  CHECK_FALSE(produce_consume(""));
  CHECK(produce_consume("add.u32 x, t, 1; st.shared.u32 [s4], x;"));
  // Warps 0 and 1 wait for each other; warp 2 takes no part.
  const std::string pair = "setp.ge.u32 p, t, 64; @!p bar.sync 2, 64;";
  CHECK_FALSE(races(
      "st.shared.u32 [s4], t;" + pair + "xor.b32 s4, s4, 128; @!p ld.shared.u32 x, [s4];", 1, 96));
  CHECK(races("st.shared.u32 [s4], t;" + pair + "@p ld.shared.u32 x, [m];", 1, 96));
}

TEST_CASE("threads that have exited are ordered by the next barrier of the others") {
  CHECK_FALSE(
      races("st.shared.u32 [s4], t; setp.lt.u32 p, t, 40; @p ret; bar.sync 0;"
            "ld.shared.u32 x, [m];",
            1, 64));
}

TEST_CASE("global memory: atomics do not race, and no barrier orders blocks") {
  CHECK_FALSE(races("atom.global.add.u32 x, [r], 1; ld.relaxed.gpu.global.u32 y, [r];", 4, 64));
  CHECK_FALSE(races("st.volatile.global.u32 [r], t; ld.volatile.global.u32 y, [r];", 4, 64));
  CHECK(races("atom.global.add.u32 x, [r], 1; ld.global.u32 y, [r];", 4, 64));
  CHECK(
      races("bar.sync 0; setp.eq.u32 p, b, 0; @p st.global.u32 [r], 5; bar.sync 0;"
            "ld.global.u32 x, [r];",
            2, 32));
  // The scope of an atomic must include the other thread.
  CHECK(races("atom.cta.global.add.u32 x, [r], 1;", 2, 1));
  CHECK_FALSE(races("atom.cta.global.add.u32 x, [r], 1;", 1, 64));
}

TEST_CASE("a write races with reads of other blocks, however many") {
  CHECK_FALSE(races("ld.global.u32 x, [r];", 200, 64));
  CHECK(races("ld.global.u32 x, [r]; setp.eq.u32 p, b, 199; @p st.global.u32 [r], 1;", 200, 64));
}

namespace {
// Thread 0 of block 0 sets a flag by `release` after thread `writer` has written; thread 0 of block
// 1 waits for it by `acquire` and reads.
bool message_passing_races(const std::string& release, const std::string& acquire, int writer = 0) {
  return races("setp.ne.u32 q, t, " + std::to_string(writer) +
                   "; setp.ne.u32 p, b, 0; @p bra READ; @!q st.global.u32 [r], 42;"
                   "setp.ne.u32 q, t, 0;" +
                   release + "bra END; READ: setp.ne.u32 q, t, 0; @q bra END;" + acquire +
                   "ld.global.u32 x, [r]; END:",
               2, 64);
}
const std::string until_set = " setp.eq.u32 p, y, 0; @p bra WAIT;";
}  // namespace

TEST_CASE("a release that an acquire reads orders blocks") {
  const std::string acquire = "WAIT: ld.acquire.gpu.global.u32 y, [r+64];" + until_set,
                    release = "@!q st.release.gpu.global.u32 [r+64], 1;";
  CHECK_FALSE(message_passing_races(release, acquire));
  CHECK(message_passing_races("@!q st.release.cta.global.u32 [r+64], 1;", acquire));
  CHECK(message_passing_races(release, "WAIT: ld.acquire.cta.global.u32 y, [r+64];" + until_set));
  CHECK(message_passing_races(release, "WAIT: ld.relaxed.gpu.global.u32 y, [r+64];" + until_set));
  CHECK(message_passing_races("@!q st.relaxed.gpu.global.u32 [r+64], 1;", acquire));
  // Writes of other threads are released after a barrier only.
  CHECK(message_passing_races(release, acquire, 40));
  CHECK_FALSE(message_passing_races("bar.sync 0;" + release, acquire, 40));
}

TEST_CASE("fences make releases and acquires of relaxed and volatile accesses") {
  const std::string fence = "fence.acq_rel.gpu;";
  const std::string write = "@!q st.volatile.global.u32 [r+64], 1;",
                    read = "WAIT: ld.volatile.global.u32 y, [r+64];" + until_set;
  CHECK_FALSE(message_passing_races(fence + write, read + fence));
  CHECK_FALSE(message_passing_races("membar.gl;" + write, read + "membar.gl;"));
  CHECK(message_passing_races(write, read + fence));
  CHECK(message_passing_races(fence + write, read));
  CHECK(message_passing_races("membar.cta;" + write, read + fence));
  CHECK(message_passing_races(fence + write, read + "membar.cta;"));
  CHECK_FALSE(message_passing_races("bar.sync 0;" + fence + write, read + fence, 40));
  CHECK_FALSE(message_passing_races(fence + "bar.sync 0;" + write, read + fence, 40));
}

TEST_CASE("the last block that arrives at an atomic counter may read what the others wrote") {
  const auto last_block = [](const std::string& fence) {
    return races("mul.wide.u32 o, b, 256; add.u64 r4, r4, o; st.global.u32 [r4+64], t;" + fence +
                     R"(bar.sync 0; setp.ne.u32 q, t, 0;
      @!q atom.global.add.u32 x, [r], 1; @!q st.shared.u32 [m], x; bar.sync 0;
      ld.shared.u32 x, [m]; setp.ne.u32 p, x, 7; @p bra END;)" +
                     fence + R"(mov.u32 u, 0; mul.wide.u32 o, t, 4; add.u64 r4, r, o;
      NEXT: ld.global.u32 y, [r4+64]; add.u64 r4, r4, 256; add.u32 u, u, 1;
      setp.lt.u32 p, u, 8; @p bra NEXT; END:)",
                 8, 64);
  };
  CHECK_FALSE(last_block("fence.acq_rel.gpu;"));
  CHECK(last_block(""));
  CHECK(last_block("fence.acq_rel.cta;"));
}

TEST_CASE("races may be reported without a fault") {
  const std::uint64_t before = Findings::instance().count("races");
  CHECK(race("st.shared.u32 [s], t;", 1, 4, Checks::Races::reported).empty());
  CHECK(Findings::instance().count("races") == before + 3);
}
