#pragma once
// Paths of one step on lognormal assets. Such a path needs few normals, so that whole Philox blocks
// of its own would be half empty; here the samples of a chunk share blocks.

#include "kernels/pricing/draws.hpp"
#include "kernels/pricing/schemes/black_scholes.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Address of the normals of paths of one step, with B normals a block and n assets: sample
/// 16 B c + 16 i + l (i < B, l < 16) takes normals i n, i n + 1, …, i n + n - 1 of entity 16 c + l,
/// where normal d is number d mod B of the block at step d / B. Chunks are a part of the address
/// and 16 is the widest pack, so that no number depends on the width of a machine.
template <class T>
struct OneStepChunk {
  static constexpr int sharers = normals_per_block;  ///< B
  static constexpr Index lanes = 16;
  static constexpr Index samples = lanes * sharers;

  /// Entity of the chunk's samples l, l + 16, … where l = sample mod `samples` < 16.
  static GSIM_HD std::uint64_t entity(std::uint64_t sample) {
    return sample / sharers + sample % lanes - sample % samples / sharers;
  }
};

/// What the loop reads of the tables, copied once a tile: the compiler cannot know that no store to
/// the tile changes a table.
template <class T>
struct OneStepAssets {
  Index n, mirrors;
  T drift[one_step_assets], sd[one_step_assets], spot[one_step_assets];
  T factor[one_step_assets * one_step_assets];
  AssetRows rows[one_step_assets];

  GSIM_HD explicit OneStepAssets(const PathTable<T>& t) : n(t.assets), mirrors(t.mirrors) {
    for (Index a = 0; a < n; ++a) {
      drift[a] = t.asset[a].drift[0];
      sd[a] = t.asset[a].sd[0];
      spot[a] = t.asset[a].spot;
      rows[a] = t.asset[a].rows;
    }
    for (Index i = 0; i < n * n; ++i) factor[i] = t.correlation[i];
  }
};

/// Writes asset a of the paths at `column` and of their mirror images, driven by the normal z.
template <class Policy, class P, class T>
GSIM_HD void record_one_step(const OneStepAssets<T>& assets, Index a, P z, const Tile<T>& tile,
                             T* column) {
  const AssetRows rows = assets.rows[a];
  for (Index m = 0; m < assets.mirrors; ++m) {
    const T sd = m == 0 ? assets.sd[a] : -assets.sd[a];
    const P x = black_scholes_step(P(T(0)), z, assets.drift[a], sd);
    T* const at = column + m * (tile.stride / 2);
    store(at + rows.spot * tile.stride, P(assets.spot[a]) * exp_bounded<Policy>(x));
    if (rows.log >= 0) store(at + rows.log * tile.stride, x);
  }
}

/// Writes the samples sample + 16 i, i < 4, of a group of lanes to the tile from path + 16 i on;
/// sample mod 64 < 16. `drawn(d)` is draw d of the group's entities, d < 4 n.
template <class Policy, class P, class T, class Drawn>
GSIM_HD void record_one_step(const OneStepAssets<T>& assets, const Tile<T>& tile, Index path,
                             const Drawn& drawn) {
  using Chunk = OneStepChunk<T>;
  const Index n = assets.n;
  GSIM_UNROLL
  for (int i = 0; i < Chunk::sharers; ++i) {
    T* const column = tile.data + path + i * Chunk::lanes;
    if (n == 1) {  // its factor is 1
      record_one_step<Policy>(assets, 0, drawn(i), tile, column);
      continue;
    }
    for (Index a = 0; a < n; ++a) {
      const T* const factor = assets.factor + a * n;
      P z = drawn(i * n) * P(factor[0]);
      for (Index b = 1; b <= a; ++b) z = fma(P(factor[b]), drawn(i * n + b), z);
      record_one_step<Policy>(assets, a, z, tile, column);
    }
  }
}

/// One path a thread: the samples sample + 16 i that share its blocks. `largest`: no more assets.
template <class Policy, int largest, class T>
GSIM_HD void simulate_one_step(const PathTable<T>& t, const Tile<T>& tile, Index path,
                               std::uint64_t sample) {
  const Index n = largest == 1 ? 1 : t.assets;
  const DrawnNormals<T, Policy> normals(t.normals, OneStepChunk<T>::entity(sample), 4 * n);
  T z[largest * normals_per_block];
  for (Index block = 0; block < n; ++block) {
    const auto drawn = normals.block(block);
    GSIM_UNROLL
    for (int j = 0; j < normals_per_block; ++j) z[block * normals_per_block + j] = drawn[j];
  }
  record_one_step<Policy, T>(OneStepAssets<T>(t), tile, path, [&](Index d) { return z[d]; });
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
/// The `count` samples of a tile on the host, of which the first is number `sample` of the run;
/// both are multiples of OneStepChunk::samples.
template <class P, class Policy, class T>
void fill_tile_one_step(const PathTable<T>& t, const Tile<T>& tile_of_run, std::uint64_t sample,
                        Index count) {
  using Chunk = OneStepChunk<T>;
  constexpr Index width = lanes_of<P>, groups_of_chunk = Chunk::lanes / width;
  const OneStepAssets<T> assets(t);
  const Tile<T> tile = tile_of_run;
  const Index n = assets.n, groups = count / (width * Chunk::sharers);
  const Index most = buffered_philox_blocks / n;
  alignas(64) T z[buffered_philox_blocks * normals_per_block * width];
  for (Index first = 0; first < groups; first += most) {
    const Index some = groups - first < most ? groups - first : most;
    fill_normals<P, Policy>(t.normals,
                            Chunk::entity(sample) + static_cast<std::uint64_t>(first * width), some,
                            0, n, z);
    for (Index i = 0; i < some; ++i) {
      const Index group = first + i;
      const Index path = group / groups_of_chunk * Chunk::samples + group % groups_of_chunk * width;
      const T* const own = z + i * n * normals_per_block * width;
      record_one_step<Policy, P>(assets, tile, path,
                                 [&](Index d) { return load<P>(own + d * width); });
    }
  }
}
#endif

}  // namespace pricing_kernels
GSIM_TARGET_END
