#pragma once
// Evaluation of one trade's samples from a tile of paths: the payoff functor is selected once for a
// range of paths.

#include "gsim/pricing/sample_payoff.hpp"
#include "kernels/pricing/payoffs/dispatch.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Writes the undiscounted payoffs of the paths [first, last) of the tile, a whole number of packs
/// P, to `values`; if terms.conditional is set, their expectations given the path of the variance.
template <class Policy, class P, class T>
GSIM_HD void evaluate_paths(const PayoffView<T>& terms, const Tile<T>& tile, Index first,
                            Index last, T* values) {
  const auto evaluate = [&](const auto& functor) {
    evaluate_payoffs<P, TileSpots<P, T>>(functor, terms.record, terms.fixings, tile, first, last,
                                         values);
  };
  if (terms.conditional) {
    with_payoff(terms.formula, [&](auto payoff) {
      using Payoff = decltype(payoff);
      if constexpr (HasConditionalForm<Payoff>)
        evaluate(typename Payoff::template Conditional<Policy, P, T>(terms));
    });
  } else if (terms.combination == Combination::single) {
    with_payoff(terms.formula, [&](auto payoff) {
      decltype(payoff)::template with_functor<Policy, P, SingleUnderlying<P, T>>(terms, evaluate);
    });
  } else {
    with_payoff(terms.formula, [&](auto payoff) {
      decltype(payoff)::template with_functor<Policy, P, CombinedUnderlying<Policy, P, T>>(
          terms, evaluate);
    });
  }
}

}  // namespace pricing_kernels
GSIM_TARGET_END
