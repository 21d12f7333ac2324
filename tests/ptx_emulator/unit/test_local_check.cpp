// Tests of the check for reads of uninitialised local memory.

#include <doctest/doctest.h>

#include "run_ptx.hpp"

using namespace ptxemu;
using test::EmulatedDevice;
using test::kernel_text;

namespace {
/// Whether the kernel reads uninitialised memory; local memory `l` has 64 bytes.
bool reads_uninitialised(const std::string& body, const std::string& declarations = "") {
  const std::string start = R"(.local .align 8 .b8 l[64]; .reg .pred p; .reg .b32 t, x, y;
    .reg .b64 d, e; mov.u32 t, %tid.x;)";
  EmulatedDevice device;
  device.checks.initialised = true;
  try {
    device.run(kernel_text(0, start + body, declarations), {1, 1, 1}, {64, 1, 1}, {});
  } catch (const Fault& fault) {
    if (fault.kind() != Fault::Kind::uninitialised_read) throw;
    return true;
  }
  return false;
}
}  // namespace

TEST_CASE("local memory must be written before it is read, by the same thread") {
  CHECK(reads_uninitialised("ld.local.u32 x, [l+8]; add.u32 x, x, 1;"));
  CHECK(reads_uninitialised("st.local.u32 [l+4], t; ld.local.u32 x, [l+8]; add.u32 x, x, 1;"));
  CHECK_FALSE(
      reads_uninitialised("st.local.u32 [l+8], t; ld.local.u32 x, [l+8]; add.u32 x, x, 1;"));
  CHECK(reads_uninitialised(
      "setp.ne.u32 p, t, 40; @p st.local.u32 [l], t; ld.local.u32 x, [l]; add.u32 x, x, 1;"));
  CHECK(reads_uninitialised("cvta.local.u64 d, l; ld.u32 x, [d]; add.u32 x, x, 1;"));
  CHECK(reads_uninitialised("st.local.u32 [l], t; ld.local.v2.u32 {x, y}, [l]; add.u32 x, x, y;"));
}

TEST_CASE("an element of which a part has been written may be read, as copies of padding do") {
  CHECK_FALSE(reads_uninitialised("st.local.u32 [l], t; ld.local.u64 d, [l]; add.u64 d, d, 1;"));
}

TEST_CASE("an uninitialised value may be copied, and the copy is uninitialised") {
  const std::string copy =
      "ld.local.v2.u32 {x, y}, [l]; st.local.u32 [l+16], x;"
      "st.local.u32 [l+20], y;";
  CHECK_FALSE(reads_uninitialised(copy));
  CHECK(reads_uninitialised(copy + "ld.local.u32 t, [l+20]; add.u32 t, t, 1;"));
  CHECK_FALSE(reads_uninitialised("st.local.u32 [l+4], t;" + copy +
                                  "ld.local.u32 t, [l+20]; add.u32 t, t, 1;"));
}

TEST_CASE("local memory of a function is uninitialised at each call, and arguments are copied") {
  const std::string call =
      "{ .param .b32 a; .param .b32 r; st.param.b32 [a], t;"
      "call.uni (r), f, (a); ld.param.b32 x, [r]; add.u32 x, x, 1; }";
  const auto function = [](const std::string& body) {
    return ".func (.param .b32 res) f(.param .b32 n) { .local .align 4 .b8 v[4]; .reg .b32 a;" +
           body + "ret; }";
  };
  CHECK_FALSE(reads_uninitialised(
      call + call, function("ld.param.b32 a, [n]; st.local.u32 [v], a; ld.local.u32 a, [v];"
                            "st.param.b32 [res], a;")));
  CHECK(reads_uninitialised(
      call + call, function("ld.param.b32 a, [n]; st.param.b32 [res], a; ld.local.u32 a, [v];"
                            "add.u32 a, a, 1; st.local.u32 [v], a;")));
  CHECK(reads_uninitialised(call, function("")));
}
