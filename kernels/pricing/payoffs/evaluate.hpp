#pragma once
// Evaluation of one trade's samples from a tile of paths: the payoff functor is selected once for a
// range of paths.

#include "gsim/pricing/sample_payoff.hpp"
#include "kernels/pricing/payoffs/asian.hpp"
#include "kernels/pricing/payoffs/barrier.hpp"
#include "kernels/pricing/payoffs/conditional.hpp"
#include "kernels/pricing/payoffs/lookback.hpp"
#include "kernels/pricing/payoffs/periodic.hpp"
#include "kernels/pricing/payoffs/terminal.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Expectations conditional on the variance path, for payoffs on one asset.
template <class Policy, class P, class T>
GSIM_HD void evaluate_conditional(const PayoffView<T>& p, const Tile<T>& tile, Index first,
                                  Index last, T* values) {
  const auto with = [&](const auto& payoff) {
    replay_paths<P, TileSpots<P, T>>(payoff, p.record, p.fixings, tile, first, last, values);
  };
  if (p.formula == PayoffFormula::vanilla)
    return with(ConditionalPayoff<Policy, P, T, true, true>(p));
  if (p.formula == PayoffFormula::asset_digital)
    return with(ConditionalPayoff<Policy, P, T, true, false>(p));
  with(ConditionalPayoff<Policy, P, T, false, true>(p));
}

/// The payoff of `p.formula` on the underlying U.
template <class Policy, class P, class U, class T>
GSIM_HD void evaluate_on(const PayoffView<T>& p, const Tile<T>& tile, Index first, Index last,
                         T* values) {
  const auto with = [&](const auto& payoff) {
    replay_paths<P, TileSpots<P, T>>(payoff, p.record, p.fixings, tile, first, last, values);
  };
  const bool weighted = p.fixing_weight != nullptr;
  switch (p.formula) {
    case PayoffFormula::forward:
      return with(ForwardPayoff<P, U, T>(p));
    case PayoffFormula::vanilla:
      return with(VanillaPayoff<P, U, T>(p));
    case PayoffFormula::cash_digital:
      return with(DigitalPayoff<P, U, T, false>(p));
    case PayoffFormula::asset_digital:
      return with(DigitalPayoff<P, U, T, true>(p));
    case PayoffFormula::forward_start:
      return with(ForwardStartPayoff<P, U, T>(p));
    case PayoffFormula::cliquet:
      return with(CliquetPayoff<P, U, T>(p));
    case PayoffFormula::asian_arithmetic:
      if (weighted) return with(AsianPayoff<Policy, P, U, T, false, true>(p));
      return with(AsianPayoff<Policy, P, U, T, false, false>(p));
    case PayoffFormula::asian_geometric:
      if (weighted) return with(AsianPayoff<Policy, P, U, T, true, true>(p));
      return with(AsianPayoff<Policy, P, U, T, true, false>(p));
    case PayoffFormula::barrier:
      if (p.rebate_at_hit != nullptr) return with(BarrierPayoff<P, U, T, true>(p));
      return with(BarrierPayoff<P, U, T, false>(p));
    case PayoffFormula::lookback_fixed:
      return with(LookbackPayoff<Policy, P, U, T, false>(p));
    case PayoffFormula::lookback_floating:
      return with(LookbackPayoff<Policy, P, U, T, true>(p));
    case PayoffFormula::variance_swap:
      return with(VarianceSwapPayoff<P, U, T>(p));
    case PayoffFormula::launched:
      return;  // evaluated by the launchers of its kind (LaunchedTrade)
  }
}

template <class Policy, class P, class T>
GSIM_HD void evaluate_paths(const PayoffView<T>& p, const Tile<T>& tile, Index first, Index last,
                            T* values) {
  if (p.conditional)
    evaluate_conditional<Policy, P>(p, tile, first, last, values);
  else if (p.combination == Combination::single)
    evaluate_on<Policy, P, SingleUnderlying<P, T>>(p, tile, first, last, values);
  else
    evaluate_on<Policy, P, CombinedUnderlying<Policy, P, T>>(p, tile, first, last, values);
}

}  // namespace pricing_kernels
GSIM_TARGET_END
