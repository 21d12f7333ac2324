#pragma once
// From a tile of paths to one trade's samples: picks the payoff functor once for a range of paths.

#include "kernels/pricing/payoffs/asian.hpp"
#include "kernels/pricing/payoffs/barrier.hpp"
#include "kernels/pricing/payoffs/conditional.hpp"
#include "kernels/pricing/payoffs/lookback.hpp"
#include "kernels/pricing/payoffs/periodic.hpp"
#include "kernels/pricing/payoffs/terminal.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Undiscounted payoffs of paths [first, last) of the tile, a whole number of groups, into values,
/// which share no memory with tile and program: what these say stays in registers.
template <class P, class T, class Payoff>
GSIM_HD void replay_paths(const Payoff& payoff, const Program<T>& program, const Tile<T>& tile,
                          Index first, Index last, T* __restrict values) {
  if constexpr (requires { Payoff::last_fixing_only; }) {
    const Index i = program.fixings - 1;
    const T* const row = tile.data + program.record[i] * tile.rows * tile.stride;
    for (Index path = first; path < last; path += lanes_of<P>) {
      auto state = payoff.start();
      payoff.on_fixing(state, i, TileSpots<P, T>{&tile, row + path});
      store(values + (path - first), payoff.value(state));
    }
  } else {
    for (Index path = first; path < last; path += lanes_of<P>)
      store(values + (path - first),
            replay<P>(payoff, tile, program.record, program.fixings, path));
  }
}

/// Expectations given the path of the variance: of one asset only.
template <class Policy, class P, class T>
GSIM_HD void evaluate_conditional(const Program<T>& p, const Tile<T>& tile, Index first, Index last,
                                  T* values) {
  const auto with = [&](const auto& payoff) {
    replay_paths<P>(payoff, p, tile, first, last, values);
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
    replay_paths<P>(payoff, p, tile, first, last, values);
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

/// Discounted sample s from the paths' values: the mean of a path and its mirror image.
template <class T>
GSIM_HD double sample_value(const Program<T>& p, const T* values, Index s, Index mirror_offset) {
  const double v = static_cast<double>(values[s]);
  if (mirror_offset == 0) return p.discount * v;
  return p.discount * (0.5 * (v + static_cast<double>(values[s + mirror_offset])));
}

}  // namespace pricing_kernels
GSIM_TARGET_END
