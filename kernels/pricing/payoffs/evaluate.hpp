#pragma once
// From a tile of paths to one trade's samples: picks the payoff functor once for a range of paths.

#include "gsim/pricing/sample_payoff.hpp"
#include "kernels/pricing/payoffs/asian.hpp"
#include "kernels/pricing/payoffs/barrier.hpp"
#include "kernels/pricing/payoffs/conditional.hpp"
#include "kernels/pricing/payoffs/lookback.hpp"
#include "kernels/pricing/payoffs/periodic.hpp"
#include "kernels/pricing/payoffs/terminal.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Expectations given the path of the variance: of one asset only.
template <class Policy, class P, class T>
GSIM_HD void evaluate_conditional(const Program<T>& p, const Tile<T>& tile, Index first, Index last,
                                  T* values) {
  const auto with = [&](const auto& payoff) {
    replay_paths<P, TileSpots<P, T>>(payoff, p.record, p.fixings, tile, first, last, values);
  };
  if (p.payoff == PayoffId::conditional_vanilla)
    return with(ConditionalPayoff<Policy, P, T, true, true>(p));
  if (p.payoff == PayoffId::conditional_asset_digital)
    return with(ConditionalPayoff<Policy, P, T, true, false>(p));
  with(ConditionalPayoff<Policy, P, T, false, true>(p));
}

/// The same with the payoff that the program names, on underlying U.
template <class Policy, class P, class U, class T>
GSIM_HD void evaluate_on(const Program<T>& p, const Tile<T>& tile, Index first, Index last,
                         T* values) {
  const auto with = [&](const auto& payoff) {
    replay_paths<P, TileSpots<P, T>>(payoff, p.record, p.fixings, tile, first, last, values);
  };
  const bool weighted = p.fixing_weight != nullptr;
  switch (p.payoff) {
    case PayoffId::forward:
      return with(ForwardPayoff<P, U, T>(p));
    case PayoffId::vanilla:
      return with(VanillaPayoff<P, U, T>(p));
    case PayoffId::cash_digital:
      return with(DigitalPayoff<P, U, T, false>(p));
    case PayoffId::asset_digital:
      return with(DigitalPayoff<P, U, T, true>(p));
    case PayoffId::forward_start:
      return with(ForwardStartPayoff<P, U, T>(p));
    case PayoffId::cliquet:
      return with(CliquetPayoff<P, U, T>(p));
    case PayoffId::asian_arithmetic:
      if (weighted) return with(AsianPayoff<Policy, P, U, T, false, true>(p));
      return with(AsianPayoff<Policy, P, U, T, false, false>(p));
    case PayoffId::asian_geometric:
      if (weighted) return with(AsianPayoff<Policy, P, U, T, true, true>(p));
      return with(AsianPayoff<Policy, P, U, T, true, false>(p));
    case PayoffId::barrier:
      return with(BarrierPayoff<P, U, T, false>(p));
    case PayoffId::barrier_rebate_at_hit:
      return with(BarrierPayoff<P, U, T, true>(p));
    case PayoffId::lookback_fixed:
      return with(LookbackPayoff<Policy, P, U, T, false>(p));
    case PayoffId::lookback_floating:
      return with(LookbackPayoff<Policy, P, U, T, true>(p));
    case PayoffId::variance_swap:
      return with(VarianceSwapPayoff<P, U, T>(p));
    case PayoffId::conditional_vanilla:
    case PayoffId::conditional_cash_digital:
    case PayoffId::conditional_asset_digital:
      return;  // evaluate_paths took them
    case PayoffId::plugged:
      return;  // its plugin evaluates it (PluggedTrade)
  }
}

template <class Policy, class P, class T>
GSIM_HD void evaluate_paths(const Program<T>& p, const Tile<T>& tile, Index first, Index last,
                            T* values) {
  if (p.payoff >= PayoffId::conditional_vanilla)
    evaluate_conditional<Policy, P>(p, tile, first, last, values);
  else if (p.combine == Combine::single)
    evaluate_on<Policy, P, SingleUnderlying<P, T>>(p, tile, first, last, values);
  else
    evaluate_on<Policy, P, CombinedUnderlying<Policy, P, T>>(p, tile, first, last, values);
}

}  // namespace pricing_kernels
GSIM_TARGET_END
