#pragma once
// Sums over indices on an executor that do not depend on the order of terms (core/exact_sum.hpp).
// For kernel sources only, like launch.hpp.

#include <cstdint>
#include <vector>

#include "gsim/core/exact_sum.hpp"
#include "gsim/exec/launch.hpp"

GSIM_TARGET_BEGIN

#if defined(__CUDACC__)

inline constexpr int reduce_threads = 256;

/// Computes the sums of each thread block, in block order: partial[block * K + k].
template <int K, class Terms>
__global__ void reduce_blocks(Index count, const __grid_constant__ Terms terms,
                              WideInteger* partial) {
  WideInteger sum[K] = {};
  const Index stride = static_cast<Index>(gridDim.x) * blockDim.x;
  for (Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    std::int64_t term[K];
    terms(i, term);
    for (int k = 0; k < K; ++k) sum[k] += term[k];
  }
  __shared__ WideInteger shared[reduce_threads];
  for (int k = 0; k < K; ++k) {
    shared[threadIdx.x] = sum[k];
    __syncthreads();
    for (int half = reduce_threads / 2; half > 0; half /= 2) {
      if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
      __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x * K + k] = shared[0];
    __syncthreads();
  }
}

#endif

/// Adds to sums[0 … K) the terms that terms(i, std::int64_t term[K]) returns for every i in [0,
/// count); synchronous. Exceptions of terms on the host are rethrown. `grain`: number of indices
/// per work item of a host thread. On the host `terms` may instead have a member add(i, WideInteger
/// sum[K]), which adds the terms of index i itself.
template <int K, class Terms>
void exact_reduce(const Executor& executor, [[maybe_unused]] const char* label, Index count,
                  const Terms& terms, ExactSum* sums, [[maybe_unused]] Index grain = 2048) {
  static_assert(std::is_trivially_copyable_v<Terms>);
  if (count <= 0) return;
#if defined(__CUDACC__)
  constexpr Index max_blocks = 1024;
  const Index required = (count + reduce_threads - 1) / reduce_threads;
  const Index blocks = required < max_blocks ? required : max_blocks;
  std::vector<WideInteger> partial(static_cast<std::size_t>(blocks * K));
  auto* const device =
      static_cast<WideInteger*>(executor.allocate(partial.size() * sizeof(WideInteger)));
  void* const stream = executor.stream();
  reduce_blocks<K>
      <<<static_cast<unsigned>(blocks), reduce_threads, 0, static_cast<cudaStream_t>(stream)>>>(
          count, terms, device);
  launching::check_launch(label, static_cast<int>(cudaGetLastError()), stream);
  executor.copy_to_host(partial.data(), device, partial.size() * sizeof(WideInteger));
  executor.deallocate(device);
  for (std::size_t i = 0; i < partial.size(); ++i) sums[i % K].add(ExactSum(partial[i]));
#else
  // Each worker's sums are in cache lines of their own.
  struct alignas(128) Partial {
    WideInteger sum[K];
  };
  std::vector<Partial> partial(static_cast<std::size_t>(executor.threads()));
  struct Context {
    const Terms* terms;
    Index count, grain;
    Partial* partial;
  } context{&terms, count, grain, partial.data()};
  executor.pool().run((count + grain - 1) / grain,
                      [](void* c, Index chunk, int worker) {
                        const auto& work = *static_cast<const Context*>(c);
                        const Index first = chunk * work.grain;
                        const Index last =
                            first + work.grain < work.count ? first + work.grain : work.count;
                        WideInteger sum[K] = {};
                        for (Index i = first; i < last; ++i) {
                          if constexpr (requires { work.terms->add(i, sum); }) {
                            work.terms->add(i, sum);
                          } else {
                            std::int64_t term[K];
                            (*work.terms)(i, term);
                            for (int k = 0; k < K; ++k) sum[k] += term[k];
                          }
                        }
                        for (int k = 0; k < K; ++k) work.partial[worker].sum[k] += sum[k];
                      },
                      &context);
  for (const Partial& p : partial)
    for (int k = 0; k < K; ++k) sums[k].add(ExactSum(p.sum[k]));
#endif
}

GSIM_TARGET_END
