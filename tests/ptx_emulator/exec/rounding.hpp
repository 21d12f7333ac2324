#pragma once
// Floating-point values as PTX wants them: rounding modes, subnormals flushed, saturation, NaN.

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "program/lowering.hpp"

namespace ptxemu {

/// How an instruction treats its operands and result, packed into Op::small.
struct FloatForm {
  std::uint8_t bits = 0;
  static constexpr std::uint8_t flush = 4, saturate = 8;
  int mode() const { return bits & 3; }  ///< 0 nearest, 1 to zero, 2 down, 3 up
  bool plain() const { return bits == 0; }
};

/// Takes .rn, .rz, .rm, .rp, .ftz and .sat.
inline FloatForm take_float_form(Lowering& in) {
  FloatForm form;
  in.take("rn");
  if (in.take("rz")) form.bits = 1;
  if (in.take("rm")) form.bits = 2;
  if (in.take("rp")) form.bits = 3;
  if (in.take("ftz")) form.bits |= FloatForm::flush;
  if (in.take("sat")) form.bits |= FloatForm::saturate;
  return form;
}

/// Sets the rounding mode of the host for its lifetime. Operands must be read from and results
/// written to memory within it, through `pin`, so that the compiler moves no arithmetic out of it.
class ScopedRounding {
 public:
  explicit ScopedRounding(int mode) {
    constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    std::fesetround(modes[mode]);
    pin();
  }
  ~ScopedRounding() {
    pin();
    std::fesetround(FE_TONEAREST);
  }
  ScopedRounding(const ScopedRounding&) = delete;
  ScopedRounding& operator=(const ScopedRounding&) = delete;
  static void pin() { asm volatile("" ::: "memory"); }
};

/// NaN results in single precision are 0x7fffffff; those in double precision keep the payload of an
/// operand.
inline float canonical(float a) { return a != a ? std::bit_cast<float>(0x7fffffffu) : a; }
inline double canonical(double a) { return a; }

/// Subnormal numbers become zero of the same sign.
template <class T>
T flush_subnormal(T a) {
  return std::fabs(a) < std::numeric_limits<T>::min() ? std::copysign(T{0}, a) : a;
}

/// [0, 1], with 0 for NaN.
template <class T>
T saturated(T a) {
  return a > T{0} ? (a < T{1} ? a : T{1}) : T{0};
}

}  // namespace ptxemu
