#pragma once
// Payoffs of the underlying at the last fixing (and, for forward starts, at the first). The
// formulas are documented at TradeSetup in src/modules/pricing/trades/trade_setup.hpp. All are
// undiscounted.

#include "kernels/pricing/payoffs/underlying.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// sign (S_T - strike), floored at zero.
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

/// The underlying itself.
template <class P, class U, class T>
struct ForwardPayoff : TerminalPayoff<P, U, T> {
  using TerminalPayoff<P, U, T>::TerminalPayoff;
  GSIM_HD P value(const P& spot) const { return spot; }
};

template <class P, class U, class T>
struct VanillaPayoff : TerminalPayoff<P, U, T> {
  using TerminalPayoff<P, U, T>::TerminalPayoff;
  GSIM_HD P value(const P& spot) const {
    return call_or_put(spot, P(this->terms->strike), this->terms->sign);
  }
};

/// The underlying, or a fixed amount, if the option ends in the money.
template <class P, class U, class T, bool asset>
struct DigitalPayoff : TerminalPayoff<P, U, T> {
  using TerminalPayoff<P, U, T>::TerminalPayoff;
  GSIM_HD P value(const P& spot) const {
    const PayoffView<T>& p = *this->terms;
    const P gain = P(p.sign) * (spot - P(p.strike));
    const P paid = asset ? spot : P(p.cash);
    // Multiplication by 0 propagates NaN.
    return select(gain > P(T(0)), paid, gain * P(T(0)));
  }
};

/// A vanilla whose strike is a multiple of the first fixing.
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

}  // namespace pricing_kernels
GSIM_TARGET_END
