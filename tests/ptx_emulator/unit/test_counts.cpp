// Tests the counts of memory traffic, atomics and instructions on kernels whose counts are known.

#include <doctest/doctest.h>

#include "exec/profile.hpp"
#include "run_ptx.hpp"

using namespace ptxemu;
using test::EmulatedDevice;
using test::kernel_text;

namespace {
// Before the tested instructions: t is the number of the thread in its block, r an address of 64
// KiB of global memory, s that of shared memory.
const std::string start = R"(
.reg .pred p; .reg .b32 t, x, y, s; .reg .f64 d; .reg .u64 r, o, q; .shared .align 16 .b8 m[8192];
.local .align 8 .b8 l[64];
mov.u32 t, %tid.x; ld.param.u64 r, [p0]; mov.u32 s, m; mov.u32 x, 1;
)";

struct Result {
  TrafficCounts traffic;
  std::map<std::string, std::uint64_t> opcodes;
  KernelProfile::Dependences dependences;
  const AccessCounts& of(Memory memory, AccessKind kind) const {
    return traffic.accesses[static_cast<int>(memory)][static_cast<int>(kind)];
  }
};

/// Counts of a launch of `blocks` blocks with 4 KiB of L1 each.
Result run(const std::string& body, std::uint32_t threads = 32, std::uint32_t blocks = 1,
           std::uint64_t l2_bytes = 1 << 20) {
  EmulatedDevice device;
  Program program(kernel_text(1, start + body), device.memory, true);
  Launch launch;
  launch.kernel = &program.kernel("k");
  launch.grid = {blocks, 1, 1};
  launch.block = {threads, 1, 1};
  launch.memory = &device.memory;
  launch.functions = &program.functions();
  const std::uint64_t memory = device.upload(std::vector<std::uint8_t>(1 << 16));
  launch.parameters.resize(8);
  std::memcpy(launch.parameters.data(), &memory, 8);
  KernelProfile profile;
  SectorCache l2(l2_bytes);
  launch.profile = &profile;
  profile.begin_launch(launch, 4096, l2);
  run_grid(launch);
  profile.end_launch();
  return {profile.traffic, profile.opcodes(), profile.dependences()};
}

/// An access to global memory in which thread t uses byte `stride` * t + `offset`.
std::string strided(int stride, int offset, const std::string& access) {
  return "mul.wide.u32 o, t, " + std::to_string(stride) + "; add.u64 q, r, o; add.u64 q, q, " +
         std::to_string(offset) + "; " + access;
}
}  // namespace

TEST_CASE("a request counts each sector of 32 bytes once") {
  struct Row {
    int stride, offset;
    const char* access;
    std::uint64_t sectors, bytes;
  };
  const Row rows[] = {{4, 0, "ld.global.u32 y, [q];", 4, 128},
                      {4, 16, "ld.global.u32 y, [q];", 5, 128},
                      {8, 0, "ld.global.f64 d, [q];", 8, 256},
                      {16, 0, "ld.global.v4.u32 {x, y, x, y}, [q];", 16, 512},
                      {32, 0, "ld.global.u32 y, [q];", 32, 128},
                      {0, 0, "ld.u32 y, [q];", 1, 128}};
  for (const Row& row : rows) {
    CAPTURE(row.stride);
    const Result result = run(strided(row.stride, row.offset, row.access));
    const AccessCounts& loads = result.of(Memory::global, AccessKind::load);
    CHECK(loads.requests == 1);
    CHECK(loads.parts == row.sectors);
    CHECK(loads.bytes == row.bytes);
    CHECK(result.traffic.l2_reads == row.sectors);
    CHECK(result.traffic.dram_reads == row.sectors);
  }
  const Result store = run(strided(8, 0, "st.global.u32 [q], x;"));
  CHECK(store.of(Memory::global, AccessKind::store).parts == 8);
  CHECK(store.traffic.l2_writes == 8);
}

TEST_CASE("lanes that a guard excludes are not counted") {
  const Result result = run("setp.lt.u32 p, t, 8; " + strided(4, 0, "@p ld.global.u32 y, [q];"));
  CHECK(result.of(Memory::global, AccessKind::load).parts == 1);
  CHECK(result.of(Memory::global, AccessKind::load).bytes == 32);
}

TEST_CASE("a sector that its block has loaded is read from L1, and one of another block from L2") {
  const std::string load = "ld.global.u32 y, [q]; ";
  const Result twice = run(strided(4, 0, load + load));
  CHECK(twice.of(Memory::global, AccessKind::load).parts == 8);
  CHECK(twice.traffic.l2_reads == 4);
  const Result uncached = run(strided(4, 0, load + "ld.volatile.global.u32 y, [q];"));
  CHECK(uncached.traffic.l2_reads == 8);
  CHECK(uncached.traffic.dram_reads == 4);
  const Result blocks = run(strided(4, 0, load), 32, 3);
  CHECK(blocks.traffic.l2_reads == 12);
  CHECK(blocks.traffic.dram_reads == 4);
}

