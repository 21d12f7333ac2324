// Options on the running maximum or minimum of one asset, monitored continuously.

#include <algorithm>
#include <cmath>

#include "src/modules/pricing/closed_forms/closed_forms.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"

namespace gsim::pricing {
namespace {

// The terms A to F of Haug 1998, section 2.10.1.
struct BarrierParts {
  double a, b, c, d;  ///< terms A to D, from which the option is composed
  double e;           ///< rebate paid at maturity if the barrier is never touched
  double f;           ///< rebate paid when the barrier is touched
};

BarrierParts barrier_parts(const FlatMarket& m, const BarrierTerms& t) {
  const double phi = t.sign, eta = t.up ? -1 : 1;
  const double variance = square(m.volatility), carry = m.rate - m.dividend;
  const double mu = (carry - 0.5 * variance) / variance;
  const double sd = m.volatility * std::sqrt(m.maturity);
  const double shift = (1 + mu) * sd, ratio = t.barrier / m.spot;
  const double x1 = logarithm(m.spot / t.strike) / sd + shift;
  const double x2 = -logarithm(ratio) / sd + shift;
  const double y1 = logarithm(ratio * t.barrier / t.strike) / sd + shift;
  const double y2 = logarithm(ratio) / sd + shift;
  const double spot = m.spot * exponential(-m.dividend * m.maturity);
  const double discount = exponential(-m.rate * m.maturity);
  const double ratio_to_2mu = power(ratio, 2 * mu);
  const auto unreflected = [&](double x) {
    return phi * (spot * normal_cdf(phi * x) - t.strike * discount * normal_cdf(phi * (x - sd)));
  };
  const auto reflected = [&](double y) {
    return phi * ratio_to_2mu *
           (spot * square(ratio) * normal_cdf(eta * y) -
            t.strike * discount * normal_cdf(eta * (y - sd)));
  };
  const double e = t.rebate * discount *
                   (normal_cdf(eta * (x2 - sd)) - ratio_to_2mu * normal_cdf(eta * (y2 - sd)));
  const double f = t.rebate * first_touch(m, t.barrier, t.up, m.rate);
  return {unreflected(x1), unreflected(x2), reflected(y1), reflected(y2), e, f};
}

// Value of the knock-in option without its rebate.
double knock_in_value(const BarrierTerms& t, const BarrierParts& p) {
  const bool strike_above = t.strike > t.barrier, call = t.sign > 0;
  if (call && !t.up) return strike_above ? p.c : p.a - p.b + p.d;
  if (call) return strike_above ? p.a : p.b - p.c + p.d;
  if (!t.up) return strike_above ? p.b - p.c + p.d : p.a;
  return strike_above ? p.a - p.b + p.d : p.c;
}

}  // namespace

double first_touch(const FlatMarket& m, double barrier, bool up, double rate) {
  const double eta = up ? -1 : 1, variance = square(m.volatility);
  const double mu = (m.rate - m.dividend - 0.5 * variance) / variance;
  const double lambda = std::sqrt(square(mu) + 2 * rate / variance);
  const double sd = m.volatility * std::sqrt(m.maturity), ratio = barrier / m.spot;
  const double z = logarithm(ratio) / sd + lambda * sd;
  return power(ratio, mu + lambda) * normal_cdf(eta * z) +
         power(ratio, mu - lambda) * normal_cdf(eta * (z - 2 * lambda * sd));
}

double continuous_barrier(const FlatMarket& m, const BarrierTerms& t) {
  const double discount = exponential(-m.rate * m.maturity);
  const double forward = m.spot * exponential((m.rate - m.dividend) * m.maturity);
  const double vanilla =
      black(t.sign, forward, t.strike, square(m.volatility) * m.maturity, discount);
  const bool touched = t.up ? m.spot >= t.barrier : m.spot <= t.barrier;
  if (touched) {
    if (t.knock_in) return vanilla;
    return t.rebate * (t.rebate_at_hit ? 1 : discount);
  }
  const BarrierParts p = barrier_parts(m, t);
  const double in = knock_in_value(t, p);
  if (t.knock_in) return in + p.e;
  return vanilla - in + (t.rebate_at_hit ? p.f : t.rebate * discount - p.e);
}

// The expected extreme follows from the reflection principle. Near zero carry, the limit of the
// correction at zero carry is used.
double lookback_floating(const FlatMarket& m, double sign, double extreme) {
  const double carry = m.rate - m.dividend, variance = square(m.volatility);
  const double root = std::sqrt(m.maturity), sd = m.volatility * root;
  const double discount = exponential(-m.rate * m.maturity);
  const double forward = m.spot * exponential(carry * m.maturity);
  const double log_ratio = logarithm(m.spot / extreme);
  const double a1 = (log_ratio + (carry + 0.5 * variance) * m.maturity) / sd, a2 = a1 - sd;
  double correction = 0;
  if (std::fabs(carry) * m.maturity < 1e-7) {
    correction = sd * (normal_pdf(a1) - sign * a1 * normal_cdf(-sign * a1));
  } else {
    const double k = 2 * carry / variance;
    correction = sign / k *
                 (exponential(-k * log_ratio) * normal_cdf(-sign * (a1 - k * sd)) -
                  exponential(carry * m.maturity) * normal_cdf(-sign * a1));
  }
  return discount * (sign * (forward * normal_cdf(sign * a1) - extreme * normal_cdf(sign * a2)) +
                     m.spot * correction);
}

// max(M, strike) - strike, with M the extreme over the whole life, including the past: the value is
// that of a floating-strike lookback with the larger of strike and extreme, plus a forward.
double lookback_fixed(const FlatMarket& m, double sign, double strike, double extreme) {
  const double bound = sign > 0 ? std::max(strike, extreme) : std::min(strike, extreme);
  const double discount = exponential(-m.rate * m.maturity);
  const double spot = m.spot * exponential(-m.dividend * m.maturity);
  return lookback_floating(m, -sign, bound) + sign * (spot - strike * discount);
}

}  // namespace gsim::pricing
