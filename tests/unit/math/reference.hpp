#pragma once
// Reference values from MPFR, and the error of a result in units in the last place.

#include <cmath>
#include <cstdint>
#include <limits>

#include <mpfr.h>

namespace gsim::test {

/// A 200-bit number.
class BigFloat {
 public:
  BigFloat(double x = 0) {
    mpfr_init2(v_, 200);
    mpfr_set_d(v_, x, MPFR_RNDN);
  }
  BigFloat(const BigFloat& other) : BigFloat() { mpfr_set(v_, other.v_, MPFR_RNDN); }
  BigFloat& operator=(const BigFloat& other) {
    mpfr_set(v_, other.v_, MPFR_RNDN);
    return *this;
  }
  ~BigFloat() { mpfr_clear(v_); }
  mpfr_ptr get() { return v_; }
  mpfr_srcptr get() const { return v_; }

 private:
  mpfr_t v_;
};

using Function = BigFloat (*)(const BigFloat& x, const BigFloat& y);

#define GSIM_BIG_UNARY(name, call)                                 \
  inline BigFloat big_##name(const BigFloat& x, const BigFloat&) { \
    BigFloat r;                                                    \
    call(r.get(), x.get(), MPFR_RNDN);                             \
    return r;                                                      \
  }
GSIM_BIG_UNARY(exp, mpfr_exp)
GSIM_BIG_UNARY(exp2, mpfr_exp2)
GSIM_BIG_UNARY(expm1, mpfr_expm1)
GSIM_BIG_UNARY(log, mpfr_log)
GSIM_BIG_UNARY(log2, mpfr_log2)
GSIM_BIG_UNARY(log1p, mpfr_log1p)
GSIM_BIG_UNARY(sin, mpfr_sin)
GSIM_BIG_UNARY(cos, mpfr_cos)
GSIM_BIG_UNARY(erf, mpfr_erf)
GSIM_BIG_UNARY(erfc, mpfr_erfc)
GSIM_BIG_UNARY(tanh, mpfr_tanh)
GSIM_BIG_UNARY(atan, mpfr_atan)
#undef GSIM_BIG_UNARY

inline BigFloat big_pow(const BigFloat& x, const BigFloat& y) {
  BigFloat r;
  mpfr_pow(r.get(), x.get(), y.get(), MPFR_RNDN);
  return r;
}

inline BigFloat big_atan2(const BigFloat& y, const BigFloat& x) {
  BigFloat r;
  mpfr_atan2(r.get(), y.get(), x.get(), MPFR_RNDN);
  return r;
}

/// sin or cos (`Call`) of HalfTurns * pi * x, with full turns removed exactly.
template <int (*Call)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t), int HalfTurns>
BigFloat big_circular(const BigFloat& x, const BigFloat&) {
  BigFloat r, pi;
  mpfr_mul_si(r.get(), x.get(), HalfTurns, MPFR_RNDN);
  BigFloat two(2);
  mpfr_fmod(r.get(), r.get(), two.get(), MPFR_RNDN);
  mpfr_const_pi(pi.get(), MPFR_RNDN);
  // Near multiples of 1/2 the product with pi must keep the relevant digits: 200 bits are enough.
  mpfr_mul(r.get(), r.get(), pi.get(), MPFR_RNDN);
  Call(r.get(), r.get(), MPFR_RNDN);
  return r;
}

/// Phi(x) = erfc(-x / sqrt(2)) / 2.
inline BigFloat big_normal_cdf(const BigFloat& x, const BigFloat&) {
  BigFloat root(2), r;
  mpfr_sqrt(root.get(), root.get(), MPFR_RNDN);
  mpfr_div(r.get(), x.get(), root.get(), MPFR_RNDN);
  mpfr_neg(r.get(), r.get(), MPFR_RNDN);
  mpfr_erfc(r.get(), r.get(), MPFR_RNDN);
  mpfr_div_ui(r.get(), r.get(), 2, MPFR_RNDN);
  return r;
}

