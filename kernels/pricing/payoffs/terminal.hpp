#pragma once
// Common parts of payoffs that depend on the underlying at the last fixing only. Payoffs are
// undiscounted.

#include "kernels/pricing/payoffs/payoff_of.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// sign (S_T - strike), floored at zero; `sign` is 1 for a call, -1 for a put.
template <class P, class T>
GSIM_HD P call_or_put(P spot, P strike, T sign) {
  return at_least(P(sign) * (spot - strike), P(T(0)));
}

/// Payoffs that depend on the last fixing only.
template <class P, class U, class T>
struct TerminalPayoff {
  using State = P;
  static constexpr bool last_fixing_only = true;  ///< no other fixing changes the state
  const PayoffView<T>* terms;
  U underlying;

  GSIM_HD explicit TerminalPayoff(const PayoffView<T>& p) : terms(&p), underlying(p) {}
  GSIM_HD State start() const { return P(T(0)); }
  template <class Spots>
  GSIM_HD void on_fixing(State& last, Index, const Spots& spots) const {
    last = underlying.spot(spots);
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
