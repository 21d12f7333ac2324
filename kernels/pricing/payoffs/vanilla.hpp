#pragma once
// Calls and puts on the underlying at the last fixing.

#include "kernels/pricing/payoffs/conditional.hpp"
#include "kernels/pricing/payoffs/terminal.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

template <class P, class U, class T>
struct VanillaPayoff : TerminalPayoff<P, U, T> {
  using TerminalPayoff<P, U, T>::TerminalPayoff;
  GSIM_HD P value(const P& spot) const {
    return call_or_put(spot, P(this->terms->strike), this->terms->sign);
  }
};

template <>
struct PayoffOf<PayoffFormula::vanilla> {
  template <class Policy, class P, class T>
  using Conditional = ConditionalPayoff<Policy, P, T, true, true>;
  template <class Policy, class P, class U, class T, class Use>
  static GSIM_HD void with_functor(const PayoffView<T>& terms, const Use& use) {
    use(VanillaPayoff<P, U, T>(terms));
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
