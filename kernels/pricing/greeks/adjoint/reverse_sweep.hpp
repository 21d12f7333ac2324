#pragma once
// The reverse sweep over a group of paths: the sums from which the adjoint Greeks of a payoff
// follow (adjoint_job.hpp).

#include <type_traits>

#include "kernels/pricing/greeks/adjoint/adjoint_job.hpp"
#include "kernels/pricing/greeks/adjoint/payoff_gradients.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// The underlying of a payoff at its fixings, and its derivatives with respect to the assets. A
/// derivative `g` of the payoff is with respect to the underlying or, with `logs`, to its
/// logarithm.
template <class P, class U, class T, bool logs>
struct PayoffFixings {
  using Spots = TileSpots<P, T>;
  static constexpr bool is_combined = !std::is_same_v<U, SingleUnderlying<P, T>>;
  const PayoffView<T>& terms;
  const Tile<T>& tile;
  Index path;
  U underlying;
  mutable Index kept = -1;  ///< the fixing of `kept_spot`
  mutable P kept_spot{};

  GSIM_HD Spots spots(Index i) const {
    return {&tile, tile.data + terms.record[i] * tile.rows * tile.stride + path};
  }
  /// The spot of several assets is kept, because sweeps over payoffs of one fixing read it often.
  GSIM_HD P spot(Index i) const {
    if constexpr (is_combined) {
      if (i != kept) {
        kept_spot = underlying.spot(spots(i));
        kept = i;
      }
      return kept_spot;
    } else {
      return underlying.spot(spots(i));
    }
  }
  GSIM_HD P log(Index i) const requires logs { return underlying.log_spot(spots(i)); }

  /// The derivative with respect to the logarithm of the underlying at fixing i.
  GSIM_HD P by_scale(Index i, P g) const { return logs ? g : g * spot(i); }
  /// The derivative with respect to the logarithm of the spot of the a-th asset at fixing i.
  GSIM_HD P by_log_spot(Index i, Index a, P g) const {
    if constexpr (!is_combined) return logs ? g : g * spots(i)[terms.asset[a]];
    if (terms.combination == Combination::geometric) return by_scale(i, g) * P(terms.weight[a]);
    const P part = P(terms.weight[a]) * spots(i)[terms.asset[a]];
    const P whole = spot(i);
    P by_part = g * part;
    if constexpr (logs) by_part = by_part / whole;
    return terms.combination == Combination::weighted_sum
               ? by_part
               : select(is_selected(i, a, part, whole), by_part, P(T(0)));
  }
  /// The derivative with respect to the weight of the a-th asset of a weighted sum or a geometric
  /// underlying.
  GSIM_HD P by_weight(Index i, Index a, P g) const {
    const Index asset = terms.asset[a];
    return terms.combination == Combination::geometric ? by_scale(i, g) * spots(i).log(asset)
                                                       : g * spots(i)[asset];
  }

 private:
  /// Whether `whole`, the best or worst of all parts, is that of the a-th asset: the first one, if
  /// several are equal.
  GSIM_HD auto is_selected(Index i, Index a, P part, P whole) const {
    auto selected = part == whole;
    GSIM_NO_UNROLL
    for (Index b = 0; b < a; ++b)
      selected = selected & (P(terms.weight[b]) * spots(i)[terms.asset[b]] != whole);
    return selected;
  }
};

/// One sweep; `put` receives each sum and its index.
template <class P, class T, class Gradient, class Fixings, class Put>
GSIM_HD void sweep_asset(const AdjointSweep<T>& asset, Gradient gradient, const Fixings& fixings,
                         const Put& put) {
  const Index a = asset.position;
  const Tile<T>& tile = fixings.tile;
  const auto log_spot = [&](std::int32_t row) {
    return load<P>(tile.data + row * tile.stride + fixings.path);
  };
  P later(T(0)), by_return(T(0)), by_profile(T(0)), weight(T(0)), scale(T(0));
  // The loops are not unrolled, so that every formula is compiled into a kernel only once.
  GSIM_NO_UNROLL
  for (Index j = 0; j < asset.dates; ++j) {
    const AdjointDate<T>& date = asset.date[j];
    if (asset.is_tangent) later = P(T(0));
    if (date.fixing >= 0) {
      const P g = gradient.at(date.fixing, fixings);
      later = later + fixings.by_log_spot(date.fixing, a, g);
      if constexpr (Fixings::is_combined) {
        if (asset.weight >= 0) weight = weight + fixings.by_weight(date.fixing, a, g);
        if (asset.scale >= 0) scale = scale + fixings.by_scale(date.fixing, g);
      }
    }
    if (date.log >= 0) {
      P change = log_spot(date.log);
      if (date.last_log >= 0) change = change - log_spot(date.last_log);
      by_return = fma(later, change, by_return);
    }
    by_profile = fma(P(date.profile), later, by_profile);
    if (date.sum < 0) continue;
    put(date.sum, by_return);
    if (asset.total >= 0) put(date.sum + 1, by_profile);
    by_return = by_profile = P(T(0));
  }
  if (asset.total < 0) return;
  put(asset.total, later);
  if constexpr (Fixings::is_combined) {
    if (asset.weight >= 0) put(asset.weight, weight);
    if (asset.scale >= 0) put(asset.scale, scale);
  }
}

template <class Policy, class P, class U, PayoffFormula formula, class T, class Put>
GSIM_HD void sweep_formula(const PayoffView<T>& terms, const AdjointSweep<T>* sweep, Index sweeps,
                           const Tile<T>& tile, Index path, const Put& put) {
  using Payoff = PayoffOf<formula>;
  constexpr bool logs = requires { Payoff::reads_logs; };
  Payoff::template with_functor<Policy, P, U>(terms, [&](const auto& payoff) {
    const PayoffFixings<P, U, T, logs> fixings{terms, tile, path, U(terms)};
    auto state = payoff.start();
    constexpr bool last_only = requires { payoff.last_fixing_only; };
    GSIM_NO_UNROLL
    for (Index i = last_only ? terms.fixings - 1 : 0; i < terms.fixings; ++i)
      payoff.on_fixing(state, i, fixings.spots(i));
    const typename GradientOf<formula>::template Gradient<Policy, P, T> gradient(terms, state);
    GSIM_NO_UNROLL
    for (Index s = 0; s < sweeps; ++s) sweep_asset<P>(sweep[s], gradient, fixings, put);
  });
}

/// Computes the sums of a payoff, undiscounted, for the group of paths from `path` on; put(s,
/// value) receives sum s. The payoff has a gradient.
template <class Policy, class P, class T, class Put>
GSIM_HD void sweep_paths(const PayoffView<T>& terms, const AdjointSweep<T>* sweep, Index sweeps,
                         const Tile<T>& tile, Index path, const Put& put) {
  const auto run = [&]<PayoffFormula formula>(PayoffOf<formula>) {
    if constexpr (HasGradient<formula>) {
      if (terms.combination == Combination::single)
        sweep_formula<Policy, P, SingleUnderlying<P, T>, formula>(terms, sweep, sweeps, tile, path,
                                                                  put);
      else
        sweep_formula<Policy, P, CombinedUnderlying<Policy, P, T>, formula>(terms, sweep, sweeps,
                                                                            tile, path, put);
    }
  };
  with_payoff(terms.formula, run);
}

}  // namespace pricing_kernels
GSIM_TARGET_END