/// Phi^-1(u) by Newton steps in 200 bits, started at `guess`, on the smaller of u and 1 - u.
inline BigFloat big_normal_inverse(const BigFloat& u, const BigFloat& guess) {
  BigFloat p(u), x(guess), one(1);
  const bool upper = mpfr_cmp_d(u.get(), 0.5) > 0;
  if (upper) {
    mpfr_sub(p.get(), one.get(), u.get(), MPFR_RNDN);
    mpfr_neg(x.get(), x.get(), MPFR_RNDN);
  }
  BigFloat root_two_pi;
  mpfr_const_pi(root_two_pi.get(), MPFR_RNDN);
  mpfr_mul_ui(root_two_pi.get(), root_two_pi.get(), 2, MPFR_RNDN);
  mpfr_sqrt(root_two_pi.get(), root_two_pi.get(), MPFR_RNDN);
  for (int i = 0; i < 3; ++i) {
    BigFloat step = big_normal_cdf(x, x), density(x);
    mpfr_sub(step.get(), step.get(), p.get(), MPFR_RNDN);
    mpfr_mul(step.get(), step.get(), root_two_pi.get(), MPFR_RNDN);
    mpfr_sqr(density.get(), density.get(), MPFR_RNDN);
    mpfr_div_ui(density.get(), density.get(), 2, MPFR_RNDN);
    mpfr_exp(density.get(), density.get(), MPFR_RNDN);
    mpfr_mul(step.get(), step.get(), density.get(), MPFR_RNDN);
    mpfr_sub(x.get(), x.get(), step.get(), MPFR_RNDN);
  }
  if (upper) mpfr_neg(x.get(), x.get(), MPFR_RNDN);
  return x;
}

/// |computed - exact| in units in the last place of T at the exact value; infinite if one of them
/// is infinite or NaN and the other is not the correctly rounded result.
template <class T>
double ulps(T computed, const BigFloat& exact) {
  using Limits = std::numeric_limits<T>;
  const double inf = std::numeric_limits<double>::infinity();
  if (mpfr_nan_p(exact.get())) return computed != computed ? 0 : inf;
  if (computed != computed) return inf;
  int exponent =
      mpfr_zero_p(exact.get()) ? Limits::min_exponent : static_cast<int>(mpfr_get_exp(exact.get()));
  if (exponent > Limits::max_exponent || mpfr_inf_p(exact.get())) {
    const int sign = mpfr_sgn(exact.get());
    if (std::isinf(computed)) return (computed > 0) == (sign > 0) ? 0 : inf;
    if (mpfr_inf_p(exact.get())) return inf;
    exponent = Limits::max_exponent;
  }
  if (exponent < Limits::min_exponent) exponent = Limits::min_exponent;
  if (std::isinf(computed)) {
    // The exact value is finite: the error is measured from the first number out of range.
    BigFloat overflow_threshold(1);
    mpfr_mul_2si(overflow_threshold.get(), overflow_threshold.get(), Limits::max_exponent,
                 MPFR_RNDN);
    if (computed < 0) mpfr_neg(overflow_threshold.get(), overflow_threshold.get(), MPFR_RNDN);
    mpfr_sub(overflow_threshold.get(), overflow_threshold.get(), exact.get(), MPFR_RNDN);
    mpfr_mul_2si(overflow_threshold.get(), overflow_threshold.get(), Limits::digits - exponent,
                 MPFR_RNDN);
    return std::abs(mpfr_get_d(overflow_threshold.get(), MPFR_RNDN));
  }
  BigFloat difference(static_cast<double>(computed));
  mpfr_sub(difference.get(), difference.get(), exact.get(), MPFR_RNDN);
  mpfr_mul_2si(difference.get(), difference.get(), Limits::digits - exponent, MPFR_RNDN);
  return std::abs(mpfr_get_d(difference.get(), MPFR_RNDN));
}

}  // namespace gsim::test
