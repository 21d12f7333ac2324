#include "oracle/forms.hpp"

#include <cstring>
#include <random>

#include <doctest/doctest.h>

#include "run_ptx.hpp"

namespace ptxemu::oracle {
namespace {

constexpr std::size_t thread_count = 1024;
constexpr U64 unchanged = 0x5a5aa5a5c3c33c3cu;  ///< the value of d before the instruction

const std::vector<U64>& special_integers() {
  static const std::vector<U64> values = [] {
    std::vector<U64> list = {2, 3, 5, 7, 31, 32, 33, 63, 64, 65, 0x1f1f, 0x0102030405060708};
    for (int bit = 0; bit <= 63; bit += bit == 62 ? 1 : (bit % 8 == 7 ? 1 : 7))
      for (const int offset : {-1, 0, 1})
        list.push_back((U64{1} << bit) + static_cast<U64>(offset));
    list.push_back(~U64{0});
    return list;
  }();
  return values;
}

const std::vector<U64>& special_floats(Format f) {
  static std::vector<U64> by_width[4];
  std::vector<U64>& list = by_width[f.bits() == 64     ? 3
                                    : f.bits() == 32   ? 2
                                    : f.mantissa == 10 ? 1
                                                       : 0];
  if (!list.empty()) return list;
  const U64 infinite = ((U64{1} << f.exponent) - 1) << f.mantissa, smallest = U64{1} << f.mantissa;
  const U64 one = ((U64{1} << (f.exponent - 1)) - 1) << f.mantissa;
  std::vector<U64> positive = {0,
                               1,
                               2,
                               smallest - 1,
                               smallest,
                               one,
                               one + 1,
                               one - 1,
                               infinite - 1,
                               infinite,
                               infinite + 1,
                               infinite + smallest / 2,
                               infinite + smallest / 2 + 5,
                               one + smallest / 2,
                               one - smallest,
                               one + smallest};
  for (const int power : {2, 4, 7, 8, 15, 16, 23, 24, 31, 32, 52, 53, 63, 64})
    for (const int sign : {-1, 0, 1}) {
      // 2^power, 2^power - 1/2 and 2^power + 1/2, as far as the format has them
      const Number number =
          sum(Number{Number::Kind::finite, false, 1, power, false},
              Number{Number::Kind::finite, sign < 0, sign == 0 ? 0u : 1u, -1, false},
              Rounding::nearest);
      positive.push_back(encode(number, f, Rounding::zero));
    }
  for (const U64 value : positive)
    for (const U64 sign : {U64{0}, U64{1} << (f.bits() - 1)}) list.push_back(value | sign);
  return list;
}

/// Draws bits for a register: special values, random bits, small integers, or floating-point
/// numbers of moderate size.
class Draw {
 public:
  explicit Draw(U64 seed) : engine_(seed) {}
  U64 operator()(const std::string& type) {
    const int bits = bits_of(type);
    const U64 random = engine_();
    if (type[0] == 'f') return floating(format_of(type), random);
    switch (engine_() % 4) {
      case 0:
        return low_bits(special_integers()[random % special_integers().size()], bits);
      case 1:
        return low_bits(random % 80, bits);
      case 2:
        return low_bits(random >> (engine_() % 64), bits);
      default:
        return low_bits(random, bits);
    }
  }

