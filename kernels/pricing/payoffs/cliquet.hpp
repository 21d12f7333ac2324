#pragma once
// Cliquets: sums of the returns of periods between fixings, each clipped to local limits and the
// sum to global limits.

#include "kernels/pricing/payoffs/payoff_of.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

template <class P, class U, class T>
struct CliquetPayoff {
  struct State {
    P previous, sum;
  };
  const PayoffView<T>* terms;
  U underlying;

  GSIM_HD explicit CliquetPayoff(const PayoffView<T>& p) : terms(&p), underlying(p) {}
  GSIM_HD State start() const { return {P(terms->past_last), P(terms->past_sum)}; }
  template <class Spots>
  GSIM_HD void on_fixing(State& s, Index i, const Spots& spots) const {
    const PayoffView<T>& p = *terms;
    const P spot = underlying.spot(spots);
    if (i > 0 || p.has_past_last) {
      const P gain = P(p.sign) * (spot / s.previous - P(p.strike));
      s.sum = s.sum + at_most(at_least(gain, P(p.local_floor)), P(p.local_cap));
    }
    s.previous = spot;
  }
  GSIM_HD P value(const State& s) const {
    return at_most(at_least(s.sum, P(terms->global_floor)), P(terms->global_cap));
  }
};

template <>
struct PayoffOf<PayoffFormula::cliquet> {
  template <class Policy, class P, class U, class T, class Use>
  static GSIM_HD void with_functor(const PayoffView<T>& terms, const Use& use) {
    use(CliquetPayoff<P, U, T>(terms));
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
