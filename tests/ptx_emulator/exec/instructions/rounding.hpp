#pragma once
// Floating-point semantics of PTX: rounding modes, flushing of subnormals, saturation, NaN.

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "program/lowering.hpp"

namespace ptxemu {

/// Modifiers of a floating-point instruction, packed into Op::option.
struct FloatModifiers {
  std::uint8_t bits = 0;
  static constexpr std::uint8_t flush = 4, saturate = 8;
  int mode() const { return bits & 3; }  ///< 0 nearest, 1 to zero, 2 down, 3 up
  bool plain() const { return bits == 0; }
};

/// Parses .rn, .rz, .rm, .rp, .ftz and .sat.
inline FloatModifiers parse_modifiers(Lowering& in) {
  FloatModifiers modifiers;
  in.take("rn");
  if (in.take("rz")) modifiers.bits = 1;
  if (in.take("rm")) modifiers.bits = 2;
  if (in.take("rp")) modifiers.bits = 3;
  if (in.take("ftz")) modifiers.bits |= FloatModifiers::flush;
  if (in.take("sat")) modifiers.bits |= FloatModifiers::saturate;
  return modifiers;
}

/// Sets the rounding mode of the host for the lifetime of the object. Operands must be read from
/// memory and results written to memory within it: the compiler moves no memory access across
/// prevent_reordering(), and so no arithmetic out of the scope.
class ScopedRounding {
 public:
  explicit ScopedRounding(int mode) {
    constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    std::fesetround(modes[mode]);
    prevent_reordering();
  }
  ~ScopedRounding() {
    prevent_reordering();
    std::fesetround(FE_TONEAREST);
  }
  ScopedRounding(const ScopedRounding&) = delete;
  ScopedRounding& operator=(const ScopedRounding&) = delete;
  static void prevent_reordering() { asm volatile("" ::: "memory"); }
};

/// NaN results in single precision are 0x7fffffff; those in double precision keep the payload of an
/// operand.
inline float canonical(float a) { return a != a ? std::bit_cast<float>(0x7fffffffu) : a; }
inline double canonical(double a) { return a; }

/// Flushes subnormal numbers to zero of the same sign.
template <class T>
T flush_subnormal(T a) {
  return std::fabs(a) < std::numeric_limits<T>::min() ? std::copysign(T{0}, a) : a;
}

/// Clamps to [0, 1], as the modifier .sat; NaN becomes 0.
template <class T>
T saturated(T a) {
  return a > T{0} ? (a < T{1} ? a : T{1}) : T{0};
}

}  // namespace ptxemu
