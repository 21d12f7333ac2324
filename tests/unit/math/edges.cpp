// Strict functions at special arguments, as specified by C99 Annex F and IEEE 754-2019.
#include <cstring>
#include <limits>

#include <doctest/doctest.h>

#include "gsim/math/atan.hpp"
#include "gsim/math/elementary.hpp"

using namespace gsim;

namespace {

template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

}  // namespace

#define CHECK_BITS(call, expected) CHECK(same_bits<T>((call), T(expected)))

TEST_CASE_TEMPLATE("strict functions: values at zeros, infinities and NaN", T, float, double) {
  constexpr T inf = infinity_of<T>(), nan = nan_of<T>(), zero = 0, minus_zero = -zero;
  const T negative_signaling_nan = -std::numeric_limits<T>::signaling_NaN();
  for (const T x : {nan, T(-nan), negative_signaling_nan}) {  // every NaN gives the canonical NaN
    for (const T y : {exp<Strict>(x),          exp2<Strict>(x),
                      expm1<Strict>(x),        log<Strict>(x),
                      log2<Strict>(x),         log1p<Strict>(x),
                      sin<Strict>(x),          cos<Strict>(x),
                      sincospi<Strict>(x).sin, sincospi<Strict>(x).cos,
                      erf<Strict>(x),          erfc<Strict>(x),
                      normal_cdf<Strict>(x),   normal_inverse<Strict>(x),
                      tanh<Strict>(x),         pow<Strict>(x, T(2)),
                      pow<Strict>(T(2), x),    atan<Strict>(x),
                      atan2<Strict>(x, T(1)),  atan2<Strict>(T(0), x)})
      CHECK_BITS(y, nan);
    CHECK_BITS(pow<Strict>(x, zero), 1);
    CHECK_BITS(pow<Strict>(T(1), x), 1);
  }
  CHECK_BITS(exp<Strict>(zero), 1);
  CHECK_BITS(exp<Strict>(minus_zero), 1);
  CHECK_BITS(exp<Strict>(inf), inf);
  CHECK_BITS(exp<Strict>(-inf), zero);
  CHECK_BITS(exp2<Strict>(T(-inf)), zero);
  CHECK_BITS(exp2<Strict>(T(10)), 1024);
  CHECK_BITS(exp2<Strict>(inf), inf);
  CHECK_BITS(expm1<Strict>(zero), zero);
  CHECK_BITS(expm1<Strict>(minus_zero), minus_zero);
  CHECK_BITS(expm1<Strict>(T(-inf)), -1);
  CHECK_BITS(expm1<Strict>(inf), inf);
  CHECK_BITS(log<Strict>(T(1)), zero);
  CHECK_BITS(log<Strict>(zero), -inf);
  CHECK_BITS(log<Strict>(minus_zero), -inf);
  CHECK_BITS(log<Strict>(T(-1)), nan);
  CHECK_BITS(log<Strict>(inf), inf);
  CHECK_BITS(log<Strict>(T(-inf)), nan);
  CHECK_BITS(log2<Strict>(T(1)), zero);
  CHECK_BITS(log2<Strict>(std::numeric_limits<T>::denorm_min()), sizeof(T) == 8 ? -1074 : -149);
  CHECK_BITS(log2<Strict>(zero), -inf);
  CHECK_BITS(log1p<Strict>(minus_zero), minus_zero);
  CHECK_BITS(log1p<Strict>(T(-1)), -inf);
  CHECK_BITS(log1p<Strict>(T(-2)), nan);
  CHECK_BITS(log1p<Strict>(inf), inf);
  CHECK_BITS(sin<Strict>(minus_zero), minus_zero);
  CHECK_BITS(cos<Strict>(minus_zero), 1);
  CHECK_BITS(sin<Strict>(inf), nan);
  CHECK_BITS(cos<Strict>(T(-inf)), nan);
  CHECK_BITS(sincospi<Strict>(T(3)).sin, zero);
  CHECK_BITS(sincospi<Strict>(T(-3)).sin, minus_zero);
  CHECK_BITS(sincospi<Strict>(T(3)).cos, -1);
  CHECK_BITS(sincospi<Strict>(inf).cos, nan);
  CHECK_BITS(sincos_2pi<Strict>(T(0.25)).sin, 1);
  CHECK_BITS(sincos_2pi<Strict>(T(0.5)).cos, -1);
  CHECK_BITS(erf<Strict>(minus_zero), minus_zero);
  CHECK_BITS(erf<Strict>(inf), 1);
  CHECK_BITS(erf<Strict>(T(-inf)), -1);
  CHECK_BITS(erfc<Strict>(inf), zero);
  CHECK_BITS(erfc<Strict>(T(-inf)), 2);
  CHECK_BITS(erfc<Strict>(zero), 1);
  CHECK_BITS(normal_cdf<Strict>(inf), 1);
  CHECK_BITS(normal_cdf<Strict>(T(-inf)), zero);
  CHECK_BITS(normal_cdf<Strict>(zero), 0.5);
  CHECK_BITS(abs(normal_inverse<Strict>(T(0.5))), zero);
  CHECK_BITS(normal_inverse<Strict>(zero), -inf);
  CHECK_BITS(normal_inverse<Strict>(T(1)), inf);
  CHECK_BITS(normal_inverse<Strict>(T(-0.1)), nan);
  CHECK_BITS(normal_inverse<Strict>(T(1.1)), nan);
  CHECK_BITS(tanh<Strict>(minus_zero), minus_zero);
  CHECK_BITS(tanh<Strict>(inf), 1);
  CHECK_BITS(tanh<Strict>(T(-inf)), -1);
}

