#pragma once
// From a PayoffFormula, which is known at run time, to its specialisation of PayoffOf.

#include "kernels/pricing/payoffs/list.hpp"  // written by the build

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Calls use(PayoffOf<formula>{}). For PayoffFormula::launched nothing is called.
template <class Use>
GSIM_HD void with_payoff(PayoffFormula formula, const Use& use) {
  switch (formula) {
#define GSIM_CASE(name)                   \
  case PayoffFormula::name:               \
    use(PayoffOf<PayoffFormula::name>{}); \
    return;
    GSIM_PAYOFF_FORMULAS(GSIM_CASE)
#undef GSIM_CASE
    case PayoffFormula::launched:
      return;
  }
}

/// Whether the functor of a formula reads logarithms of spots.
GSIM_HD bool reads_logs(PayoffFormula formula) {
  bool found = false;
  with_payoff(formula, [&](auto payoff) {
    found = requires { decltype(payoff)::reads_logs; };
  });
  return found;
}

/// Whether a formula is linear in the spots.
GSIM_HD bool is_linear(PayoffFormula formula) {
  bool found = false;
  with_payoff(formula, [&](auto payoff) {
    found = requires { decltype(payoff)::is_linear; };
  });
  return found;
}

template <class Payoff>
concept HasConditionalForm = requires {
  typename Payoff::template Conditional<Strict, double, double>;
};

/// Whether the expectation of a formula conditional on the variance path has a closed form.
GSIM_HD bool has_conditional_form(PayoffFormula formula) {
  bool found = false;
  with_payoff(formula, [&](auto payoff) { found = HasConditionalForm<decltype(payoff)>; });
  return found;
}

}  // namespace pricing_kernels
GSIM_TARGET_END
