#pragma once
// The reverse sweep over a group of paths: the sums from which the adjoint Greeks of a payoff
// follow (adjoint_job.hpp).

#include <type_traits>

#include "gsim/math/elementary.hpp"
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

/// Whether a gradient is one of smoothed_gradients.hpp.
template <class Gradient>
inline constexpr bool is_smoothed = requires(Gradient g) {
  g.further;
};

/// The derivatives of a payoff by the log-spots of one asset. For every date, the last one first,
/// keep(j, G_j, H_j) is called; `put` receives each sum that needs no column, and its index.
template <class P, class T, class Gradient, class Fixings, class Put, class Keep>
GSIM_HD void sweep_asset(const AdjointSweep<T>& sweep, Gradient gradient, const Fixings& fixings,
                         const Put& put, const Keep& keep) {
  P later(T(0)), by_profile(T(0)), weight(T(0)), scale(T(0)), further(T(0));
  if constexpr (requires { gradient.select_asset(Index{}); }) gradient.select_asset(sweep.position);
  // The loops are not unrolled, so that every formula is compiled into a kernel only once.
  GSIM_NO_UNROLL
  for (Index j = 0; j < sweep.dates; ++j) {
    const std::int32_t fixing = sweep.date[j].fixing;
    P here(T(0));
    if constexpr (derives_by_assets<Gradient>) {
      if (fixing >= 0) {
        here = gradient.by_asset(fixing, sweep.position, fixings, sweep.claims >= 0,
                                 [&](Index term, P by_amount) {
                                   put(sweep.claims + static_cast<std::int32_t>(term), by_amount);
                                 });
        later = later + here;
      }
    } else if (fixing >= 0) {
      const P g = gradient.at(fixing, fixings);
      here = fixings.by_log_spot(fixing, sweep.position, g);
      later = later + here;
      if constexpr (is_smoothed<Gradient>) further = further + gradient.further;
      if constexpr (requires { gradient.paid; })
        if (sweep.paid >= 0) put(sweep.paid + fixing, gradient.paid);
      if constexpr (Fixings::is_combined) {
        if (sweep.weight >= 0) weight = weight + fixings.by_weight(fixing, sweep.position, g);
        if (sweep.scale >= 0) scale = scale + fixings.by_scale(fixing, g);
      }
    }
    keep(j, here, later);
    if constexpr (is_smoothed<Gradient>) {
      const std::int32_t index = sweep.further[j];
      if (index >= 0) put(index, further);
      if (index != no_segment) further = P(T(0));
    }
    by_profile = fma(P(sweep.profile[j]), later, by_profile);
    const std::int32_t sum = sweep.sum[j];
    if (sum == no_segment) continue;
    if (sum >= 0) put(sum, by_profile);
    by_profile = P(T(0));
  }
  if (sweep.total >= 0) put(sweep.total, later);
  if constexpr (is_smoothed<Gradient>) {
    if (sweep.start >= 0) put(sweep.start, gradient.at_start());
    if constexpr (requires { gradient.value(); })
      if (sweep.value >= 0) put(sweep.value, gradient.value());
  }
  if constexpr (Fixings::is_combined) {
    if (sweep.weight >= 0) put(sweep.weight, weight);
    if (sweep.scale >= 0) put(sweep.scale, scale);
  }
}

/// Multiplies the derivative at date j, G_j for a tangent and otherwise H_j, with the column, and
/// adds the product to `sum`; at the first date of a segment `put` receives it. `paths` is the
/// first row of the tile at the group's first path.
template <class P, class T, class Put>
GSIM_HD void add_date(const AdjointColumn& column, const AdjointDate& date, Index j, P derivative,
                      const T* paths, Index stride, P& sum, const Put& put) {
  P change = load<P>(paths + (date.record + column.row) * stride);
  if (!column.is_tangent && date.last_record >= 0)
    change = change - load<P>(paths + (date.last_record + column.row) * stride);
  sum = fma(derivative, change, sum);
  const std::int32_t index = column.sum[j];
  if (index == no_segment) return;
  if (index >= 0) put(index, sum);
  sum = P(T(0));
}