TEST_CASE_TEMPLATE("strict functions: arc tangents of points on the axes and at infinity", T, float,
                   double) {
  constexpr T inf = infinity_of<T>(), zero = 0, minus_zero = -zero;
  // Nearest numbers to multiples of pi/4.
  constexpr T pi = T(3.14159265358979323846L), half_pi = pi / 2, quarter_pi = pi / 4;
  constexpr T three_quarters_pi = T(2.35619449019234492885L);
  const struct {
    T y, x, expected;
  } cases[] = {
      {zero, zero, zero},
      {minus_zero, zero, minus_zero},
      {zero, minus_zero, pi},
      {minus_zero, minus_zero, -pi},
      {zero, 1, zero},
      {minus_zero, 1, minus_zero},
      {zero, -1, pi},
      {minus_zero, -1, -pi},
      {1, zero, half_pi},
      {-1, minus_zero, -half_pi},
      {1, 1, quarter_pi},
      {-1, -1, -three_quarters_pi},
      {inf, 1, half_pi},
      {-inf, -inf, -three_quarters_pi},
      {inf, inf, quarter_pi},
      {inf, -inf, three_quarters_pi},
      {1, inf, zero},
      {-1, -inf, -pi},
      {std::numeric_limits<T>::denorm_min(), 1, std::numeric_limits<T>::denorm_min()},
  };
  for (const auto& c : cases) {
    CAPTURE(c.y);
    CAPTURE(c.x);
    CHECK_BITS(atan2<Strict>(c.y, c.x), c.expected);
  }
  CHECK_BITS(atan<Strict>(inf), half_pi);
  CHECK_BITS(atan<Strict>(T(-inf)), -half_pi);
  CHECK_BITS(atan<Strict>(minus_zero), minus_zero);
}

TEST_CASE_TEMPLATE("strict functions: pow at the special pairs of C99 Annex F", T, float, double) {
  constexpr T inf = infinity_of<T>(), nan = nan_of<T>(), zero = 0, minus_zero = -zero;
  struct Case {
    T x, y, expected;
  };
  const Case cases[] = {
      {zero, 3, zero},
      {minus_zero, 3, minus_zero},
      {minus_zero, 2, zero},
      {minus_zero, T(2.5), zero},
      {zero, -3, inf},
      {minus_zero, -3, -inf},
      {minus_zero, -2, inf},
      {minus_zero, T(-2.5), inf},
      {zero, -inf, inf},
      {minus_zero, inf, zero},
      {-1, inf, 1},
      {-1, -inf, 1},
      {T(0.5), inf, zero},
      {T(0.5), -inf, inf},
      {2, inf, inf},
      {-2, -inf, zero},
      {-2, inf, inf},
      {inf, T(0.5), inf},
      {inf, -1, zero},
      {-inf, 3, -inf},
      {-inf, 2, inf},
      {-inf, T(0.5), inf},
      {-inf, -3, minus_zero},
      {-inf, -2, zero},
      {-8, T(1) / 3, nan},
      {-2, T(0.5), nan},
      {-2, 3, -8},
      {-2, 2, 4},
      {-2, -1, T(-0.5)},
      {3, 4, 81},
      {1, inf, 1},
      {inf, zero, 1},
      {-2, T(0x1p60), inf},
      {T(1) / 4, T(0.5), 0.5},
  };
  for (const Case& c : cases) {
    CAPTURE(c.x);
    CAPTURE(c.y);
    CHECK_BITS(pow<Strict>(c.x, c.y), c.expected);
  }
}

TEST_CASE_TEMPLATE("strict functions: overflow and gradual underflow", T, float, double) {
  using Limits = std::numeric_limits<T>;
  constexpr bool is_double = sizeof(T) == 8;
  CHECK_BITS(exp<Strict>(is_double ? T(709.79) : T(88.73f)), infinity_of<T>());
  CHECK(exp<Strict>(is_double ? T(709.78) : T(88.72f)) < infinity_of<T>());
  CHECK_BITS(exp<Strict>(is_double ? T(-745.2) : T(-103.98f)), 0);
  CHECK_BITS(exp<Strict>(is_double ? T(-745.1) : T(-103.9f)), Limits::denorm_min());
  CHECK_BITS(exp2<Strict>(is_double ? T(-1074) : T(-149)), Limits::denorm_min());
  CHECK_BITS(exp2<Strict>(is_double ? T(1024) : T(128)), infinity_of<T>());
  CHECK_BITS(pow<Strict>(T(2), is_double ? T(-1074) : T(-149)), Limits::denorm_min());
  for (const T x : {Limits::denorm_min(), Limits::min() / 2}) {  // the nearest number to f(x) is x
    CHECK_BITS(expm1<Strict>(x), x);
    CHECK_BITS(log1p<Strict>(-x), -x);
    CHECK_BITS(sin<Strict>(x), x);
    CHECK_BITS(tanh<Strict>(-x), -x);
  }
}

TEST_CASE_TEMPLATE("strict functions: minimum and maximum of signed zeros, infinity and NaN", T,
                   float, double) {
  constexpr T nan = nan_of<T>(), zero = 0, minus_zero = -zero;
  CHECK_BITS(min(zero, minus_zero), zero);
  CHECK_BITS(max(minus_zero, zero), minus_zero);
  CHECK_BITS(min(T(2), T(1)), 1);
  CHECK_BITS(max(T(1), infinity_of<T>()), infinity_of<T>());
  CHECK_BITS(min(T(-nan), T(1)), nan);
  CHECK_BITS(max(T(1), T(-nan)), nan);
}
