// Random programs with divergent branches and loops, compared with an interpreter that gives each
// thread its own registers: tests the sharing of registers, divergence and sparse warps together.

#include <array>
#include <random>

#include <doctest/doctest.h>

#include "run_ptx.hpp"

using namespace ptxemu;
using test::EmulatedDevice;
using test::kernel_text;

namespace {
using U32 = std::uint32_t;
using U64 = std::uint64_t;

constexpr int words = 24, longs = 12, halves = 8, predicates = 8;

enum class Kind {
  add,
  multiply_add,
  exclusive_or,
  shift,
  wide,
  add_long,
  narrow,
  pack,
  unpack,
  to_half,
  from_half,
  compare,
  select,
  combine,
  collect,
  branch,
  repeat,
  count
};

/// One instruction: registers d, a, b, c of the kind's types, a constant, and the guard.
struct Step {
  Kind kind = Kind::add;
  int d = 0, a = 0, b = 0, c = 0, guard = -1;
  bool negated = false;
  U32 constant = 0;
  int target = 0;  ///< of branch and repeat: the number of a step
};
using Steps = std::vector<Step>;

Steps random_steps(std::uint64_t seed, int count) {
  std::mt19937_64 engine(seed);
  const auto below = [&](int n) { return static_cast<int>(engine() % static_cast<U64>(n)); };
  Steps steps;
  for (int n = 0; n < count; ++n) {
    Step step;
    step.kind = static_cast<Kind>(below(static_cast<int>(Kind::count)));
    step.d = below(words), step.a = below(words), step.b = below(words), step.c = below(words);
    if (below(3) == 0) step.guard = below(predicates);
    step.negated = below(2) == 0;
    step.constant = static_cast<U32>(engine());
    if (step.kind == Kind::branch) {
      step.guard = below(predicates);
      step.target = n + 1 + below(std::min(12, count - n));
    }
    if (step.kind == Kind::repeat) step.guard = -1, step.target = below(n + 1);
    steps.push_back(step);
  }
  return steps;
}

/// The name of register or label `n`.
std::string named(char letter, std::size_t n) {
  std::string name(1, letter);
  return name += std::to_string(n);
}
std::string named(char letter, int n) { return named(letter, static_cast<std::size_t>(n)); }

std::string text_of(const Steps& steps) {
  std::string text =
      ".reg .b32 w<24>, c<200>, x, t; .reg .b64 l<12>, r, s; .reg .b16 h<8>; .reg .pred g<8>, q;\n"
      "mov.u32 t, %tid.x; mov.u32 w0, t; mul.lo.u32 w1, t, 0x9e3779b9; mov.u32 x, 0;\n"
      "ld.param.u64 r, [p0]; mul.wide.u32 s, t, 4; add.u64 r, r, s;\n";
  for (std::size_t n = 0; n <= steps.size(); ++n) {
    text += named('L', n) + ": ";
    if (n == steps.size()) break;
    const Step& step = steps[n];
    const auto w = [](int k) { return named('w', k); };
    const auto l = [](int k) { return named('l', k % longs); };
    const auto h = [](int k) { return named('h', k % halves); };
    const auto p = [](int k) { return named('g', k % predicates); };
    if (step.guard >= 0) text += std::string(step.negated ? "@!" : "@") + p(step.guard) + " ";
    const std::string d = w(step.d), a = w(step.a), b = w(step.b), c = w(step.c);
    switch (step.kind) {
      case Kind::add:
        text += "add.u32 " + d + ", " + a + ", " + std::to_string(step.constant);
        break;
      case Kind::multiply_add:
        text += "mad.lo.u32 " + d + ", " + a + ", " + b + ", " + c;
        break;
      case Kind::exclusive_or:
        text += "xor.b32 " + d + ", " + a + ", " + b;
        break;
      case Kind::shift:
        text += "shr.u32 " + d + ", " + a + ", " + std::to_string(step.constant % 32);
        break;
      case Kind::wide:
        text += "mul.wide.u32 " + l(step.d) + ", " + a + ", " + b;
        break;
      case Kind::add_long:
        text += "add.u64 " + l(step.d) + ", " + l(step.a) + ", " + l(step.b);
        break;
      case Kind::narrow:
        text += "cvt.u32.u64 " + d + ", " + l(step.a);
        break;
      case Kind::pack:
        text += "mov.b64 " + l(step.d) + ", {" + a + ", " + b + "}";
        break;
      case Kind::unpack:
        text += "mov.b64 {" + d + ", " + w((step.d + 1) % words) + "}, " + l(step.a);
        break;
      case Kind::to_half:
        text += "cvt.u16.u32 " + h(step.d) + ", " + a;
        break;
      case Kind::from_half:
        text += "mad.wide.u16 " + d + ", " + h(step.a) + ", " + h(step.b) + ", " + c;
        break;
      case Kind::compare:
        text += "setp.lt.u32 " + p(step.d) + "|" + p(step.d + 1) + ", " + a + ", " + b;
        break;
      case Kind::select:
        text += "selp.b32 " + d + ", " + a + ", " + b + ", " + p(step.c);
        break;
      case Kind::combine:
        text += "and.pred " + p(step.d) + ", " + p(step.a) + ", !" + p(step.b);
        break;
      case Kind::collect:
        text += "mad.lo.u32 x, x, 31, " + a;
        break;
      case Kind::branch:
        text += "bra " + named('L', step.target);
        break;
      default:  // repeat: at most twice in each thread
        text += "add.u32 " + named('c', n) + ", " + named('c', n) + ", 1; setp.lt.u32 q, " +
                named('c', n) + ", 3; @q bra " + named('L', step.target);
    }
    text += ";\n";
  }
  return kernel_text(1, text + "st.global.u32 [r], x;");
}

/// What thread t stores.
U32 interpret(const Steps& steps, U32 t) {
  std::array<U32, words> w{};
  std::array<U64, longs> l{};
  std::array<std::uint16_t, halves> h{};
  std::array<bool, predicates> p{};
  std::vector<int> repeated(steps.size());
  U32 x = 0;
  w[0] = t, w[1] = t * 0x9e3779b9u;
  const auto at = [](auto& registers, int n) -> auto& {
    return registers[static_cast<std::size_t>(n) % registers.size()];
  };
  for (std::size_t n = 0; n < steps.size(); ++n) {
    const Step& step = steps[n];
    if (step.guard >= 0 && at(p, step.guard) == step.negated) continue;
    const U32 a = at(w, step.a), b = at(w, step.b), c = at(w, step.c);
    U32& d = at(w, step.d);
    const U64 long_a = at(l, step.a), long_b = at(l, step.b);
    switch (step.kind) {
      case Kind::add:
        d = a + step.constant;
        break;
      case Kind::multiply_add:
        d = a * b + c;
        break;
      case Kind::exclusive_or:
        d = a ^ b;
        break;
      case Kind::shift:
        d = a >> (step.constant % 32);
        break;
      case Kind::wide:
        at(l, step.d) = U64{a} * b;
        break;
      case Kind::add_long:
        at(l, step.d) = long_a + long_b;
        break;
      case Kind::narrow:
        d = static_cast<U32>(long_a);
        break;
      case Kind::pack:
        at(l, step.d) = (U64{b} << 32) | a;
        break;
      case Kind::unpack:
        d = static_cast<U32>(long_a), at(w, step.d + 1) = static_cast<U32>(long_a >> 32);
        break;
      case Kind::to_half:
        at(h, step.d) = static_cast<std::uint16_t>(a);
        break;
      case Kind::from_half:
        d = U32{at(h, step.a)} * at(h, step.b) + c;
        break;
      case Kind::compare:
        at(p, step.d) = a < b, at(p, step.d + 1) = !(a < b);
        break;
      case Kind::select:
        d = at(p, step.c) ? a : b;
        break;
      case Kind::combine:
        at(p, step.d) = at(p, step.a) && !at(p, step.b);
        break;
      case Kind::collect:
        x = x * 31 + a;
        break;
      case Kind::branch:
        n = static_cast<std::size_t>(step.target) - 1;
        break;
      default:
        if (++repeated[n] < 3) n = static_cast<std::size_t>(step.target) - 1;
    }
  }
  return x;
}
}  // namespace

