#pragma once
// Paths of one step on lognormal assets. Such a path needs few normals, so that separate Philox
// blocks would be half empty; here the samples of a chunk share blocks.

#include "kernels/pricing/path_models/black_scholes_step.hpp"
#include "kernels/pricing/paths/draws.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Address of the normals of paths of one step, with B normals per block and n assets. Chunk c
/// holds the samples 16 B c + 16 i + l (i < B, l < 16). Such a sample uses the n normals from i n
/// on of the Philox entity 16 c + l, where normal d is number d mod B of the block at step d / B.
/// Since 16 is the number of lanes of the widest vector register, no normal depends on the vector
/// width of a machine.
template <class T>
struct OneStepChunk {
  static constexpr int samples_per_block = normals_per_block;  ///< B samples share a block
  static constexpr Index lanes = 16;
  static constexpr Index samples = lanes * samples_per_block;

  /// Entity of the samples l, l + 16, … of the chunk, where l = sample mod `samples` < 16.
  static GSIM_HD std::uint64_t entity(std::uint64_t sample) {
    return sample / samples_per_block + sample % lanes - sample % samples / samples_per_block;
  }
};

/// The data of an asset that the loop reads.
template <class T>
struct OneStepAsset {
  T drift, sd, spot;
  std::int32_t spot_row, log_row;

  OneStepAsset() = default;
  GSIM_HD explicit OneStepAsset(const AssetTable<T>& a)
      : drift(a.drift[0]), sd(a.sd[0]), spot(a.spot), spot_row(a.rows.spot), log_row(a.rows.log) {}
};

/// Writes the values of asset a of n to the tile, for B samples per lane: sample i < B of the first
/// lane is path `path` + 16 i of the tile, and its antithetic path is half a row further.
/// `drawn(d)` is draw d < B n of the lanes' entities; `factor` is the asset's row of the
/// correlation factor.
template <class Policy, class P, class T, class Drawn>
GSIM_HD void record_one_step(const OneStepAsset<T>& asset, const T* factor, Index a, Index n,
                             Index paths_per_sample, const Tile<T>& tile, Index path,
                             const Drawn& drawn) {
  using Chunk = OneStepChunk<T>;
  P z[Chunk::samples_per_block];
  GSIM_UNROLL
  for (int i = 0; i < Chunk::samples_per_block; ++i)  // with one asset factor[0] is 1
    z[i] = n == 1 ? drawn(i) : drawn(i * n) * P(factor[0]);
  for (Index b = 1; b <= a; ++b) {
    GSIM_UNROLL
    for (int i = 0; i < Chunk::samples_per_block; ++i)
      z[i] = fma(P(factor[b]), drawn(i * n + b), z[i]);
  }
  for (Index m = 0; m < paths_per_sample; ++m) {
    const T sd = m == 0 ? asset.sd : -asset.sd;
    T* const column = tile.data + path + m * (tile.stride / 2);
    GSIM_UNROLL
    for (int i = 0; i < Chunk::samples_per_block; ++i) {
      const P x = black_scholes_step(P(T(0)), z[i], asset.drift, sd);
      T* const at = column + i * Chunk::lanes;
      store(at + asset.spot_row * tile.stride, P(asset.spot) * exp_bounded<Policy>(x));
      if (asset.log_row >= 0) store(at + asset.log_row * tile.stride, x);
    }
  }
}

