// Tests of the lexer and the parser.

#include <doctest/doctest.h>

#include "reader/error.hpp"
#include "reader/lexer.hpp"
#include "reader/module.hpp"
#include "run_ptx.hpp"

using namespace ptxemu;
using test::kernel_text;

namespace {
/// The message of the error that parsing gives.
std::string message_of(const std::string& text) {
  try {
    parse(text);
  } catch (const PtxError& error) {
    return error.what();
  }
  return "no error";
}
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
}  // namespace

TEST_CASE("integers and floating-point constants are parsed in all notations of PTX") {
  const auto tokens =
      tokenize("42 0x1F 017 0b101 0xFFFFFFFFFFFFFFFFU 0f3F800000 0d3FF0000000000000 1.5");
  const std::uint64_t expected[] = {
      42, 31, 15, 5, ~0ull, 0x3f800000, 0x3ff0000000000000, 0x3ff8000000000000};
  REQUIRE(tokens.size() == 9);
  for (std::size_t n = 0; n < 8; ++n) CHECK(tokens[n].bits == expected[n]);
  CHECK(tokens[5].kind == Token::Kind::f32);
  CHECK(tokens[7].kind == Token::Kind::f64);
}

TEST_CASE("comments are skipped, and tokens have line numbers") {
  const auto tokens = tokenize("a // b\n/* c\n d */ e");
  REQUIRE(tokens.size() == 3);
  CHECK(tokens[1].text == "e");
  CHECK(tokens[1].line == 3);
}

TEST_CASE("a module with variables, a function and a kernel is parsed") {
  const Module module = parse(R"(
.version 8.3
.target sm_90, debug
.address_size 64
.file 1 "a.cu", 12, 34
.visible .global .align 8 .u64 pointer = generic(table)+8;
.const .align 4 .f32 table[2][2] = {{0f3F800000, 0f40000000}, {0fBF800000}};
.extern .shared .align 16 .b8 dynamic[];
.global .align 16 .v4 .f32 quad;
.func (.param .b32 result) twice(.param .b32 x);
.func (.param .b32 result) twice(.param .b32 x)
{ .reg .b32 %r<3>; ld.param.b32 %r1, [x]; add.s32 %r2, %r1, %r1; st.param.b32 [result+0], %r2; ret; }
.visible .entry kernel(.param .u64 .ptr .global .align 8 a, .param .align 8 .b8 s[24])
.maxntid 128, 2 .minnctapersm 2
{
  .reg .pred %p<2>; .reg .b32 %r<4>, x; .reg .b64 %rd<2>;
  .shared .align 4 .b8 buffer[64];
  .loc 1 7 3
  .loc 1 8 3, function_name $L_info+4, inlined_at 1 9 1
  .pragma "nounroll";
  mov.u32 %r1, %tid.x;
  @!%p1 bra $L_end;
  { .reg .b32 %r1; .param .b32 p0; .param .b32 r0; st.param.b32 [p0], %r1; call.uni (r0), twice, (p0);
    ld.param.b32 x, [r0]; }
  ld.global.v2.u32 {%r2, _}, [%rd1+-8];
$L_end:
  setp.lt.and.s32 %p0|%p1, %r1, -3, !%p1;
  ret;
})");
  CHECK(module.version == "8.3");
  CHECK(module.target == "sm_90");
  REQUIRE(module.variables.size() == 4);
  CHECK(module.variables[0].values[0].generic);
  CHECK(module.variables[0].values[0].bits == 8);
  CHECK(module.variables[1].size == 16);
  CHECK(module.variables[1].values.size() == 3);
  CHECK(module.variables[2].size == 0);
  CHECK(module.variables[3].size == 16);
  REQUIRE(module.functions.size() == 2);
  CHECK(module.functions[0].defined);
  const Function& kernel = module.functions[1];
  CHECK(kernel.entry);
  CHECK(kernel.max_threads == 256);
  CHECK(kernel.parameters[1].size == 24);
  CHECK(kernel.body.size() == 8);
  CHECK(kernel.labels.at("$L_end") == 6);
  CHECK(kernel.body[1].guard_negated);
  // The register of the inner scope hides that of the function.
  CHECK(kernel.body[2].operands[1].reg != kernel.body[0].operands[0].reg);
  CHECK(kernel.body[5].operands[1].offset == -8);
  CHECK(kernel.body[5].operands[0].elements[1].kind == Operand::Kind::sink);
  CHECK(kernel.body[6].operands[0].second >= 0);
  CHECK(kernel.body[6].operands[3].negated);
  CHECK(to_string(kernel.body[6], kernel) == "setp.lt.and.s32 %p0|%p1, %r1, -3, !%p1");
}

TEST_CASE("labels of different scopes may have the same name") {
  const Module module = parse(kernel_text(0, "{ bra L; L: } { bra L; L: }"));
  const Function& kernel = module.functions[0];
  CHECK(kernel.body[0].operands[0].name != kernel.body[1].operands[0].name);
  CHECK(kernel.labels.size() == 2);
}

TEST_CASE("messages of errors contain the line and the reason") {
  CHECK(contains(message_of(".version 8.0\n.target sm_90\n#"), "line 3"));
  CHECK(contains(message_of(kernel_text(0, "mov.u32 %r1")), "expected ';'"));
  CHECK(contains(message_of(".version 8.0\n.target sm_90\n.address_size 32"), "64 bits"));
  CHECK(contains(message_of(".target sm_90"), "no .version"));
  CHECK(contains(message_of(kernel_text(0, "L: L:")), "defined twice"));
  CHECK(contains(message_of(".version 8.0\n.entry k() {"), "no end"));
}

TEST_CASE("an instruction that is not implemented gives an error that names it and the kernel") {
  DeviceMemory memory(1 << 20);
  const std::string declarations = ".reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<2>;";
  for (const std::string instruction :
       {"wgmma.fence.sync.aligned;", "add.strange.s32 %r1, %r2, %r3;", "add.s64 %rd1, %r2, %rd3;",
        "tex.1d.v4.f32.s32 {%f0, %f0, %f0, %f0}, [%rd1];"}) {
    CAPTURE(instruction);
    try {
      Program program(kernel_text(0, declarations + instruction), memory);
      program.kernel("k");
      FAIL("no error");
    } catch (const PtxError& error) {
      const std::string what = error.what();
      CHECK((contains(what, "not implemented") || contains(what, "line")));
      // The parser rejects the address of a texture and gives only the line.
      if (instruction.find("tex") == std::string::npos) CHECK(contains(what, "kernel k"));
    }
  }
}
