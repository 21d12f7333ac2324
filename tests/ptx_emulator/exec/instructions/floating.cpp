// IEEE arithmetic in single and double precision.

#include "exec/instructions/rounding.hpp"
#include "exec/lanes.hpp"
#include "program/by_type.hpp"
#include "program/families.hpp"

namespace ptxemu {
namespace {

/// Any rounding mode, with flushing and saturation. The arrays escape to an asm statement, so that
/// the arithmetic stays between the changes of the rounding mode.
template <class T, int operands, auto F>
[[gnu::noinline]] void run_general(Warp& warp, const Op& op) {
  const FloatModifiers modifiers{op.option};
  T x[3][warp_size], values[warp_size];
  const Slot slots[3] = {op.a, op.b, op.c};
  for (int k = 0; k < operands; ++k)
    for (int n = 0; n < warp_size; ++n) {
      const T value = warp.at<T>(slots[k])[n];
      x[k][n] = (modifiers.bits & FloatModifiers::flush) != 0 ? flush_subnormal(value) : value;
    }
  asm volatile("" ::"r"(&x[0][0]), "r"(&values[0]) : "memory");
  {
    const ScopedRounding rounding(modifiers.mode());
    for (int n = 0; n < warp_size; ++n) {
      if constexpr (operands == 1) values[n] = F(x[0][n]);
      if constexpr (operands == 2) values[n] = F(x[0][n], x[1][n]);
      if constexpr (operands == 3) values[n] = F(x[0][n], x[1][n], x[2][n]);
    }
    asm volatile("" ::"r"(&values[0]) : "memory");
  }
  for (int n = 0; n < warp_size; ++n) {
    T value = canonical(values[n]);
    if ((modifiers.bits & FloatModifiers::flush) != 0) value = flush_subnormal(value);
    if ((modifiers.bits & FloatModifiers::saturate) != 0) value = saturated(value);
    values[n] = value;
  }
  store(warp.at<T>(op.d), values, warp.mask);
}

/// The handler of d = F(a, b).
template <class T, auto F>
Handler binary_handler(FloatModifiers modifiers) {
  if (!modifiers.plain()) return run_general<T, 2, F>;
  return map2<T, T, T, [](T a, T b) { return canonical(F(a, b)); }>;
}

template <class T>
Handler binary(const std::string& opcode, FloatModifiers modifiers) {
  if (opcode == "add") return binary_handler<T, [](T a, T b) { return a + b; }>(modifiers);
  if (opcode == "sub") return binary_handler<T, [](T a, T b) { return a - b; }>(modifiers);
  if (opcode == "mul") return binary_handler<T, [](T a, T b) { return a * b; }>(modifiers);
  if (opcode == "div") return binary_handler<T, [](T a, T b) { return a / b; }>(modifiers);
  return nullptr;
}

/// The smaller operand, or the larger one if `greater`; -0 is less than +0, and a number is
/// preferred to NaN.
template <class T, bool greater>
T min_max(T a, T b) {
  const T chosen = (greater ? b < a : a < b) ? a : b;
  const bool zeros = a == T{0} && b == T{0};
  const T zero = greater == std::signbit(a) ? b : a;
  const T number = a != a ? b : b != b ? a : zeros ? zero : chosen;
  return canonical(number);
}
/// As min_max(), but NaN if an operand is NaN.
template <class T, bool greater>
T min_max_or_nan(T a, T b) {
  if (a != a || b != b) return canonical(a != a ? a : b);
  return min_max<T, greater>(a, b);
}

template <class T>
Handler min_max_handler(bool greater, bool nan, FloatModifiers modifiers) {
  if (nan) {
    if (greater) return run_general<T, 2, min_max_or_nan<T, true>>;
    return run_general<T, 2, min_max_or_nan<T, false>>;
  }
  if (!modifiers.plain())
    return greater ? run_general<T, 2, min_max<T, true>> : run_general<T, 2, min_max<T, false>>;
  return greater ? map2<T, T, T, min_max<T, true>> : map2<T, T, T, min_max<T, false>>;
}

template <class T>
Handler unary(const std::string& opcode, FloatModifiers modifiers) {
  if (opcode == "neg")
    return modifiers.plain() ? map1<T, T, [](T a) { return -a; }>
                             : run_general<T, 1, [](T a) { return -a; }>;
  if (opcode == "abs")
    return modifiers.plain() ? map1<T, T, [](T a) { return std::fabs(a); }>
                             : run_general<T, 1, [](T a) { return std::fabs(a); }>;
  if (opcode == "sqrt")
    return modifiers.plain()
               ? map1<T, T, [](T a) { return canonical(static_cast<T>(std::sqrt(a))); }>
               : run_general<T, 1, [](T a) { return static_cast<T>(std::sqrt(a)); }>;
  if (opcode == "rcp")
    return modifiers.plain() ? map1<T, T, [](T a) { return canonical(T{1} / a); }>
                             : run_general<T, 1, [](T a) { return T{1} / a; }>;
  return nullptr;
}

inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }

template <class T>
Handler multiply_add(FloatModifiers modifiers) {
  if (!modifiers.plain()) return run_general<T, 3, [](T a, T b, T c) { return fused(a, b, c); }>;
  return map3<T, T, T, T, [](T a, T b, T c) { return canonical(fused(a, b, c)); }>;
}

template <class T, class U>
void run_copy_sign(Warp& warp, const Op& op) {
  constexpr U sign = U{1} << (8 * sizeof(U) - 1);
  U values[warp_size];
  for (int n = 0; n < warp_size; ++n)
    values[n] = (warp.at<U>(op.a)[n] & sign) | (warp.at<U>(op.b)[n] & ~sign);
  store(warp.at<U>(op.d), values, warp.mask);
}

/// testp: `property` is an index of the names in select_test().
template <class T>
bool has_property(T a, int property) {
  switch (property) {
    case 0:
      return std::isfinite(a);
    case 1:
      return std::isinf(a);
    case 2:
      return a == a;
    case 3:
      return a != a;
    case 4:
      return std::isnormal(a);
    default:
      return std::fpclassify(a) == FP_SUBNORMAL;
  }
}

void select_test(Lowering& in, Type type) {
  constexpr const char* properties[] = {"finite",     "infinite", "number",
                                        "notanumber", "normal",   "subnormal"};
  int chosen = -1;
  for (int n = 0; n < 6; ++n)
    if (in.take(properties[n])) chosen = n;
  if (chosen < 0) in.unsupported();
  bool negated = false;
  in.op.d = in.predicate(in.operand(0), negated);
  in.op.a = in.source(1, size_of(type));
  in.op.option = static_cast<std::uint8_t>(chosen);
  in.op.run = by_float(type, [](auto z) -> Handler {
    using T = decltype(z);
    return [](Warp& warp, const Op& op) {
      std::uint32_t bits = 0;
      for (int n = 0; n < warp_size; ++n)
        bits |= (has_property(warp.at<T>(op.a)[n], op.option) ? 1u : 0u) << n;
      store_predicate(warp.predicate(op.d), bits, warp.mask);
    };
  });
}

}  // namespace

