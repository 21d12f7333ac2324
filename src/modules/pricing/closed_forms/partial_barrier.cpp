#include "src/modules/pricing/closed_forms/partial_barrier.hpp"

#include <algorithm>
#include <cmath>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"

namespace gsim::pricing {
namespace {

/// Probabilities under which an option knocked out by a barrier is composed: of survival and
/// exercise under the measures of the spot and of the discount bond.
struct Probabilities {
  double spot, bond;
};

/// The quantities that both kinds of windows share, in the notation of Haug 2007.
struct Parts {
  double eta;  ///< 1: down, -1: up
  double root, sd, drift;
  double e1, e2, e3, e4, rho;
  double spot, discount;  ///< of payments at maturity
  double power_spot, power_bond;

  Parts(const FlatMarket& m, const BarrierTerms& t, double date) {
    const double variance = square(m.volatility), carry = m.rate - m.dividend;
    const double mu = (carry - 0.5 * variance) / variance;
    const double ratio = t.barrier / m.spot, sd1 = m.volatility * std::sqrt(date);
    eta = t.up ? -1 : 1;
    root = std::sqrt(m.maturity);
    sd = m.volatility * root;
    drift = (carry + 0.5 * variance) * m.maturity;
    e1 = (-logarithm(ratio) + (carry + 0.5 * variance) * date) / sd1;
    e2 = e1 - sd1;
    e3 = e1 + 2 * logarithm(ratio) / sd1;
    e4 = e3 - sd1;
    rho = std::sqrt(date / m.maturity);
    spot = m.spot * exponential(-m.dividend * m.maturity);
    discount = exponential(-m.rate * m.maturity);
    power_spot = power(ratio, 2 * (mu + 1));
    power_bond = power(ratio, 2 * mu);
  }
  double d(const FlatMarket& m, double strike) const {
    return (logarithm(m.spot / strike) + drift) / sd;
  }
  double reflected(const FlatMarket& m, double barrier, double strike) const {
    return (logarithm(barrier / m.spot * (barrier / strike)) + drift) / sd;
  }
};

double vanilla(const FlatMarket& m, const BarrierTerms& t) {
  const double forward = m.spot * exponential((m.rate - m.dividend) * m.maturity);
  return black(t.sign, forward, t.strike, square(m.volatility) * m.maturity,
               exponential(-m.rate * m.maturity));
}

/// The value from that of the knock-out option without rebate and the probability of survival.
double with_rebate(const FlatMarket& m, const BarrierTerms& t, double out, double survival) {
  const double rebate = t.rebate * exponential(-m.rate * m.maturity);
  return t.knock_in ? vanilla(m, t) - out + rebate * survival : out + rebate * (1 - survival);
}

}  // namespace

double barrier_until(const FlatMarket& m, const BarrierTerms& t, double until) {
  const Parts p(m, t, until);
  const double d1 = t.sign * p.d(m, t.strike), d2 = d1 - t.sign * p.sd;
  const double f1 = t.sign * p.reflected(m, t.barrier, t.strike), f2 = f1 - t.sign * p.sd;
  const double rho = t.sign * p.eta * p.rho;
  const Probabilities in_the_money{bivariate_normal_cdf(d1, p.eta * p.e1, rho) -
                                       p.power_spot * bivariate_normal_cdf(f1, p.eta * p.e3, rho),
                                   bivariate_normal_cdf(d2, p.eta * p.e2, rho) -
                                       p.power_bond * bivariate_normal_cdf(f2, p.eta * p.e4, rho)};
  const double out =
      t.sign * (p.spot * in_the_money.spot - t.strike * p.discount * in_the_money.bond);
  const double survival = normal_cdf(p.eta * p.e2) - p.power_bond * normal_cdf(p.eta * p.e4);
  return with_rebate(m, t, out, survival);
}

double barrier_from(const FlatMarket& m, const BarrierTerms& t, double from) {
  const Parts p(m, t, from);
  // Survival with the spot at maturity beyond k, in the direction away from the barrier.
  const auto beyond = [&](double k) {
    const double g1 = p.eta * p.d(m, k), g2 = g1 - p.eta * p.sd;
    const double h1 = p.eta * p.reflected(m, t.barrier, k), h2 = h1 - p.eta * p.sd;
    return Probabilities{bivariate_normal_cdf(g1, p.eta * p.e1, p.rho) -
                             p.power_spot * bivariate_normal_cdf(h1, -p.eta * p.e3, -p.rho),
                         bivariate_normal_cdf(g2, p.eta * p.e2, p.rho) -
                             p.power_bond * bivariate_normal_cdf(h2, -p.eta * p.e4, -p.rho)};
  };
  const auto gain = [&](double k) {
    const Probabilities q = beyond(k);
    return p.spot * q.spot - t.strike * p.discount * q.bond;
  };
  const double survival = beyond(t.barrier).bond;
  double out = 0;
  if (t.sign == p.eta)
    out = t.sign * gain(t.up ? std::min(t.strike, t.barrier) : std::max(t.strike, t.barrier));
  else if (t.up ? t.strike < t.barrier : t.strike > t.barrier)
    out = t.sign * (gain(t.barrier) - gain(t.strike));
  return with_rebate(m, t, out, survival);
}

}  // namespace gsim::pricing
