#pragma once
// Single barriers: eight kinds, monitored at the fixings or continuously. An up barrier monitors
// the largest spot, a down barrier the largest value of minus the spot, so that one comparison
// suffices for both (`orientation`). Continuous monitoring compares extremes as logarithms relative
// to S(0).

#include "kernels/pricing/payoffs/terminal.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// The monitored value at one fixing: orientation times the spot, or times the extreme of the path
/// since the preceding recorded date.
template <class P, class T, class Spots>
GSIM_HD P monitored(const PayoffView<T>& p, P spot, const Spots& spots) {
  if (!p.continuous) return P(p.orientation) * spot;
  const Index a = p.asset[0];
  return p.orientation > T(0) ? spots.maximum(a) : -spots.minimum(a);
}

/// With `at_hit` the rebate is paid when the barrier is touched, and discounted from the first
/// fixing at which the barrier has been touched; otherwise it is paid when the option is.
template <class P, class U, class T, bool at_hit>
struct BarrierPayoff {
  struct State {
    P extreme, last, rebate;
  };
  const PayoffView<T>* terms;
  U underlying;

  GSIM_HD explicit BarrierPayoff(const PayoffView<T>& p) : terms(&p), underlying(p) {}
  GSIM_HD State start() const { return {P(terms->past_extreme), P(T(0)), P(terms->rebate)}; }
  template <class Spots>
  GSIM_HD void on_fixing(State& s, Index i, const Spots& spots) const {
    s.last = underlying.spot(spots);
    const P level(terms->level);
    const P next = at_least(monitored(*terms, s.last, spots), s.extreme);
    if constexpr (at_hit) {
      const auto first_touch = (s.extreme < level) & (next >= level);
      s.rebate = select(first_touch, P(terms->rebate_at_hit[i]), s.rebate);
    }
    s.extreme = next;
  }
  GSIM_HD P value(const State& s) const {
    const PayoffView<T>& p = *terms;
    const P option = call_or_put(s.last, P(p.strike), p.sign);
    const auto touched = s.extreme >= P(p.level);
    return p.knock_in ? select(touched, option, s.rebate) : select(touched, s.rebate, option);
  }
};

template <>
struct PayoffOf<PayoffFormula::barrier> {
  template <class Policy, class P, class U, class T, class Use>
  static GSIM_HD void with_functor(const PayoffView<T>& terms, const Use& use) {
    if (terms.rebate_at_hit != nullptr) return use(BarrierPayoff<P, U, T, true>(terms));
    use(BarrierPayoff<P, U, T, false>(terms));
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