TEST_CASE("random programs with divergent branches and loops give the results of single threads") {
  constexpr U32 threads = 90;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const Steps steps = random_steps(seed, 20 + static_cast<int>(seed % 80));
    EmulatedDevice device;
    const std::uint64_t out = device.upload(std::vector<U32>(threads));
    device.run(text_of(steps), {1, 1, 1}, {threads, 1, 1}, {out});
    const auto found = device.download<U32>(out, threads);
    for (U32 t = 0; t < threads; ++t) REQUIRE(found[t] == interpret(steps, t));
  }
}

TEST_CASE("registers whose values are not needed at the same time share a slot") {
  // A chain of 1,000 registers, of which two at a time are live.
  std::string body = ".reg .b32 a<1001>; mov.u32 a0, 1;";
  for (int n = 0; n < 1000; ++n)
    body += "add.u32 " + named('a', n + 1) + ", " + named('a', n) + ", 1;";
  DeviceMemory memory(1 << 20);
  Program program(kernel_text(0, body), memory);
  CHECK(program.kernel("k").register_bytes <= 3 * 4 * warp_size);
}

TEST_CASE(
    "a register that is live in one branch only keeps its value while the other one executes") {
  // y is live during both sides for the lanes of the first one; z reuses no slot of it there.
  EmulatedDevice device;
  const std::uint64_t out = device.upload(std::vector<U32>(32));
  device.run(kernel_text(1, R"(.reg .pred p; .reg .b32 t, x, y, z; .reg .u64 r, s;
    mov.u32 t, %tid.x; ld.param.u64 r, [p0]; mul.wide.u32 s, t, 4; add.u64 r, r, s;
    and.b32 x, t, 1; setp.eq.u32 p, x, 0; @p bra EVEN;
    mov.u32 z, 7; add.u32 z, z, t; add.u32 x, z, 100; bra END;
    EVEN: mov.u32 y, 3; bar.warp.sync 0x55555555; add.u32 x, y, t;
    END: st.global.u32 [r], x;)"),
             {1, 1, 1}, {32, 1, 1}, {out});
  const auto found = device.download<U32>(out, 32);
  for (U32 t = 0; t < 32; ++t) CHECK(found[t] == (t % 2 == 0 ? 3 + t : 107 + t));
}