/// Simulates on one thread the samples `sample` + 16 i (i < B), which share Philox blocks, as the
/// paths `path` + 16 i of the tile; sample mod 64 < 16. `max_assets` is an upper bound of the
/// number of assets.
template <class Policy, int max_assets, class T>
GSIM_HD void simulate_one_step(const PathTable<T>& t, const Tile<T>& tile, Index path,
                               std::uint64_t sample) {
  const Index n = max_assets == 1 ? 1 : t.assets;
  const DrawnNormals<T, Policy> normals(t.normals, OneStepChunk<T>::entity(sample), 4 * n);
  T z[max_assets * normals_per_block];
  for (Index block = 0; block < n; ++block) {
    const auto drawn = normals.block(block);
    GSIM_UNROLL
    for (int j = 0; j < normals_per_block; ++j) z[block * normals_per_block + j] = drawn[j];
  }
  for (Index a = 0; a < n; ++a)
    record_one_step<Policy, T>(OneStepAsset<T>(t.asset[a]), t.correlation + a * n, a, n,
                               t.paths_per_sample, tile, path, [&](Index d) { return z[d]; });
}
template <class Policy, class T>
GSIM_HD void run_one_step(const PathTable<T>& t, const Tile<T>& tile, Index path,
                          std::uint64_t sample) {
  if (t.assets == 1)
    simulate_one_step<Policy, 1>(t, tile, path, sample);
  else
    simulate_one_step<Policy, one_step_assets>(t, tile, path, sample);
}

#if !defined(__CUDACC__)
/// The `count` samples of a tile on the host, starting with number `sample` of the run; both are
/// multiples of OneStepChunk::samples. `max_assets` is an upper bound of the number of assets.
template <class P, class Policy, int max_assets, int paths_per_sample, class T>
void fill_tile_one_step(const PathTable<T>& t, const Tile<T>& tile_of_run, std::uint64_t sample,
                        Index count) {
  using Chunk = OneStepChunk<T>;
  constexpr Index width = lanes_of<P>, groups_of_chunk = Chunk::lanes / width;
  const Index n = max_assets == 1 ? 1 : t.assets,
              groups = count / (width * Chunk::samples_per_block);
  // Local copies, because the compiler must assume that a store to the tile may change a table.
  OneStepAsset<T> asset[max_assets];
  T factor[max_assets * max_assets];
  for (Index a = 0; a < n; ++a) asset[a] = OneStepAsset<T>(t.asset[a]);
  for (Index i = 0; i < n * n; ++i) factor[i] = t.correlation[i];
  const Tile<T> tile = tile_of_run;
  const PhiloxKey key = t.normals;
  const std::uint64_t entity = Chunk::entity(sample);
  const Index groups_at_once = buffered_philox_blocks / n;
  alignas(64) T z[buffered_philox_blocks * normals_per_block * width];
  for (Index first = 0; first < groups; first += groups_at_once) {
    const Index left = groups - first;
    const Index filled = left < groups_at_once ? left : groups_at_once;
    fill_normals<P, Policy>(key, entity + static_cast<std::uint64_t>(first * width), filled, 0, n,
                            z);
    for (Index a = 0; a < n; ++a) {
      for (Index i = 0; i < filled; ++i) {
        const Index group = first + i;
        const Index path =
            group / groups_of_chunk * Chunk::samples + group % groups_of_chunk * width;
        const T* const group_normals = z + i * n * normals_per_block * width;
        record_one_step<Policy, P>(asset[a], factor + a * n, a, n, paths_per_sample, tile, path,
                                   [&](Index d) { return load<P>(group_normals + d * width); });
      }
    }
  }
}
template <class P, class Policy, class T>
void fill_tile_one_step(const PathTable<T>& t, const Tile<T>& tile, std::uint64_t sample,
                        Index count) {
  const auto fill = [&](auto max_assets, auto paths_per_sample) {
    fill_tile_one_step<P, Policy, max_assets.value, paths_per_sample.value>(t, tile, sample, count);
  };
  const std::integral_constant<int, 1> one;
  const std::integral_constant<int, 2> two;
  const std::integral_constant<int, one_step_assets> many;
  if (t.assets == 1) return t.paths_per_sample == 1 ? fill(one, one) : fill(one, two);
  t.paths_per_sample == 1 ? fill(many, one) : fill(many, two);
}
#endif

}  // namespace pricing_kernels
GSIM_TARGET_END
