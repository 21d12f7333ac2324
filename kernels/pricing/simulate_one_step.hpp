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
  static constexpr int sharers = draws_per_block<T>;  ///< B
  static constexpr Index lanes = 16;
  static constexpr Index samples = lanes * sharers;

  /// Entity of the chunk's samples l, l + 16, … where l = sample mod `samples` < 16.
  static GSIM_HD std::uint64_t entity(std::uint64_t sample) {
    return sample / sharers + sample % lanes - sample % samples / sharers;
  }
};

/// Moves the samples sample + 16 i, i < B, and the same of its fellow lanes, and writes them to the
/// tile from path + 16 i on; sample mod (16 B) < 16. `largest`: no more assets than this.
template <class Policy, class P, int largest, class T>
GSIM_HD void simulate_one_step(const PathTable<T>& t, const Tile<T>& tile, Index path,
                               std::uint64_t sample) {
  using Chunk = OneStepChunk<T>;
  const Index n = largest == 1 ? 1 : t.assets;
  const DrawnNormals<P, Policy> normals(t.normals, Chunk::entity(sample));
  P z[largest][Chunk::sharers];
  for (Index block = 0; block < n; ++block) {
    const auto drawn = normals.block(block);
    GSIM_UNROLL
    for (int j = 0; j < Chunk::sharers; ++j) z[block][j] = drawn[j];
  }
  const P* const flat = &z[0][0];
  const Index half = tile.stride / 2;
  GSIM_UNROLL
  for (int i = 0; i < Chunk::sharers; ++i) {
    const P* const own = flat + i * n;
    T* const column = tile.data + path + i * Chunk::lanes;
    for (Index a = 0; a < n; ++a) {
      const AssetTable<T>& asset = t.asset[a];
      P driver = own[0] * P(t.correlation[a * n]);
      for (Index b = 1; b <= a; ++b) driver = fma(P(t.correlation[a * n + b]), own[b], driver);
      for (Index m = 0; m < t.mirrors; ++m) {
        const T sd = m == 0 ? asset.sd[0] : -asset.sd[0];
        const P x = black_scholes_step(P(T(0)), driver, asset.drift[0], sd);
        T* const at = column + m * half;
        store(at + asset.rows.spot * tile.stride, P(asset.spot) * exp_bounded<Policy>(x));
        if (asset.rows.log >= 0) store(at + asset.rows.log * tile.stride, x);
      }
    }
  }
}

/// The same for any number of assets that the loop takes.
template <class Policy, class P, class T>
GSIM_HD void run_one_step(const PathTable<T>& t, const Tile<T>& tile, Index path,
                          std::uint64_t sample) {
  if (t.assets == 1)
    simulate_one_step<Policy, P, 1>(t, tile, path, sample);
  else
    simulate_one_step<Policy, P, one_step_assets>(t, tile, path, sample);
}

}  // namespace pricing_kernels
GSIM_TARGET_END
