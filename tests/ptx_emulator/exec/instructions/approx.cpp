// Approximate functions: the results are correctly rounded or nearly so, and therefore within the
// error bounds of the PTX ISA manual, but not bitwise those of a device. Kernels that use
// them are marked (Code::approximate).

#include "exec/instructions/rounding.hpp"
#include "exec/lanes.hpp"
#include "program/families.hpp"

namespace ptxemu {
namespace {

template <double (*F)(double)>
float evaluate_in_double(float a) {
  return canonical(static_cast<float>(F(static_cast<double>(a))));
}
double reciprocal_root(double a) { return 1.0 / std::sqrt(a); }
double reciprocal(double a) { return 1.0 / a; }

template <double (*F)(double)>
void run_f32(Warp& warp, const Op& op) {
  const bool flush = op.option != 0;
  const float* const a = warp.at<float>(op.a);
  float values[warp_size];
  for (int n = 0; n < warp_size; ++n) {
    const float value = evaluate_in_double<F>(flush ? flush_subnormal(a[n]) : a[n]);
    values[n] = flush ? flush_subnormal(value) : value;
  }
  store(warp.at<float>(op.d), values, warp.mask);
}

/// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 use the upper 32 bits of the operand, which are a
/// number with 20 bits of mantissa, and give the upper 32 bits of the result.
template <double (*F)(double)>
void run_f64(Warp& warp, const Op& op) {
  const auto upper_half = [](double a) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(a) & 0xffffffff00000000u);
  };
  const double* const a = warp.at<double>(op.a);
  double values[warp_size];
  for (int n = 0; n < warp_size; ++n) {
    const double value = upper_half(flush_subnormal(F(flush_subnormal(upper_half(a[n])))));
    values[n] = value != value ? std::bit_cast<double>(0x7fffffff00000000u) : value;
  }
  store(warp.at<double>(op.d), values, warp.mask);
}

/// div.full and, if Op::immediate is set, div.approx, which multiplies by the reciprocal: for
/// |b| > 2^126 that is flushed to zero.
void run_divide(Warp& warp, const Op& op) {
  const bool flush = op.option != 0;
  float values[warp_size];
  for (int n = 0; n < warp_size; ++n) {
    float a = warp.at<float>(op.a)[n], b = warp.at<float>(op.b)[n];
    if (flush) a = flush_subnormal(a), b = flush_subnormal(b);
    if (op.immediate != 0 && std::fabs(b) > 0x1p126f && !std::isinf(b))
      values[n] = canonical(a * std::copysign(0.0f, b));
    else
      values[n] = canonical(a / b);
    if (flush) values[n] = flush_subnormal(values[n]);
  }
  store(warp.at<float>(op.d), values, warp.mask);
}

}  // namespace

void select_approx(Lowering& in) {
  const std::string& opcode = in.instruction().opcode;
  in.op.unit = static_cast<std::uint8_t>(Unit::special);
  in.code().approximate = true;
  const bool approximate = in.take("approx");
  in.take("full");
  in.op.option = in.take("ftz") ? 1 : 0;
  const Type type = in.parse_type();
  const int size = size_of(type);
  in.op.d = in.result(0, size), in.op.a = in.source(1, size);
  if (type == Type::f64) {
    if (opcode == "rcp") in.op.run = run_f64<reciprocal>;
    if (opcode == "rsqrt") in.op.run = run_f64<reciprocal_root>;
    return;
  }
  if (type != Type::f32) in.unsupported();
  if (opcode == "div") {
    in.op.b = in.source(2, 4);
    in.op.immediate = approximate ? 1 : 0;
    in.op.run = run_divide;
    return;
  }
  if (opcode == "sin") in.op.run = run_f32<std::sin>;
  if (opcode == "cos") in.op.run = run_f32<std::cos>;
  if (opcode == "lg2") in.op.run = run_f32<std::log2>;
  if (opcode == "ex2") in.op.run = run_f32<std::exp2>;
  if (opcode == "tanh") in.op.run = run_f32<std::tanh>;
  if (opcode == "sqrt") in.op.run = run_f32<std::sqrt>;
  if (opcode == "rsqrt") in.op.run = run_f32<reciprocal_root>;
  if (opcode == "rcp") in.op.run = run_f32<reciprocal>;
}

}  // namespace ptxemu
