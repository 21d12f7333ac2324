#pragma once
// Forward-start options: the strike is a multiple of the underlying at the first fixing.

#include "kernels/pricing/payoffs/terminal.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

template <class P, class U, class T>
struct ForwardStartPayoff {
  struct State {
    P first, last;
  };
  const PayoffView<T>* terms;
  U underlying;

  GSIM_HD explicit ForwardStartPayoff(const PayoffView<T>& p) : terms(&p), underlying(p) {}
  GSIM_HD State start() const { return {P(T(0)), P(T(0))}; }
  template <class Spots>
  GSIM_HD void on_fixing(State& s, Index i, const Spots& spots) const {
    s.last = underlying.spot(spots);
    if (i == 0) s.first = s.last;
  }
  GSIM_HD P value(const State& s) const {
    return call_or_put(s.last, P(terms->strike) * s.first, terms->sign);
  }
};

template <>
struct PayoffOf<PayoffFormula::forward_start> {
  template <class Policy, class P, class U, class T, class Use>
  static GSIM_HD void with_functor(const PayoffView<T>& terms, const Use& use) {
    use(ForwardStartPayoff<P, U, T>(terms));
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
