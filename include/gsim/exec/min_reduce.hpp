#pragma once
// Minimum of integers and the first index at which it occurs, on an executor; with
// core/ordered_real.hpp also minimum and maximum of real numbers, independent of the order of
// comparisons. For kernel sources only, like launch.hpp.

#include <cstdint>
#include <limits>
#include <vector>

#include "gsim/exec/block_reduce.hpp"
#include "gsim/exec/launch.hpp"

namespace gsim {

/// A key and its index; the index is -1 if there are no keys.
struct MinimalKey {
  std::int64_t key = std::numeric_limits<std::int64_t>::max();
  Index index = -1;
};

}  // namespace gsim

GSIM_TARGET_BEGIN

/// Whether `a` precedes `b`: by key, then by index.
GSIM_HD bool comes_before(const MinimalKey& a, const MinimalKey& b) {
  return a.index >= 0 && (b.index < 0 || a.key < b.key || (a.key == b.key && a.index < b.index));
}

#if defined(__CUDACC__)

/// The minimum over the threads of a block, in thread 0. To be called by all threads.
__device__ inline MinimalKey minimum_of_block(const MinimalKey& mine) {
  __shared__ std::int64_t shared_key[reduce_threads];
  __shared__ Index shared_index[reduce_threads];
  shared_key[threadIdx.x] = mine.key;
  shared_index[threadIdx.x] = mine.index;
  __syncthreads();
  for (int half = reduce_threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      const MinimalKey own{shared_key[threadIdx.x], shared_index[threadIdx.x]};
      const MinimalKey other{shared_key[threadIdx.x + half], shared_index[threadIdx.x + half]};
      if (comes_before(other, own)) {
        shared_key[threadIdx.x] = other.key;
        shared_index[threadIdx.x] = other.index;
      }
    }
    __syncthreads();
  }
  const MinimalKey minimum{shared_key[0], shared_index[0]};
  __syncthreads();  // the arrays may be used by the next call
  return minimum;
}

/// Computes the minima over all indices, minima[0 … K). Each block writes its minima to partial, K
/// at a time, and the last block compares them.
template <int K, class Keys>
__global__ void min_reduce_blocks(Index count, const __grid_constant__ Keys keys,
                                  MinimalKey* partial, std::uint32_t* counter, MinimalKey* minima) {
  MinimalKey least[K];
  const Index stride = static_cast<Index>(gridDim.x) * blockDim.x;
  for (Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    std::int64_t key[K];
    keys(i, key);
    for (int k = 0; k < K; ++k)
      if (const MinimalKey here{key[k], i}; comes_before(here, least[k])) least[k] = here;
  }
  for (int k = 0; k < K; ++k) {
    const MinimalKey of_block = minimum_of_block(least[k]);
    if (threadIdx.x == 0) partial[blockIdx.x * K + k] = of_block;
  }
  if (!is_last_block(counter)) return;
  for (int k = 0; k < K; ++k) {
    least[k] = {};
    for (unsigned block = threadIdx.x; block < gridDim.x; block += reduce_threads)
      if (comes_before(partial[block * K + k], least[k])) least[k] = partial[block * K + k];
    const MinimalKey of_grid = minimum_of_block(least[k]);
    if (threadIdx.x == 0) minima[k] = of_grid;
  }
}

#endif

/// Sets minima[0 … K) to the minima of the keys that keys(i, std::int64_t key[K]) returns for i in
/// [0, count), with the first index of each; synchronous. `grain`: number of indices per work item
/// of a host thread.
template <int K, class Keys>
void min_reduce(const Executor& executor, [[maybe_unused]] const char* label, Index count,
                const Keys& keys, MinimalKey* minima, [[maybe_unused]] Index grain = 2048) {
  static_assert(std::is_trivially_copyable_v<Keys>);
  for (int k = 0; k < K; ++k) minima[k] = {};
  if (count <= 0) return;
#if defined(__CUDACC__)
  const Index blocks = reduce_grid(count, 1024);
  const DeviceScratch scratch =
      device_scratch(executor, static_cast<std::size_t>(blocks + 1) * K * sizeof(MinimalKey));
  auto* const partial = static_cast<MinimalKey*>(scratch.data);
  void* const stream = executor.stream();
  min_reduce_blocks<K>
      <<<static_cast<unsigned>(blocks), reduce_threads, 0, static_cast<cudaStream_t>(stream)>>>(
          count, keys, partial, scratch.counter, partial + blocks * K);
  launching::check_launch(label, static_cast<int>(cudaGetLastError()), stream);
  executor.copy_to_host(minima, partial + blocks * K, K * sizeof(MinimalKey));
#else
  std::vector<MinimalKey> partial(static_cast<std::size_t>((count + grain - 1) / grain * K));
  struct Context {
    const Keys* keys;
    Index count, grain;
    MinimalKey* partial;
  } context{&keys, count, grain, partial.data()};
  executor.pool().run((count + grain - 1) / grain,
                      [](void* c, Index chunk, int) {
                        const auto& work = *static_cast<const Context*>(c);
                        const Index first = chunk * work.grain;
                        const Index last =
                            first + work.grain < work.count ? first + work.grain : work.count;
                        MinimalKey best[K];
                        for (Index i = first; i < last; ++i) {
                          std::int64_t key[K];
                          (*work.keys)(i, key);
                          for (int k = 0; k < K; ++k)
                            if (const MinimalKey here{key[k], i}; comes_before(here, best[k]))
                              best[k] = here;
                        }
                        for (int k = 0; k < K; ++k) work.partial[chunk * K + k] = best[k];
                      },
                      &context);
  for (std::size_t i = 0; i < partial.size(); ++i)
    if (comes_before(partial[i], minima[i % K])) minima[i % K] = partial[i];
#endif
}

GSIM_TARGET_END
