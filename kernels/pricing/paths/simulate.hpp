#pragma once
// Simulates a group of paths of any number of assets over the time grid and writes their spots at
// record dates into a tile. Runs of one asset have a separate loop
// (gsim/pricing/simulate_path.hpp).

#include "gsim/pricing/bridge_extreme.hpp"
#include "kernels/pricing/path_models/dispatch.hpp"
#include "kernels/pricing/path_models/jumps.hpp"
#include "kernels/pricing/paths/draws.hpp"
#include "kernels/pricing/paths/path_tangents.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// The memory for the state of the general simulation: value `slot` of the group is at data[slot *
/// stride], with the group's lanes contiguous.
template <class T>
struct StateMemory {
  T* data;
  Index stride;
};

/// State values of one path for one asset, in the order of their slots. Conditional Monte Carlo
/// (payoffs/conditional.hpp) uses no extremes: there the slot of the maximum holds the sum of the
/// variances of the steps.
enum StateSlot : int { slot_x, slot_v, slot_maximum, slot_minimum, state_slots };

/// Number of slots of state memory that simulate_general() needs.
template <class T>
GSIM_HD Index general_slots(const PathTable<T>& t) {
  return t.factors + (Index{t.simulated} * state_slots + t.tangents) * t.paths_per_sample;
}

/// Advances one asset of one path over step k by `move`, which returns the StepResult of its
/// scheme. If its jumps are tilted, the path-dependent part of the logarithm of the likelihood
/// ratio, -theta times the sum of the jumps, is added to `log_ratio`.
template <class Policy, class P, class T, class Draws, class Move>
GSIM_HD void advance(const AssetTable<T>& asset, const Draws& draws, const Move& move,
                     AssetState<P>& s, P& log_ratio) {
  const Index k = draws.step;
  const StepResult<P> moved = move();
  P x = moved.x;
  const P variance = moved.variance;
  if (asset.rows.maximum >= 0)
    s.maximum = at_least(bridge_maximum<Policy>(s.x, x, variance, draws.maximum()), s.maximum);
  if (asset.rows.minimum >= 0)
    s.minimum = at_most(bridge_minimum<Policy>(s.x, x, variance, draws.minimum()), s.minimum);
  if (asset.jump_terms > 0) {
    const P n =
        jump_count(draws.jump_count(), asset.jump_cdf + k * asset.jump_terms, asset.jump_terms);
    const auto jumped = n > P(T(0));
    if (any(jumped)) {
      const bool is_tilted = asset.jump_tilt != nullptr;
      const P jumps =
          jump_sum(n, draws.jump_size(), is_tilted ? asset.tilted_jump_mean[k] : asset.jump_mean,
                   asset.jump_sd);
      x = x + jumps;
      if (is_tilted) log_ratio = fma(P(-asset.jump_tilt[k]), jumps, log_ratio);
      // Extremes are extended to x only for paths with a jump. Without one, rounding may put x
      // slightly beyond an extreme of the bridge; if that were corrected here, the result would
      // depend on whether another path of the group has a jump.
      if (asset.rows.variance < 0) s.maximum = select(jumped, at_least(x, s.maximum), s.maximum);
      s.minimum = select(jumped, at_most(x, s.minimum), s.minimum);
    }
  }
  s.x = x;
}

/// Writes one asset of one path at a record date; `row` is the record's first row at the path.
template <class Policy, class P, class T>
GSIM_HD void record_asset(const AssetTable<T>& asset, T* row, Index stride, AssetState<P>& s) {
  if (asset.rows.variance >= 0) {
    const P variance = P(asset.conditional_share) * s.maximum;
    store(row + asset.rows.variance * stride, variance);
    store(row + asset.rows.spot * stride,
          P(asset.spot) * exp<Policy>(fma(P(T(0.5)), variance, s.x)));
    return;
  }
  const P ratio = asset.bounded ? exp_bounded<Policy>(s.x) : exp<Policy>(s.x);
  store(row + asset.rows.spot * stride, P(asset.spot) * ratio);
  if (asset.rows.log >= 0) store(row + asset.rows.log * stride, s.x);
  if (asset.rows.instantaneous_variance >= 0)
    store(row + asset.rows.instantaneous_variance * stride, s.v);
  if (asset.rows.maximum >= 0) store(row + asset.rows.maximum * stride, s.maximum);
  if (asset.rows.minimum >= 0) store(row + asset.rows.minimum * stride, s.minimum);
  s.maximum = s.minimum = s.x;
}

/// The asset and its variants, entries [first, last) of PathTable::asset, that a thread simulates:
/// of one driver or, as a default, of all.
struct SimulatedEntries {
  std::int32_t driver = -1, second_normal = -1;
  Index first, last;

  template <class T>
  GSIM_HD SimulatedEntries(const PathTable<T>& t, std::int32_t of_driver)
      : driver(of_driver), first(0), last(t.simulated) {
    if (driver < 0) return;
    while (t.asset[first].driver < driver) ++first;
    for (last = first; last < t.simulated && t.asset[last].driver == driver; ++last)
      if (t.asset[last].second_normal >= 0) second_normal = t.asset[last].second_normal;
  }
};