TEST_CASE("written sectors that L2 replaces are written to DRAM") {
  // 256 sectors, of which an L2 of 1 KiB keeps 32.
  const Result result = run(strided(32, 0, "st.global.u32 [q], x;"), 256, 1, 1024);
  CHECK(result.traffic.l2_writes == 256);
  CHECK(result.traffic.dram_writes == 256 - 32);
  CHECK(result.traffic.dram_reads == 0);
}

TEST_CASE("bank conflicts are wavefronts beyond those of a request without conflicts") {
  struct Row {
    int stride;
    const char* access;
    std::uint64_t wavefronts, extra;
  };
  const Row rows[] = {{4, "ld.shared.u32 y, [s];", 1, 0},
                      {8, "ld.shared.u32 y, [s];", 2, 1},
                      {128, "ld.shared.u32 y, [s];", 32, 31},
                      {132, "ld.shared.u32 y, [s];", 1, 0},
                      {0, "ld.shared.u32 y, [s];", 1, 0},
                      {8, "ld.shared.f64 d, [s];", 2, 0},
                      {128, "st.shared.u32 [s], x;", 32, 31},
                      {1, "ld.shared.u8 y, [s];", 1, 0},
                      {16, "st.shared.v4.u32 [s], {x, x, x, x};", 4, 0}};
  for (const Row& row : rows) {
    CAPTURE(row.stride);
    CAPTURE(row.access);
    const Result result =
        run("mad.lo.u32 s, t, " + std::to_string(row.stride) + ", s;" + row.access);
    const bool load = row.access[0] == 'l';
    const AccessCounts& counts =
        result.of(Memory::shared, load ? AccessKind::load : AccessKind::store);
    CHECK(counts.requests == 1);
    CHECK(counts.parts == row.wavefronts);
    CHECK(counts.extra == row.extra);
  }
}

TEST_CASE("atomics in shared memory on one word are executed one after another") {
  const Result one = run("atom.shared.add.u32 y, [s], 1;");
  CHECK(one.of(Memory::shared, AccessKind::atomic).parts == 32);
  const Result eight =
      run("and.b32 y, t, 7; mad.lo.u32 s, y, 4, s; atom.shared.add.u32 y, [s], 1;");
  CHECK(eight.of(Memory::shared, AccessKind::atomic).parts == 4);
}

TEST_CASE("atomics are counted by address") {
  // 2 blocks of 64 threads on 4 addresses, and one more on the first.
  const Result result =
      run("and.b32 y, t, 3; mul.wide.u32 o, y, 4; add.u64 q, r, o; red.global.add.u32 [q], 1;"
          "setp.eq.u32 p, t, 0; @p atom.global.add.u32 y, [r], 1;",
          64, 2);
  CHECK(result.traffic.atomics == 130);
  CHECK(result.traffic.addresses == 4);
  CHECK(result.traffic.max_on_address == 34);
  CHECK(result.of(Memory::global, AccessKind::atomic).requests == 6);
  CHECK(result.traffic.l2_atomics == 6);
}

TEST_CASE("words of local memory of the lanes of a warp are adjacent") {
  const Result result = run("st.local.u32 [l+8], x; ld.local.u32 y, [l+8]; ld.local.f64 d, [l+8];");
  CHECK(result.of(Memory::local, AccessKind::store).parts == 4);
  CHECK(result.of(Memory::local, AccessKind::load).parts == 4 + 8);
  CHECK(result.of(Memory::global, AccessKind::load).requests == 0);
  CHECK(result.traffic.l2_reads == 4);  // only the word that was not stored
}

TEST_CASE("executions are counted by opcode, and dependences on loads") {
  const Result result = run(strided(4, 0,
                                    "ld.global.u32 x, [q]; ld.global.u32 y, [q+4]; add.u32 x, x, y;"
                                    "mul.lo.u32 x, x, x; mul.lo.u32 y, y, y;"),
                            64, 3);
  CHECK(result.opcodes.at("ld.global.u32") == 12);
  CHECK(result.opcodes.at("mul.lo.u32") == 12);
  CHECK(result.dependences.waits_for_loads == 6);  // the sum, for both loads
  // both sums of addresses, and the first product on the sum
  CHECK(result.dependences.on_previous[static_cast<int>(Unit::integer)] == 6 * 3);
}

TEST_CASE("a program without counts has none, and the same results") {
  EmulatedDevice device;
  const std::string text = kernel_text(1, start + "st.global.u32 [r], 7;");
  Program plain(text, device.memory), counting(text, device.memory, true);
  CHECK(plain.kernel("k").counted.empty());
  CHECK(counting.kernel("k").counted.size() == counting.kernel("k").ops.size());
}
