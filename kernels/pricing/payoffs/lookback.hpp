#pragma once
// Lookback options on the largest or smallest spot, over the fixings or over the continuous path
// (Goldman, Sosin and Gatto 1979; Conze and Viswanathan 1991).

#include "kernels/pricing/payoffs/barrier.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

template <class Policy, class P, class U, class T, bool floating>
struct LookbackPayoff {
  struct State {
    P extreme, last;
  };
  const PayoffView<T>* terms;
  U underlying;

  GSIM_HD explicit LookbackPayoff(const PayoffView<T>& p) : terms(&p), underlying(p) {}
  GSIM_HD State start() const { return {P(lowest<T>()), P(T(0))}; }
  template <class Spots>
  GSIM_HD void on_fixing(State& s, Index, const Spots& spots) const {
    s.last = underlying.spot(spots);
    s.extreme = at_least(monitored(*terms, s.last, spots), s.extreme);
  }
  GSIM_HD P value(const State& s) const {
    const PayoffView<T>& p = *terms;
    const P orientation(p.orientation);
    P monitored_extreme = s.extreme;
    if (p.continuous)
      monitored_extreme = orientation * (P(p.spot) * exp<Policy>(orientation * s.extreme));
    const P extreme = orientation * at_least(monitored_extreme, P(p.past_extreme));
    // Floating: call S_T - minimum, put maximum - S_T; fixed: call maximum - strike, put strike -
    // minimum.
    if constexpr (floating) return at_least(P(p.sign) * (s.last - extreme), P(T(0)));
    return call_or_put(extreme, P(p.strike), p.sign);
  }
};

template <>
struct PayoffOf<PayoffFormula::lookback_fixed> {
  template <class Policy, class P, class U, class T, class Use>
  static GSIM_HD void with_functor(const PayoffView<T>& terms, const Use& use) {
    use(LookbackPayoff<Policy, P, U, T, false>(terms));
  }
};

template <>
struct PayoffOf<PayoffFormula::lookback_floating> {
  template <class Policy, class P, class U, class T, class Use>
  static GSIM_HD void with_functor(const PayoffView<T>& terms, const Use& use) {
    use(LookbackPayoff<Policy, P, U, T, true>(terms));
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