/// Adds the sums of a sweep over one asset, with all its columns; put(s, value) receives sum s, and
/// put_product(s, a, b) the product of the only date of a sweep. The sweep is repeated for every
/// column, unless it has a single date: no derivatives are stored.
template <class P, class T, class Gradient, class Fixings, class Put, class PutProduct>
GSIM_HD void sweep_columns(const AdjointSweep<T>& sweep, const Gradient& gradient,
                           const Fixings& fixings, const Put& put, const PutProduct& put_product) {
  const Tile<T>& tile = fixings.tile;
  const std::int32_t at_once = sweep.dates == 1 ? sweep.columns : 1;
  std::int32_t first = 0;
  do {
    P by_column(T(0));
    const auto put_once = [&](std::int32_t sum, P value) {
      if (first == 0) put(sum, value);
    };
    sweep_asset<P>(sweep, gradient, fixings, put_once, [&](Index j, P here, P later) {
      GSIM_NO_UNROLL
      for (std::int32_t c = first; c < first + at_once && c < sweep.columns; ++c) {
        const AdjointColumn& column = sweep.column[c];
        const P derivative = column.is_tangent ? here : later;
        const T* const paths = tile.data + fixings.path;
        if (sweep.dates == 1)
          put_product(column.sum[0], derivative,
                      load<P>(paths + (sweep.date[0].record + column.row) * tile.stride));
        else
          add_date(column, sweep.date[j], j, derivative, paths, tile.stride, by_column, put);
      }
    });
    first += at_once;
  } while (first < sweep.columns);
}

template <class Policy, class P, class U, PayoffFormula formula, class T, class Use>
GSIM_HD void with_formula(const PayoffView<T>& terms, const Tile<T>& tile, const Use& use) {
  using Payoff = PayoffOf<formula>;
  constexpr bool logs = requires { Payoff::reads_logs; };
  Payoff::template with_functor<Policy, P, U>(terms, [&](const auto& payoff) {
    constexpr bool last_only = requires { payoff.last_fixing_only; };
    constexpr bool needs_no_state = requires { GradientOf<formula>::needs_no_state; };
    const auto evaluate = [&](Index path, const auto& of_group) {
      const PayoffFixings<P, U, T, logs> fixings{terms, tile, path, U(terms)};
      auto state = payoff.start();
      if constexpr (!needs_no_state) {
        GSIM_NO_UNROLL
        for (Index i = last_only ? terms.fixings - 1 : 0; i < terms.fixings; ++i)
          payoff.on_fixing(state, i, fixings.spots(i));
      }
      const typename GradientOf<formula>::template Gradient<Policy, P, T> gradient(terms, state);
      of_group(gradient, fixings, state);
    };
    use(evaluate, std::bool_constant<last_only>());
  });
}

/// Calls use(evaluate, is_terminal) once, where evaluate(path, of_group) evaluates a payoff that
/// has a gradient on the group of paths from `path` on and calls of_group(gradient, fixings):
/// GradientOf and PayoffFixings. is_terminal.value: the payoff depends on the last fixing alone.
template <class Policy, class P, class T, class Use>
GSIM_HD void with_gradient(const PayoffView<T>& terms, const Tile<T>& tile, const Use& use) {
  with_payoff(terms.formula, [&]<PayoffFormula formula>(PayoffOf<formula>) {
    if constexpr (HasGradient<formula>) {
      if (terms.combination == Combination::single)
        with_formula<Policy, P, SingleUnderlying<P, T>, formula>(terms, tile, use);
      else
        with_formula<Policy, P, CombinedUnderlying<Policy, P, T>, formula>(terms, tile, use);
    }
  });
}

}  // namespace pricing_kernels
GSIM_TARGET_END