/// Simulates a group of paths for any number of assets and any models, with the state in memory.
/// `path` is the index of the group's first path in the tile, `sample` the number of its sample in
/// the run. Returns the contribution of tilted jumps to the logarithm of the paths' likelihood
/// ratio, without PathTable::log_ratio_constant; 0 without tilted jumps. With `by_driver` it
/// simulates the asset `of_driver` and its variants alone, if that is not negative: drawn normals
/// are then taken by their numbers, and no jumps are tilted.
template <class Policy, class P, bool by_driver = false, class T, class Normals>
GSIM_HD P simulate_general(const PathTable<T>& t, const Tile<T>& tile, Index path,
                           std::uint64_t sample, Normals& normals, StateMemory<T> memory,
                           std::int32_t of_driver = -1) {
  const Index n = t.assets, simulated = t.simulated;
  const SimulatedEntries entries(t, by_driver ? of_driver : -1);
  const Index stride = memory.stride;
  T* const z_row = memory.data;
  T* const state_row = memory.data + t.factors * stride;
  const bool has_tangents = sizeof(T) == 8 && t.tangents > 0;  // Greeks have paths in double
  T* const tangent_row = state_row + simulated * t.paths_per_sample * state_slots * stride;
  const auto tangents = [&](const AssetTable<T>& asset, Index m) {
    return tangent_row + (asset.first_tangent * t.paths_per_sample + m * asset.tangents) * stride;
  };
  P log_ratio(T(0));
  for (Index a = entries.first * t.paths_per_sample; a < entries.last * t.paths_per_sample; ++a) {
    T* at = state_row + a * state_slots * stride;
    store(at + slot_x * stride, P(T(0)));
    store(at + slot_v * stride, P(t.asset[a / t.paths_per_sample].v0));
    store(at + slot_maximum * stride, P(T(0)));
    store(at + slot_minimum * stride, P(T(0)));
    const AssetTable<T>& asset = t.asset[a / t.paths_per_sample];
    for (Index i = 0; has_tangents && i < asset.tangents; ++i)
      store(tangents(asset, a % t.paths_per_sample) + i * stride, P(asset.tangent[i].start));
  }
  for (Index k = 0; k < t.steps; ++k) {
    const std::int32_t record = t.record_of_step[k];
    Index driver = entries.driver;
    P z(T(0)), second(T(0));
    if constexpr (by_driver) {
      if (driver >= 0) {
        const Index first = k * t.factors;
        z = normals.at(first) * P(t.correlation[driver * n]);
        for (Index b = 1; b <= driver; ++b)
          z = fma(P(t.correlation[driver * n + b]), normals.at(first + b), z);
        if (entries.second_normal >= 0) second = normals.at(first + entries.second_normal);
      }
    }
    if (driver < 0)
      for (Index f = 0; f < t.factors; ++f) store(z_row + f * stride, normals.next());
    for (Index a = entries.first; a < entries.last; ++a) {
      const AssetTable<T>& asset = t.asset[a];
      if (asset.scheme == StepScheme::launched) continue;
      if (asset.driver != driver) {
        driver = asset.driver;
        z = load<P>(z_row) * P(t.correlation[driver * n]);
        for (Index b = 1; b <= driver; ++b)
          z = fma(P(t.correlation[driver * n + b]), load<P>(z_row + b * stride), z);
      }
      P z_v(T(0));
      if (asset.second_normal >= 0)
        z_v = entries.driver >= 0 ? second : load<P>(z_row + asset.second_normal * stride);
      for (Index m = 0; m < t.paths_per_sample; ++m) {
        T* at = state_row + (a * t.paths_per_sample + m) * state_slots * stride;
        AssetState<P> s{load<P>(at + slot_x * stride), load<P>(at + slot_v * stride),
                        load<P>(at + slot_maximum * stride), load<P>(at + slot_minimum * stride)};
        const StepDraws<P, Policy, T> draws{&t, sample, k, driver, m > 0};
        const auto move = [&]() __attribute__((always_inline)) {
          StepResult<P> moved{s.x, P(T(0))};
          with_scheme(
              asset.scheme, [&](auto scheme) __attribute__((always_inline)) {
                moved = decltype(scheme)::template step<Policy>(asset, k, m > 0 ? -z : z,
                                                                m > 0 ? -z_v : z_v, s);
              });
          return moved;
        };
        if (has_tangents && asset.tangents > 0)
          move_tangents(asset, k, m > 0 ? -z : z, s.x, tangents(asset, m), stride);
        advance<Policy>(asset, draws, move, s, log_ratio);
        if (record >= 0) {  // antithetic paths (m = 1) are the second half of the tile
          T* const row =
              tile.data + record * tile.rows * tile.stride + path + m * (tile.stride / 2);
          record_asset<Policy>(asset, row, tile.stride, s);
          if (has_tangents && asset.tangents > 0)
            record_tangents<P>(asset, row, tile.stride, tangents(asset, m), stride);
        }
        store(at + slot_x * stride, s.x);
        store(at + slot_v * stride, s.v);
        store(at + slot_maximum * stride, s.maximum);
        store(at + slot_minimum * stride, s.minimum);
      }
    }
  }
  return log_ratio;
}

}  // namespace pricing_kernels
GSIM_TARGET_END
