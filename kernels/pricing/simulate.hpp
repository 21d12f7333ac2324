#pragma once
// Moves a group of paths over the time grid and writes their spots at record dates into a tile.

#include "kernels/pricing/draws.hpp"
#include "kernels/pricing/schemes/black_scholes.hpp"
#include "kernels/pricing/schemes/bridge_extreme.hpp"
#include "kernels/pricing/schemes/heston_qe.hpp"
#include "kernels/pricing/schemes/jumps.hpp"
#include "kernels/pricing/schemes/local_volatility.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Black–Scholes on one asset without extremes, the hot loop: the state stays in registers, and
/// `observe(record, x)` sees the log-spots x[mirrors] at each record.
template <int mirrors, class P, class T, class Normals, class Observe>
GSIM_HD void simulate_one_black_scholes(const PathTable<T>& t, Normals& normals, Observe& observe) {
  // Locals: the compiler cannot know that no store to the tile changes a table.
  const T *const drift = t.asset[0].drift, *const sd = t.asset[0].sd;
  const std::int32_t* const record_of_step = t.record_of_step;
  const Index steps = t.steps;
  P x[mirrors];
  for (int m = 0; m < mirrors; ++m) x[m] = P(T(0));
  const auto move = [&](Index k, P z) {
    x[0] = black_scholes_step(x[0], z, drift[k], sd[k]);
    if constexpr (mirrors == 2) x[1] = black_scholes_step(x[1], z, drift[k], -sd[k]);
  };
  const auto step = [&](Index k, P z) {
    if (k >= steps) return;
    move(k, z);
    const std::int32_t r = record_of_step[k];
    if (r >= 0) observe(r, x);
  };
  for (Index first = 0; first < steps; first += normals_per_block) {
    const auto z = normals.block(first / normals_per_block);
    if constexpr (1 < lanes_of<P>) {
      // Four steps without a record, or with one each, ask once; four records share constants.
      if (first + normals_per_block <= steps) {
        const std::int32_t* const r = record_of_step + first;
        if ((r[0] & r[1] & r[2] & r[3]) < 0) {
          GSIM_UNROLL
          for (int j = 0; j < normals_per_block; ++j) move(first + j, z[j]);
          continue;
        }
        if ((r[0] | r[1] | r[2] | r[3]) >= 0) {
          P at[normals_per_block][mirrors];
          GSIM_UNROLL
          for (int j = 0; j < normals_per_block; ++j) {
            move(first + j, z[j]);
            for (int m = 0; m < mirrors; ++m) at[j][m] = x[m];
          }
          GSIM_UNROLL
          for (int j = 0; j < normals_per_block; ++j) observe(r[j], at[j]);
          continue;
        }
      }
    }
    // Indices that are constant from the start keep z in registers.
    step(first, z[0]);
    step(first + 1, z[1]);
    step(first + 2, z[2]);
    step(first + 3, z[3]);
  }
}

/// The same for Heston's model on one asset. Draws alternate: log-spot, variance.
template <int mirrors, class Policy, class P, class T, class Normals, class Observe>
GSIM_HD void simulate_one_heston(const PathTable<T>& t, Normals& normals, Observe& observe) {
  const AssetTable<T>& asset = t.asset[0];
  P x[mirrors], v[mirrors];
  for (int m = 0; m < mirrors; ++m) {
    x[m] = P(T(0));
    v[m] = P(asset.v0);
  }
  for (Index k = 0; k < t.steps; ++k) {
    const P z = normals.next(), z_v = normals.next();
    for (int m = 0; m < mirrors; ++m) {
      const auto moved = heston_qe_step<Policy>(asset.qe[k], x[m], v[m], m > 0 ? -z : z,
                                                m > 0 ? -z_v : z_v, asset.drift[k]);
      x[m] = moved.x;
      v[m] = moved.v;
    }
    const std::int32_t r = t.record_of_step[k];
    if (r >= 0) observe(r, x);
  }
}

/// A tile as RecordOne reads it: a copy on the host, for the reason above; in place on CUDA, where
/// the tile is in constant memory and registers are dear.
#if defined(__CUDACC__)
template <class T>
struct OneAssetTile {
  const Tile<T>& tile;

  GSIM_HD const AssetRows& rows() const { return tile.asset[0]; }
};
#else
template <class T>
struct OneAssetTile {
  Tile<T> tile;
  AssetRows asset_rows;

  explicit OneAssetTile(const Tile<T>& t) : tile(t), asset_rows(t.asset[0]) {}
  const AssetRows& rows() const { return asset_rows; }
};
#endif

/// Writes spots and, where wanted, log-spots of one asset into the tile. `bounded`: log-spots stay
/// in the range of exp_bounded.
template <int mirrors, bool bounded, class Policy, class P, class T>
struct RecordOne {
  OneAssetTile<T> held;
  Index path;
  T spot;

  GSIM_HD void operator()(std::int32_t record, const P (&x)[mirrors]) const {
    const Tile<T>& tile = held.tile;
    T* row = tile.data + record * tile.rows * tile.stride + path;
    const AssetRows& rows = held.rows();
    for (int m = 0; m < mirrors; ++m) {
      T* at = row + m * (tile.stride / 2);
      const P ratio = bounded ? exp_bounded<Policy>(x[m]) : exp<Policy>(x[m]);
      store(at + rows.spot * tile.stride, P(spot) * ratio);
      if (rows.log >= 0) store(at + rows.log * tile.stride, x[m]);
    }
  }
};

/// Where the general simulation keeps its state: value `slot` of the group is at
/// data[slot * stride], the group's lanes side by side.
template <class T>
struct StateMemory {
  T* data;
  Index stride;
};

