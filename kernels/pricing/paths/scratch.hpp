#pragma once
// The layout of the working memory of kernels. On the host every worker has one part with a tile
// that fits the cache; a CUDA device has a single part, with tiles of many blocks.

#include "kernels/pricing/job.hpp"
#include "kernels/pricing/paths/simulate.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Byte offsets of the arrays in a part (see Scratch), each a multiple of 256, and its size in
/// bytes.
struct ScratchLayout {
  Index tile, state, normals, weights, values, samples, control_samples, sums, bytes;
};

/// The memory holds the states of `group_stride` paths, the samples of `trades` trades and `sums`
/// LaneSums at a time; paths and their states only if `has_tile` is set.
template <class T>
GSIM_HD ScratchLayout scratch_layout(const PathTable<T>& t, Index tile_samples, Index group_stride,
                                     Index trades, Index sums, bool has_tile = true) {
  ScratchLayout layout{};
  Index end = 0;
  const auto reserve = [&](Index bytes) {
    const Index at = end;
    end += (bytes + 255) / 256 * 256;
    return at;
  };
  constexpr Index real = sizeof(T);
  layout.tile =
      reserve(has_tile ? t.records * t.rows * tile_samples * t.paths_per_sample * real : 0);
  layout.state = reserve(has_tile ? general_slots(t) * group_stride * real : 0);
  layout.normals = reserve(t.prepares_normals ? t.steps * t.factors * group_stride * real : 0);
  layout.weights = reserve(t.tilt != nullptr ? tile_samples * real : 0);
  layout.values = reserve(4 * tile_samples * t.paths_per_sample * real);
  layout.samples = reserve(trades * tile_samples * Index{sizeof(double)});
  layout.control_samples = reserve(trades * tile_samples * Index{sizeof(double)});
  layout.sums = reserve(sums * Index{sizeof(LaneSums)});
  layout.bytes = end;
  return layout;
}

/// Pointers into one part of the scratch memory.
template <class T>
struct Scratch {
  Tile<T> tile;
  T* state;    ///< StateMemory of a group of paths
  T* normals;  ///< [step][factor][path of a group], where they are prepared before the steps
  T* values;   ///< payoffs of the tile's paths, and three times as much work space for early
               ///< exercise
  T* weights;  ///< [tile's samples] likelihood ratios with importance sampling, else null
  double *samples, *control_samples;  ///< samples of the trades and of their control variates
  LaneSums* sums;

  GSIM_HD Scratch(const PathTable<T>& t, std::byte* base, const ScratchLayout& layout,
                  Index tile_samples)
      : tile{reinterpret_cast<T*>(base + layout.tile), tile_samples * t.paths_per_sample, t.rows,
             t.asset_rows},
        state(reinterpret_cast<T*>(base + layout.state)),
        normals(reinterpret_cast<T*>(base + layout.normals)),
        values(reinterpret_cast<T*>(base + layout.values)),
        weights(t.tilt != nullptr ? reinterpret_cast<T*>(base + layout.weights) : nullptr),
        samples(reinterpret_cast<double*>(base + layout.samples)),
        control_samples(reinterpret_cast<double*>(base + layout.control_samples)),
        sums(reinterpret_cast<LaneSums*>(base + layout.sums)) {}
};

}  // namespace pricing_kernels
GSIM_TARGET_END
