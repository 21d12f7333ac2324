#pragma once
// Conditional expectations of digital and barrier payoffs, which are smooth functions of the spots,
// for assets whose log-spot has independent normal increments.

#include "gsim/pricing/sample_payoff.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// The expectation of a digital payoff given the spot at its first fixing (Glasserman 2004, section
/// 7.2.3): cash N(sign d), or S growth N(sign (d + sd)) for a digital that pays the asset. With x
/// the logarithm of the spot relative to S(0), d = (x + offset) / sd, where sd^2 is the variance of
/// the logarithm from then to maturity and offset = ln(S(0) / K) + drift - sd^2 / 2.
/// Numbers: sign, pays the asset (0 or 1), cash, growth, offset, sd.
template <class Policy, class P, class T>
struct SmoothedDigital {
  static constexpr bool reads_logs = true;
  struct State {
    P spot, log;
  };
  const PayoffTerms<T>* terms;

  GSIM_HD explicit SmoothedDigital(const PayoffTerms<T>& t) : terms(&t) {}
  GSIM_HD State start() const { return {P(T(0)), P(T(0))}; }
  template <class Spots>
  GSIM_HD void on_fixing(State& s, Index i, const Spots& spots) const {
    if (i == 0) s = {spots[terms->asset[0]], spots.log(terms->asset[0])};
  }
  GSIM_HD P value(const State& s) const {
    const T* n = terms->number;
    const P sign(n[0]), sd(n[5]), d = (s.log + P(n[4])) / sd;
    if (n[1] == T(0)) return P(n[2]) * normal_cdf<Policy>(sign * d);
    return P(n[3]) * s.spot * normal_cdf<Policy>(sign * (d + sd));
  }
};

/// The expectation of a continuously monitored barrier option given the spots at its fixings: with
/// b > 0 the distance of the logarithm of the barrier from ln S(0), and x of the path in the
/// direction of the barrier, the path touches the barrier between fixings at x_1 and x_2 below b
/// with probability exp(-2 (b - x_1) (b - x_2) / v), where v is the variance of ln S between them
/// (Glasserman 2004, section 6.4, eq. 6.50).
/// Numbers: sign, strike, orientation (1: up, -1: down), b, knock-in (0 or 1), rebate, and of each
/// interval -2 / v, or 0 if it is not monitored.
template <class Policy, class P, class T>
struct SmoothedBarrier {
  static constexpr bool reads_logs = true;
  struct State {
    P spot, distance, survival;
  };
  const PayoffTerms<T>* terms;

  GSIM_HD explicit SmoothedBarrier(const PayoffTerms<T>& t) : terms(&t) {}
  GSIM_HD State start() const { return {P(T(0)), at_least(P(terms->number[3]), P(T(0))), P(T(1))}; }
  template <class Spots>
  GSIM_HD void on_fixing(State& s, Index i, const Spots& spots) const {
    const T* n = terms->number;
    s.spot = spots[terms->asset[0]];
    const P distance = at_least(P(n[3]) - P(n[2]) * spots.log(terms->asset[0]), P(T(0)));
    if (n[6 + i] != T(0)) {
      const P touch = exp<Policy>(P(n[6 + i]) * s.distance * distance);
      s.survival = s.survival * (P(T(1)) - touch);
    }
    s.distance = distance;
  }
  GSIM_HD P value(const State& s) const {
    const T* n = terms->number;
    const P option = at_least(P(n[0]) * (s.spot - P(n[1])), P(T(0))), rebate(n[5]);
    const P touched = P(T(1)) - s.survival;
    return n[4] == T(0) ? fma(s.survival, option, touched * rebate)
                        : fma(touched, option, s.survival * rebate);
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
