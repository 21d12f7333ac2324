#pragma once
// Payoffs that are a sum of one term per period between fixings.

#include "kernels/pricing/payoffs/underlying.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Sum of period returns, each clipped to local limits and the sum to global limits.
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

/// Realised variance from squared log returns, minus the strike.
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

}  // namespace pricing_kernels
GSIM_TARGET_END
