// Barriers monitored in a part of an option's life: closed forms against integrals over the spot at
// the date at which monitoring begins or ends.

#include <cmath>
#include <numbers>

#include <doctest/doctest.h>

#include "src/modules/pricing/closed_forms/partial_barrier.hpp"

using namespace gsim::pricing;

namespace {

/// Simpson's rule with 2 n intervals.
template <class F>
double integral(double from, double to, int n, const F& f) {
  const double h = (to - from) / (2 * n);
  double sum = f(from) + f(to);
  for (int i = 1; i < 2 * n; ++i) sum += (i % 2 == 1 ? 4 : 2) * f(from + h * i);
  return sum * h / 3;
}

/// Density of ln S(t) / S(0).
double density(const FlatMarket& m, double x, double t) {
  const double sd = m.volatility * std::sqrt(t);
  const double z = (x - (m.rate - m.dividend - 0.5 * m.volatility * m.volatility) * t) / sd;
  return std::exp(-0.5 * z * z) / (sd * std::sqrt(2 * std::numbers::pi));
}

double vanilla(const FlatMarket& m, const BarrierTerms& t) {
  return black(t.sign, m.spot * std::exp((m.rate - m.dividend) * m.maturity), t.strike,
               m.volatility * m.volatility * m.maturity, std::exp(-m.rate * m.maturity));
}

/// The market at a later date with a given spot.
FlatMarket later(FlatMarket m, double x, double t) {
  m.spot *= std::exp(x);
  m.maturity -= t;
  return m;
}

/// With 2 n intervals on each side of the barrier, at which the integrand has a kink.
template <class Value>
double expected(const FlatMarket& m, double barrier, double t, const Value& value) {
  const double b = std::log(barrier / m.spot), sd = m.volatility * std::sqrt(t);
  const auto f = [&](double x) { return density(m, x, t) * value(x); };
  return std::exp(-m.rate * t) *
         (integral(b - 20 * sd, b, 4000, f) + integral(b, b + 20 * sd, 4000, f));
}

double integral_from(const FlatMarket& m, const BarrierTerms& t, double date) {
  return expected(m, t.barrier, date,
                  [&](double x) { return continuous_barrier(later(m, x, date), t); });
}

double integral_until(const FlatMarket& m, const BarrierTerms& t, double date) {
  const double b = std::log(t.barrier / m.spot);
  return expected(m, t.barrier, date, [&](double x) {
    const FlatMarket then = later(m, x, date);
    const bool is_beyond = t.up ? x >= b : x <= b;
    const double touch =
        is_beyond ? 1 : std::exp(-2 * b * (b - x) / (m.volatility * m.volatility * date));
    const double option = vanilla(then, t), rebate = t.rebate * std::exp(-m.rate * then.maturity);
    return t.knock_in ? touch * option + (1 - touch) * rebate
                      : touch * rebate + (1 - touch) * option;
  });
}

}  // namespace

TEST_CASE("partial barriers: all kinds against integrals over the spot at the date") {
  for (const double sign : {1.0, -1.0})
    for (const bool knock_in : {false, true})
      for (const double strike : {85.0, 100.0, 120.0})
        for (const double barrier : {88.0, 115.0})
          for (const double date : {0.1, 0.7}) {
            const FlatMarket m{100, 0.06, 0.02, 0.3, 1};
            const BarrierTerms t{sign, strike, barrier, 3, barrier > 100, knock_in, false};
            CAPTURE(sign);
            CAPTURE(knock_in);
            CAPTURE(strike);
            CAPTURE(barrier);
            CAPTURE(date);
            CHECK(barrier_until(m, t, date) ==
                  doctest::Approx(integral_until(m, t, date)).epsilon(1e-8));
            CHECK(barrier_from(m, t, date) ==
                  doctest::Approx(integral_from(m, t, date)).epsilon(1e-8));
          }
}

TEST_CASE("partial barriers: a window that begins later may begin beyond the barrier") {
  const FlatMarket m{80, 0.06, 0.02, 0.3, 1};
  for (const bool knock_in : {false, true}) {
    const BarrierTerms t{1, 85, 88, 3, false, knock_in, false};
    CHECK(barrier_from(m, t, 0.4) == doctest::Approx(integral_from(m, t, 0.4)).epsilon(1e-8));
  }
}