/// Values of one path's state in an asset, in the order of its slots. Where the tile wants the
/// conditional variance there are no extremes, and the maximum's slot sums the steps' variances.
enum StateSlot : int { slot_x, slot_v, slot_maximum, slot_minimum, state_slots };

/// Slots of state memory that simulate_general needs.
template <class T>
GSIM_HD Index general_slots(const PathTable<T>& t) {
  return t.factors + Index{t.assets} * t.mirrors * state_slots;
}

template <class P>
struct AssetState {
  P x, v, maximum, minimum;
};

/// Moves one asset of one path over step k.
template <class Policy, class P, class T>
GSIM_HD void advance(const AssetTable<T>& asset, const StepDraws<P, Policy, T>& draws, P z, P z_v,
                     AssetState<P>& s) {
  const Index k = draws.step;
  P x, variance;
  switch (asset.scheme) {
    case Scheme::local_volatility: {
      const auto moved = local_volatility_step(asset, k, s.x, z);
      x = moved.x;
      variance = moved.variance;
      break;
    }
    case Scheme::heston:
    case Scheme::bates: {
      // Conditional on v the log-spot is normal: only its mean moves (Willard 1997).
      const bool conditional = asset.rows.variance >= 0;
      const auto moved = heston_qe_step<Policy>(asset.qe[k], s.x, s.v, conditional ? P(T(0)) : z,
                                                z_v, asset.drift[k]);
      x = moved.x;
      s.v = moved.v;
      variance = moved.variance;
      if (conditional) s.maximum = s.maximum + variance;
      break;
    }
    default:
      x = black_scholes_step(s.x, z, asset.drift[k], asset.sd[k]);
      variance = P(asset.sd[k]) * P(asset.sd[k]);
  }
  if (asset.rows.maximum >= 0)
    s.maximum = at_least(bridge_maximum<Policy>(s.x, x, variance, draws.maximum()), s.maximum);
  if (asset.rows.minimum >= 0)
    s.minimum = at_most(bridge_minimum<Policy>(s.x, x, variance, draws.minimum()), s.minimum);
  if (asset.jump_terms > 0) {
    const P n =
        jump_count(draws.jump_count(), asset.jump_cdf + k * asset.jump_terms, asset.jump_terms);
    const auto jumped = n > P(T(0));
    if (any(jumped)) {
      x = x + jump_sum(n, draws.jump_size(), asset.jump_mean, asset.jump_sd);
      // Only where a path jumped: elsewhere rounding may leave an extreme of the bridge short of x,
      // and what the path's neighbours do must not change that.
      if (asset.rows.variance < 0) s.maximum = select(jumped, at_least(x, s.maximum), s.maximum);
      s.minimum = select(jumped, at_most(x, s.minimum), s.minimum);
    }
  }
  s.x = x;
}

/// Writes one asset of one path at a record; `row` is the record's first row at the path.
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
  if (asset.rows.maximum >= 0) store(row + asset.rows.maximum * stride, s.maximum);
  if (asset.rows.minimum >= 0) store(row + asset.rows.minimum * stride, s.minimum);
  s.maximum = s.minimum = s.x;
}

/// Any number of assets and any models; state lives in memory. `path` is the group's first path in
/// the tile, `sample` its number in the run.
template <class Policy, class P, class T, class Normals>
GSIM_HD void simulate_general(const PathTable<T>& t, const Tile<T>& tile, Index path,
                              std::uint64_t sample, Normals& normals, StateMemory<T> memory) {
  const Index n = t.assets;
  const Index stride = memory.stride;
  T* const z_row = memory.data;
  T* const state_row = memory.data + t.factors * stride;
  for (Index a = 0; a < n * t.mirrors; ++a) {
    T* at = state_row + a * state_slots * stride;
    store(at + slot_x * stride, P(T(0)));
    store(at + slot_v * stride, P(t.asset[a / t.mirrors].v0));
    store(at + slot_maximum * stride, P(T(0)));
    store(at + slot_minimum * stride, P(T(0)));
  }
  for (Index k = 0; k < t.steps; ++k) {
    for (Index f = 0; f < t.factors; ++f) store(z_row + f * stride, normals.next());
    const std::int32_t record = t.record_of_step[k];
    for (Index a = 0; a < n; ++a) {
      const AssetTable<T>& asset = t.asset[a];
      P z = load<P>(z_row) * P(t.correlation[a * n]);
      for (Index b = 1; b <= a; ++b)
        z = fma(P(t.correlation[a * n + b]), load<P>(z_row + b * stride), z);
      const P z_v =
          asset.variance_factor >= 0 ? load<P>(z_row + asset.variance_factor * stride) : P(T(0));
      for (Index m = 0; m < t.mirrors; ++m) {
        T* at = state_row + (a * t.mirrors + m) * state_slots * stride;
        AssetState<P> s{load<P>(at + slot_x * stride), load<P>(at + slot_v * stride),
                        load<P>(at + slot_maximum * stride), load<P>(at + slot_minimum * stride)};
        const StepDraws<P, Policy, T> draws{&t, sample, k, a, m > 0};
        advance<Policy>(asset, draws, m > 0 ? -z : z, m > 0 ? -z_v : z_v, s);
        if (record >= 0)
          record_asset<Policy>(
              asset, tile.data + record * tile.rows * tile.stride + path + m * (tile.stride / 2),
              tile.stride, s);
        store(at + slot_x * stride, s.x);
        store(at + slot_v * stride, s.v);
        store(at + slot_maximum * stride, s.maximum);
        store(at + slot_minimum * stride, s.minimum);
      }
    }
  }
}

}  // namespace pricing_kernels
GSIM_TARGET_END
