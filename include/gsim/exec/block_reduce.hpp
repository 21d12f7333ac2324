#pragma once
// Parts of reductions on a device: sums over the threads of a block, and the choice of the thread
// block that combines the results of all blocks. For kernel sources only, like launch.hpp.

#include <cstdint>

#include "gsim/core/exact_sum.hpp"
#include "gsim/exec/device_scratch.hpp"
#include "gsim/exec/launch.hpp"

#if defined(__CUDACC__)

GSIM_TARGET_BEGIN

/// Number of threads of a block of the kernels of reductions.
inline constexpr int reduce_threads = 256;

/// Number of blocks of a reduction over `count` indices.
inline Index reduce_grid(Index count, Index max_blocks) {
  const Index required = (count + reduce_threads - 1) / reduce_threads;
  return required < max_blocks ? required : max_blocks;
}

/// Whether this block is the last one of its grid to call the function. The results that the other
/// blocks have written before are then visible to all of its threads. `arrived` must be 0 at the
/// launch, and is 0 again afterwards. To be called once by all threads of all blocks.
__device__ inline bool is_last_block(std::uint32_t* arrived) {
  __shared__ bool is_last;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomicAdd(arrived, 1u) + 1 == gridDim.x;
    if (is_last) *arrived = 0;
    __threadfence();
  }
  __syncthreads();
  return is_last;
}

/// Sum of x over the threads of a warp, in its first lane.
__device__ inline WideInteger sum_of_warp(WideInteger x) {
  for (int distance = 16; distance > 0; distance /= 2) {
    const auto low = __shfl_down_sync(~0u, static_cast<unsigned long long>(x), distance);
    const auto high = __shfl_down_sync(~0u, static_cast<long long>(x >> 64), distance);
    x += WideInteger{high} * (WideInteger{1} << 64) + WideInteger{low};
  }
  return x;
}

/// Sums of sum[0 … K) over the threads of a block: sum k in thread k, for k < K. To be called by
/// all threads.
template <int K>
__device__ WideInteger sum_of_block(const WideInteger (&sum)[K]) {
  static_assert(K <= reduce_threads);
  constexpr int warps = reduce_threads / 32;
  __shared__ WideInteger of_warp[K][warps];
  __syncthreads();  // of_warp may be in use by an earlier call
  for (int k = 0; k < K; ++k) {
    const WideInteger s = sum_of_warp(sum[k]);
    if (threadIdx.x % 32 == 0) of_warp[k][threadIdx.x / 32] = s;
  }
  __syncthreads();
  WideInteger total = 0;
  if (threadIdx.x < K)
    for (int w = 0; w < warps; ++w) total += of_warp[threadIdx.x][w];
  return total;
}

GSIM_TARGET_END

#endif
