// Tests of the check for reads of uninitialised registers.

#include <doctest/doctest.h>

#include "run_ptx.hpp"

using namespace ptxemu;
using test::EmulatedDevice;
using test::kernel_text;

namespace {
/// The message of the fault of a kernel with parameter p0, the address of an element of 8 bytes;
/// empty: none. Thread t of 64 is in register t.
std::string fault_of(const std::string& body, const std::string& declarations = "") {
  const std::string start = R"(.reg .pred p, q, r; .reg .b32 t, x, y, z; .reg .b64 d, e;
    .local .align 8 .b8 l[16]; mov.u32 t, %tid.x; ld.param.u64 d, [p0]; mul.wide.u32 e, t, 8;
    add.u64 d, d, e;)";
  EmulatedDevice device;
  device.checks.initialised = true;
  try {
    device.run(kernel_text(1, start + body, declarations), {1, 1, 1}, {64, 1, 1},
               {device.upload(std::vector<std::uint64_t>(64))});
  } catch (const Fault& fault) {
    if (fault.kind() != Fault::Kind::uninitialised_read) throw;
    return fault.what();
  }
  return "";
}
bool faults(const std::string& body, const std::string& declarations = "") {
  return !fault_of(body, declarations).empty();
}
const std::string store = "st.global.u32 [d], x;";
}  // namespace

TEST_CASE("a register that is stored, addresses memory or decides must have been written") {
  CHECK(faults(store));
  CHECK_FALSE(faults("mov.u32 x, 1;" + store));
  CHECK(faults(".reg .b64 u; ld.global.u32 x, [u];"));
  CHECK(faults("@p add.u32 t, t, 1;"));
  CHECK(faults("@p bra end; add.u32 t, t, 1; end:"));
  CHECK(faults("atom.global.add.u32 y, [d], x;"));
  CHECK(faults("red.global.add.u32 [d], x;"));
  CHECK(faults("bar.sync x;"));
  CHECK(faults("vote.sync.any.pred q, p, -1;"));
  CHECK(faults("bar.red.or.pred q, 0, p;"));
  CHECK_FALSE(faults("setp.eq.u32 p, t, 3; bar.red.popc.u32 x, 0, p;" + store));
}

TEST_CASE("the message names instruction, register and thread") {
  const std::string text =
      fault_of("setp.lt.u32 p, t, 40; @p mov.u32 x, 1; add.u32 y, x, t; st.global.u32 [d], y;");
  CHECK(text.find("the register y has not been written, or was computed") != std::string::npos);
  CHECK(text.find("'st.global.u32 [d") != std::string::npos);
  CHECK(text.find("thread (40,0,0)") != std::string::npos);
}

TEST_CASE("each lane must write its register, on every path") {
  const std::string some = "setp.lt.u32 p, t, 40;";
  CHECK(faults(some + "@p mov.u32 x, 1;" + store));
  CHECK_FALSE(faults(some + "@p mov.u32 x, 1; @!p mov.u32 x, 2;" + store));
  CHECK_FALSE(faults(some + "@p mov.u32 x, 1; @p st.global.u32 [d], x;"));
  CHECK(faults(some + "@p bra a; mov.u32 x, 1; a:" + store));
  CHECK_FALSE(faults(some + "@p bra a; mov.u32 x, 1; bra b; a: mov.u32 x, 2; b:" + store));
  // A loop reads what its first turn wrote.
  CHECK_FALSE(
      faults("mov.u32 y, 0; a: setp.eq.u32 p, y, 0; @p mov.u32 x, t; add.u32 x, x, 1;"
             "add.u32 y, y, 1; setp.lt.u32 q, y, 3; @q bra a;" +
             store));
  CHECK(
      faults("mov.u32 y, 0; a: setp.eq.u32 p, y, 1; @p mov.u32 x, t; add.u32 z, x, 1;"
             "st.global.u32 [d], z; add.u32 y, y, 1; setp.lt.u32 q, y, 3; @q bra a;"));
}

TEST_CASE("results of uninitialised operands are uninitialised, and no fault unless used") {
  CHECK_FALSE(faults("add.u32 y, x, 1; mul.lo.u32 z, y, y;"));
  CHECK(faults("add.u32 y, x, 1; mul.lo.u32 x, y, y;" + store));
  CHECK_FALSE(faults("add.u32 y, x, 1; mov.u32 x, 2;" + store));
  CHECK(faults("cvt.u64.u32 e, x; ld.global.u32 y, [e];"));
  CHECK(faults("setp.eq.u32 p, x, 1; @p bra end; end:"));
}

TEST_CASE("selections are uninitialised if what they select is") {
  const std::string some = "setp.lt.u32 p, t, 40; @p mov.u32 y, 1;";
  CHECK_FALSE(faults(some + "selp.u32 x, y, 2, p;" + store));
  CHECK(faults(some + "selp.u32 x, 2, y, p;" + store));
  CHECK(faults(some + "selp.u32 x, 2, 3, q;" + store));
}

TEST_CASE("predicates are initialised where an initialised operand determines them") {
  const std::string some = "setp.lt.u32 p, t, 40; @p setp.eq.u32 q, t, 3;";
  CHECK_FALSE(faults(some + "and.pred r, p, q; @r mov.u32 x, 1;"));
  CHECK_FALSE(faults(some + "not.pred p, p; or.pred r, q, p; @r mov.u32 x, 1;"));
  CHECK(faults(some + "or.pred r, p, q; @r mov.u32 x, 1;"));
  CHECK(faults(some + "not.pred p, p; and.pred r, q, p; @r mov.u32 x, 1;"));
}

TEST_CASE("a value of which a part is initialised counts as initialised") {
  CHECK_FALSE(faults("mov.b64 e, {t, x}; st.global.b64 [d], e;"));
  CHECK(faults("mov.b64 e, {y, x}; st.global.b64 [d], e;"));
  CHECK_FALSE(faults("prmt.b32 x, t, y, 0x3210;" + store));
}

TEST_CASE("copies through local memory stay uninitialised, and calls start with new registers") {
  CHECK(faults("st.local.u32 [l], x; ld.local.u32 y, [l]; add.u32 y, y, 1;"));
  CHECK_FALSE(faults("st.local.u32 [l], t; ld.local.u32 x, [l];" + store));
  const std::string call =
      "{ .param .b32 a; .param .b32 o; st.param.b32 [a], t;"
      "call.uni (o), f, (a); ld.param.b32 x, [o]; } " +
      store;
  const auto function = [](const std::string& body) {
    return ".func (.param .b32 res) f(.param .b32 n) { .reg .pred p; .reg .b32 a, b;"
           "ld.param.b32 a, [n]; setp.eq.u32 p, a, 77;" +
           body + "st.param.b32 [res], a; ret; }";
  };
  CHECK_FALSE(faults(call + call, function("@p mov.u32 b, a; @p add.u32 a, a, b;")));
  CHECK(faults(call, function("@!p bra s; mov.u32 b, a; s: setp.eq.u32 p, b, 1; @p bra e; e:")));
}
