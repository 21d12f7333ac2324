#pragma once
// Variance swaps: realised variance, from squared log returns between fixings, minus the strike.

#include "kernels/pricing/payoffs/payoff_of.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

template <class P, class U, class T>
struct VarianceSwapPayoff {
  struct State {
    P previous, sum;
  };
  const PayoffView<T>* terms;
  U underlying;

  GSIM_HD explicit VarianceSwapPayoff(const PayoffView<T>& p) : terms(&p), underlying(p) {}
  GSIM_HD State start() const { return {P(terms->past_last_log), P(terms->past_sum)}; }
  template <class Spots>
  GSIM_HD void on_fixing(State& s, Index i, const Spots& spots) const {
    const P now = underlying.log_spot(spots);
    if (i > 0 || terms->has_past_last) {
      const P change = now - s.previous;
      s.sum = fma(change, change, s.sum);
    }
    s.previous = now;
  }
  GSIM_HD P value(const State& s) const {
    return P(terms->sign) * fma(P(terms->annualisation), s.sum, P(-terms->strike));
  }
};

template <>
struct PayoffOf<PayoffFormula::variance_swap> {
  static constexpr bool reads_logs = true;
  template <class Policy, class P, class U, class T, class Use>
  static GSIM_HD void with_functor(const PayoffView<T>& terms, const Use& use) {
    use(VarianceSwapPayoff<P, U, T>(terms));
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
