#pragma once
// Forward contracts on the underlying at the last fixing; with strike 0, the underlying itself,
// which is a control variate.

#include "kernels/pricing/payoffs/terminal.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

template <class P, class U, class T>
struct ForwardPayoff : TerminalPayoff<P, U, T> {
  using TerminalPayoff<P, U, T>::TerminalPayoff;
  GSIM_HD P value(const P& spot) const { return spot - P(this->terms->strike); }
};

template <>
struct PayoffOf<PayoffFormula::forward> {
  static constexpr bool is_linear = true;
  template <class Policy, class P, class U, class T, class Use>
  static GSIM_HD void with_functor(const PayoffView<T>& terms, const Use& use) {
    use(ForwardPayoff<P, U, T>(terms));
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
