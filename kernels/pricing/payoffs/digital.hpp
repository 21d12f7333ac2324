#pragma once
// Digital options, which pay a fixed amount (cash) or the underlying (asset) if they end in the
// money.

#include "kernels/pricing/payoffs/conditional.hpp"
#include "kernels/pricing/payoffs/terminal.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

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

template <>
struct PayoffOf<PayoffFormula::cash_digital> {
  template <class Policy, class P, class T>
  using Conditional = ConditionalPayoff<Policy, P, T, false, true>;  // the cash term alone
  template <class Policy, class P, class U, class T, class Use>
  static GSIM_HD void with_functor(const PayoffView<T>& terms, const Use& use) {
    use(DigitalPayoff<P, U, T, false>(terms));
  }
};

template <>
struct PayoffOf<PayoffFormula::asset_digital> {
  template <class Policy, class P, class T>
  using Conditional = ConditionalPayoff<Policy, P, T, true, false>;  // the asset term alone
  template <class Policy, class P, class U, class T, class Use>
  static GSIM_HD void with_functor(const PayoffView<T>& terms, const Use& use) {
    use(DigitalPayoff<P, U, T, true>(terms));
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
