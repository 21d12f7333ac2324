#pragma once
// Barrier options that are monitored continuously in a part of their lives.

#include "gsim/pricing/sample_payoff.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// The fixings are the recorded dates of the window after its start, and the maturity. An up
/// barrier monitors the largest spot between them, a down barrier minus the smallest one, as
/// logarithms relative to S(0).
/// Numbers: sign, strike, orientation (1: up, -1: down), orientation times the logarithm of the
/// barrier relative to S(0), knock-in (0 or 1), rebate, touched already (0 or 1), number of
/// monitored fixings.
template <class Policy, class P, class T>
struct WindowBarrier {
  struct State {
    P extreme, last;
  };
  const PayoffTerms<T>* terms;
  Index monitored;

  GSIM_HD explicit WindowBarrier(const PayoffTerms<T>& t)
      : terms(&t), monitored(static_cast<Index>(t.number[7])) {}
  GSIM_HD State start() const {
    return {terms->number[6] != T(0) ? P(terms->number[3]) : P(lowest<T>()), P(T(0))};
  }
  template <class Spots>
  GSIM_HD void on_fixing(State& s, Index i, const Spots& spots) const {
    const Index a = terms->asset[0];
    s.last = spots[a];
    if (i >= monitored) return;
    s.extreme =
        at_least(terms->number[2] > T(0) ? spots.all.maximum(a) : -spots.all.minimum(a), s.extreme);
  }
  GSIM_HD P value(const State& s) const {
    const T* n = terms->number;
    const P option = at_least(P(n[0]) * (s.last - P(n[1])), P(T(0))), rebate(n[5]);
    const auto touched = s.extreme >= P(n[3]);
    return n[4] != T(0) ? select(touched, option, rebate) : select(touched, rebate, option);
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
