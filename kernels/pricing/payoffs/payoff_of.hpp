#pragma once
// How a payoff formula of pricing's own loop is evaluated. Each formula is one specialisation of
// PayoffOf in a header of this folder, for example
//
//   template <>
//   struct PayoffOf<PayoffFormula::ladder> {
//     template <class Policy, class P, class U, class T, class Use>
//     static GSIM_HD void with_functor(const PayoffView<T>& terms, const Use& use) {
//       use(LadderPayoff<P, U, T>(terms));
//     }
//   };
//
// The build finds the specialisation, adds the name to PayoffFormula and compiles the functor into
// the loop. src/modules/pricing/payoffs/ladder.cpp registers the payoff and selects the formula. P
// is the type of a group of paths, U the underlying (underlying.hpp), T double or float. The
// functor is a payoff of gsim/pricing/payoff.hpp that is constructed from the PayoffView (job.hpp),
// where TradeSetup::numbers are PayoffView::number. with_functor() may choose among functors by the
// terms.
//
// A specialisation may also declare
//   static constexpr bool reads_logs = true;  // the functor reads logarithms of spots
//   static constexpr bool is_fused = false;   // the functor is too large for the kernels that
//                                             // evaluate payoffs while they simulate paths
//   static constexpr bool is_linear = true;   // in the spots: its conditional expectation is its
//                                             // value at their conditional means
//   template <class Policy, class P, class T>
//   using Conditional = …;                    // the functor of its expectation conditional on the
//                                             // variance path (conditional.hpp)

#include "kernels/pricing/payoffs/underlying.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

template <PayoffFormula formula>
struct PayoffOf;

}  // namespace pricing_kernels
GSIM_TARGET_END
