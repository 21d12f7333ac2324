#pragma once
// Minimum of integers and the first index at which it occurs, on an executor; with
// core/ordered_real.hpp also minimum and maximum of real numbers, independent of the order of
// comparisons. For kernel sources only, like launch.hpp.

#include <cstdint>
#include <limits>
#include <vector>

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

inline constexpr int min_reduce_threads = 256;

/// Computes the minimal keys of each thread block, in block order: partial[block * K + k].
template <int K, class Keys>
__global__ void min_reduce_blocks(Index count, const __grid_constant__ Keys keys,
                                  MinimalKey* partial) {
  MinimalKey minima[K];
  const Index stride = static_cast<Index>(gridDim.x) * blockDim.x;
  for (Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    std::int64_t key[K];
    keys(i, key);
    for (int k = 0; k < K; ++k)
      if (const MinimalKey here{key[k], i}; comes_before(here, minima[k])) minima[k] = here;
  }
  __shared__ std::int64_t shared_key[min_reduce_threads];
  __shared__ Index shared_index[min_reduce_threads];
  for (int k = 0; k < K; ++k) {
    shared_key[threadIdx.x] = minima[k].key;
    shared_index[threadIdx.x] = minima[k].index;
    __syncthreads();
    for (int half = min_reduce_threads / 2; half > 0; half /= 2) {
      if (threadIdx.x < half) {
        const MinimalKey mine{shared_key[threadIdx.x], shared_index[threadIdx.x]};
        const MinimalKey other{shared_key[threadIdx.x + half], shared_index[threadIdx.x + half]};
        if (comes_before(other, mine)) {
          shared_key[threadIdx.x] = other.key;
          shared_index[threadIdx.x] = other.index;
        }
      }
      __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x * K + k] = {shared_key[0], shared_index[0]};
    __syncthreads();
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
  constexpr Index max_blocks = 1024;
  const Index required = (count + min_reduce_threads - 1) / min_reduce_threads;
  const Index blocks = required < max_blocks ? required : max_blocks;
  std::vector<MinimalKey> partial(static_cast<std::size_t>(blocks * K));
  auto* const device =
      static_cast<MinimalKey*>(executor.allocate(partial.size() * sizeof(MinimalKey)));
  void* const stream = executor.stream();
  min_reduce_blocks<K>
      <<<static_cast<unsigned>(blocks), min_reduce_threads, 0, static_cast<cudaStream_t>(stream)>>>(
          count, keys, device);
  launching::check_launch(label, static_cast<int>(cudaGetLastError()), stream);
  executor.copy_to_host(partial.data(), device, partial.size() * sizeof(MinimalKey));
  executor.deallocate(device);
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
#endif
  for (std::size_t i = 0; i < partial.size(); ++i)
    if (comes_before(partial[i], minima[i % K])) minima[i % K] = partial[i];
}

GSIM_TARGET_END