 private:
  U64 floating(Format f, U64 random) {
    const U64 kind = engine_() % 4;
    if (kind == 0) return special_floats(f)[random % special_floats(f).size()];
    if (kind == 1) return low_bits(random, f.bits());
    // 2^-4 to 2^40, so that numbers are added with several bits in common, or converted to integers
    const U64 bias = (U64{1} << (f.exponent - 1)) - 1, range = f.exponent < 8 ? 12 : 44;
    const U64 exponent = bias - 4 + engine_() % range;
    const U64 fraction = kind == 2 ? random : random << (engine_() % 40);
    return (low_bits(fraction, f.mantissa) | (exponent << f.mantissa)) |
           ((random >> 63) << (f.bits() - 1));
  }
  std::mt19937_64 engine_;
};

std::string load_type(const std::string& type) {
  return type[0] == 'f' ? type : "b" + type.substr(1);
}

/// The kernel: loads a, b, c and the guard, executes the instruction, and stores d.
std::string kernel(const Form& form, int variant) {
  const std::string types[3] = {form.a, form.b, form.c};
  std::string text =
      ".reg .pred p, q, guard;\n.reg .b32 t, t1, g;\n.reg .u64 r, s, offset;\n.reg ." + form.d +
      " d;\nmov.u32 t, %tid.x; mul.wide.u32 offset, t, 8;\n";
  for (int n = 0; n < 3; ++n) {
    const std::string name(1, static_cast<char>('a' + n)), type = load_type(types[n]);
    text += ".reg ." + types[n] + " " + name + "; ld.param.u64 r, [p" + std::to_string(n) +
            "]; add.u64 r, r, offset; ld.global." + type + " " + name + ", [r];\n";
  }
  text +=
      "ld.param.u64 r, [p3]; add.u64 r, r, offset; ld.global.b32 g, [r];\n"
      "setp.ne.u32 guard, g, 0; ld.param.u64 s, [p4]; add.u64 s, s, offset; ld.global." +
      load_type(form.d) + " d, [s];\n";
  const bool is_block = form.instruction[0] == '{';
  if (variant == 0) text += form.instruction;
  if (variant == 1)
    text += is_block ? "@guard bra RUN; bra DONE; RUN: " + form.instruction + " DONE:"
                     : "@guard " + form.instruction;
  if (variant == 2)
    text += is_block ? "@!guard bra DONE; " + form.instruction + " DONE:"
                     : "not.pred guard, guard; @!guard " + form.instruction;
  if (variant == 3)
    text +=
        "{ .reg .pred odd; and.b32 t1, t, 1; setp.ne.u32 odd, t1, 0;\n"
        "@!guard bra DONE; @odd bra ODD; " +
        form.instruction + " bra DONE; ODD: " + form.instruction + " DONE: }";
  return text + "\nst.global." + load_type(form.d) + " [s], d;";
}

/// Runs the kernel for a, b, c, the guard and the initial values of d; returns d. All runs use the
/// same device and allocations, which are expensive to make.
std::vector<U64> run(const Form& form, int variant,
                     const std::vector<const std::vector<U64>*>& columns) {
  static test::EmulatedDevice device;
  static const std::vector<U64> addresses = [] {
    std::vector<U64> list;
    for (int n = 0; n < 5; ++n) list.push_back(device.upload(std::vector<U64>(thread_count)));
    return list;
  }();
  constexpr std::size_t bytes = thread_count * sizeof(U64);
  for (std::size_t n = 0; n < columns.size(); ++n)
    std::memcpy(device.memory.access(addresses[n], bytes, true), columns[n]->data(), bytes);
  device.run(test::kernel_text(5, kernel(form, variant)), {1, 1, 1}, {thread_count, 1, 1},
             addresses);
  return device.download<U64>(addresses[4], thread_count);
}

}  // namespace

void check_each(const Form& form, const Predicate& is_right) {
  static U64 seed = 0;
  ++seed;
  Draw draw(seed);
  std::vector<U64> a(thread_count), b(a), c(a), guard(a), d(a);
  for (std::size_t n = 0; n < thread_count; ++n) {
    a[n] = draw(form.a), b[n] = draw(form.b), c[n] = draw(form.c);
    guard[n] = draw("b64") % 2;
    if (n % 16 == 1) b[n] = a[n];  // equal operands, where the types agree
    if (form.a != form.b) b[n] = draw(form.b);
    d[n] = unchanged;
  }
  CAPTURE(form.instruction);
  const int guarded_variant = 1 + static_cast<int>(seed % 3);
  for (const int variant : {0, guarded_variant}) {
    const auto results = run(form, variant, {&a, &b, &c, &guard, &d});
    CAPTURE(variant);
    int wrong = 0;
    for (std::size_t n = 0; n < thread_count; ++n) {
      const int width = bits_of(form.d);
      const U64 bits = low_bits(results[n], width);
      const bool executed = variant == 0 || guard[n] != 0;
      const bool right =
          executed ? is_right(bits, {a[n], b[n], c[n]}) : bits == low_bits(unchanged, width);
      if (right || ++wrong > 3) continue;
      INFO(std::hex, "a ", a[n], ", b ", b[n], ", c ", c[n], ", executed ", executed, ", d ", bits);
      CHECK(right);
    }
    CHECK(wrong == 0);
  }
}

void check(const Form& form, const Reference& reference) {
  const int width = bits_of(form.d);
  check_each(form, [&](U64 result, const Operands& operands) {
    const auto expected = reference(operands);
    const bool right = !expected || result == low_bits(*expected, width);
    if (!right) {
      MESSAGE(form.instruction, std::hex, " a ", operands.a, " b ", operands.b, " c ", operands.c,
              ": ", result, " instead of ", low_bits(*expected, width));
    }
    return right;
  });
}

int bits_of(const std::string& type) {
  return std::stoi(type.substr(type.find_first_of("0123456789")));
}

U64 low_bits(U64 value, int bits) { return bits >= 64 ? value : value & ((U64{1} << bits) - 1); }

__int128 value_of(U64 bits, const std::string& type) {
  const int width = bits_of(type);
  const auto value = static_cast<__int128>(low_bits(bits, width));
  return is_signed(type) && ((bits >> (width - 1)) & 1) != 0 ? value - (__int128{1} << width)
                                                             : value;
}

Format format_of(const std::string& type) {
  if (type == "f16") return half;
  if (type == "bf16") return bfloat16;
  return type == "f32" ? single : double_precision;
}

}  // namespace ptxemu::oracle