void select_float(Lowering& in) {
  const std::string& opcode = in.instruction().opcode;
  for (const std::string& suffix : in.instruction().suffixes)
    if (suffix == "approx" || suffix == "full") return select_approx(in);
  const FloatModifiers modifiers = parse_modifiers(in);
  const bool nan = in.take("NaN");
  const Type type = in.parse_type();
  const int size = size_of(type);
  if (type != Type::f32 && type != Type::f64) in.unsupported("only f32 and f64 are implemented");
  in.op.unit = static_cast<std::uint8_t>(type == Type::f64 ? Unit::fp64 : Unit::fp32);
  in.op.option = modifiers.bits;
  if (opcode == "testp") return select_test(in, type);
  in.op.d = in.result(0, size), in.op.a = in.source(1, size);
  if (in.operand_count() > 2) in.op.b = in.source(2, size);
  if (in.operand_count() > 3) in.op.c = in.source(3, size);
  if (in.operand_count() > 4) in.unsupported();
  if (opcode == "copysign") {
    in.op.run = type == Type::f32 ? run_copy_sign<float, std::uint32_t>
                                  : run_copy_sign<double, std::uint64_t>;
    return;
  }
  in.op.run = by_float(type, [&](auto z) -> Handler {
    using T = decltype(z);
    if (opcode == "fma" || opcode == "mad") return multiply_add<T>(modifiers);
    if (opcode == "min" || opcode == "max")
      return min_max_handler<T>(opcode == "max", nan, modifiers);
    if (in.operand_count() == 3) return binary<T>(opcode, modifiers);
    return unary<T>(opcode, modifiers);
  });
}

}  // namespace ptxemu
