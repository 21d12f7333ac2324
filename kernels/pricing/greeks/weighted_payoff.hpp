#pragma once
// Digital and discretely monitored barrier payoffs times 1 + W, where W is the derivative of the
// logarithm of the density of the path at the fixings: the likelihood-ratio method (Broadie and
// Glasserman 1996, "Estimating security price derivatives using simulation", Management Science
// 42(2), 269; Glasserman 2004, section 7.3).

#include "gsim/pricing/sample_payoff.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// With u_i the standardised change of the log-spot since the fixing before,
///   W = c + sum over i of a_i u_i + b_i (u_i^2 - 1).
/// Numbers: sign, strike, kind of the payment in the money (0: an option, 1: cash, 2: the asset),
/// cash, orientation (1: up, -1: down), orientation times the barrier, knock-in (0 or 1), rebate,
/// c, and of each fixing: mean and inverse standard deviation of the change, a_i, b_i, monitored (0
/// or 1).
template <class Policy, class P, class T>
struct WeightedPayoff {
  static constexpr bool reads_logs = true;
  static constexpr int first = 9, each = 5;  ///< of the numbers of the fixings
  struct State {
    P spot, log, extreme, weight;
  };
  const PayoffTerms<T>* terms;

  GSIM_HD explicit WeightedPayoff(const PayoffTerms<T>& t) : terms(&t) {}
  GSIM_HD State start() const {
    return {P(T(0)), P(T(0)), P(lowest<T>()), P(T(1) + terms->number[8])};
  }
  template <class Spots>
  GSIM_HD void on_fixing(State& s, Index i, const Spots& spots) const {
    const T* const n = terms->number;
    const T* const m = n + first + each * i;
    s.spot = spots[terms->asset[0]];
    const P log = spots.log(terms->asset[0]);
    const P u = (log - s.log - P(m[0])) * P(m[1]);
    s.weight = s.weight + fma(P(m[2]), u, P(m[3]) * fma(u, u, P(T(-1))));
    s.log = log;
    if (m[4] != T(0)) s.extreme = at_least(P(n[4]) * s.spot, s.extreme);
  }
  GSIM_HD P value(const State& s) const {
    const T* const n = terms->number;
    const P gain = P(n[0]) * (s.spot - P(n[1]));
    P paid = at_least(gain, P(T(0)));
    if (n[2] != T(0)) paid = select(gain > P(T(0)), n[2] == T(1) ? P(n[3]) : s.spot, P(T(0)));
    const auto touched = s.extreme >= P(n[5]);
    const P rebate(n[7]);
    paid = n[6] == T(0) ? select(touched, rebate, paid) : select(touched, paid, rebate);
    return paid * s.weight;
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
