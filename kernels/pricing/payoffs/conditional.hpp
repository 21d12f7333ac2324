#pragma once
// Conditional Monte Carlo: under Heston and Bates the log-spot at a date is normal conditional on
// the variance path and the jumps, so the conditional expectation of a European or digital payoff
// is a Black-Scholes value. Averaging conditional expectations instead of payoffs leaves only the
// variance due to the variance path and the jumps (Willard, "Calculating prices and sensitivities
// for path-independent derivative securities in multifactor models", Journal of Derivatives 5(1),
// 1997; Romano and Touzi, "Contingent claims and market completeness in a stochastic volatility
// model", Mathematical Finance 7(4), 1997).

#include "kernels/pricing/payoffs/black.hpp"
#include "kernels/pricing/payoffs/underlying.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// With F the conditional mean of the spot and w the conditional variance of its logarithm, d1,2 =
/// (ln(F / K) +- w / 2) / sqrt(w): sign (F N(sign d1) - K N(sign d2)) with both terms (Black 1976,
/// eq. 16), F N(sign d1) with the asset term alone (asset digital), cash N(sign d2) with the cash
/// term alone (cash digital).
template <class Policy, class P, class T, bool asset_term, bool cash_term>
struct ConditionalPayoff {
  struct State {
    P mean, variance;
  };
  const PayoffView<T>* terms;

  GSIM_HD explicit ConditionalPayoff(const PayoffView<T>& p) : terms(&p) {}
  GSIM_HD State start() const { return {P(T(0)), P(T(0))}; }
  template <class Spots>
  GSIM_HD void on_fixing(State& s, Index, const Spots& spots) const {
    s = {spots[terms->asset[0]], spots.variance(terms->asset[0])};
  }
  GSIM_HD P value(const State& s) const {
    const P sd = sqrt(at_least(s.variance, P(tiny<T>())));
    if constexpr (asset_term && cash_term)
      return black_value<Policy>(terms->sign, s.mean, terms->strike, sd);
    const P d = log<Policy>(s.mean / P(terms->strike)) / sd;
    const P half = P(T(0.5)) * sd;
    const T sign = terms->sign;
    if constexpr (!asset_term) {
      return P(terms->cash) * normal_cdf<Policy>(P(sign) * (d - half));
    } else {
      return s.mean * normal_cdf<Policy>(P(sign) * (d + half));
    }
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
