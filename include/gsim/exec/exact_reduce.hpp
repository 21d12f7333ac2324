#pragma once
// Sums over indices on an executor that do not depend on the order of terms (core/exact_sum.hpp).
// For kernel sources only, like launch.hpp.

#include <cstdint>
#include <vector>

#include "gsim/core/exact_sum.hpp"
#include "gsim/exec/block_reduce.hpp"
#include "gsim/exec/launch.hpp"

GSIM_TARGET_BEGIN

#if defined(__CUDACC__)

/// Adds the sums over all indices to totals[0 … K). Each block writes its sums to partial, K at a
/// time, and the last block adds them; the sums of integers do not depend on the order.
template <int K, class Terms>
__global__ void reduce_blocks(Index count, const __grid_constant__ Terms terms,
                              WideInteger* partial, std::uint32_t* counter, WideInteger* totals) {
  WideInteger sum[K] = {};
  const Index stride = static_cast<Index>(gridDim.x) * blockDim.x;
  for (Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    std::int64_t term[K];
    terms(i, term);
    for (int k = 0; k < K; ++k) sum[k] += term[k];
  }
  const WideInteger of_block = sum_of_block(sum);
  if (threadIdx.x < K) partial[blockIdx.x * K + threadIdx.x] = of_block;
  if (!is_last_block(counter)) return;
  for (int k = 0; k < K; ++k) sum[k] = 0;
  for (unsigned block = threadIdx.x; block < gridDim.x; block += reduce_threads)
    for (int k = 0; k < K; ++k) sum[k] += partial[block * K + k];
  const WideInteger total = sum_of_block(sum);
  if (threadIdx.x < K) totals[threadIdx.x] += total;
}

/// Launches reduce_blocks(); `totals` in executor memory, or null: in scratch memory, from 0 on.
/// Returns the pointer to the totals.
template <int K, class Terms>
WideInteger* launch_reduction(const Executor& executor, const char* label, Index count,
                              const Terms& terms, WideInteger* totals) {
  const Index blocks = reduce_grid(count, 1024);
  const DeviceScratch scratch =
      device_scratch(executor, static_cast<std::size_t>(blocks + 1) * K * sizeof(WideInteger));
  auto* const partial = static_cast<WideInteger*>(scratch.data);
  if (totals == nullptr) {
    totals = partial + blocks * K;
    executor.fill_zero(totals, K * sizeof(WideInteger));
  }
  void* const stream = executor.stream();
  reduce_blocks<K>
      <<<static_cast<unsigned>(blocks), reduce_threads, 0, static_cast<cudaStream_t>(stream)>>>(
          count, terms, partial, scratch.counter, totals);
  launching::check_launch(label, static_cast<int>(cudaGetLastError()), stream);
  return totals;
}

#else

/// Calls add(const WideInteger sum[K]) with the sums of each host thread.
template <int K, class Terms, class Add>
void reduce_on_host(const Executor& executor, Index count, const Terms& terms, Index grain,
                    const Add& add) {
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
  for (const Partial& p : partial) add(p.sum);
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
  WideInteger totals[K];
  executor.copy_to_host(totals, launch_reduction<K>(executor, label, count, terms, nullptr),
                        sizeof totals);
  for (int k = 0; k < K; ++k) sums[k].add(ExactSum(totals[k]));
#else
  reduce_on_host<K>(executor, count, terms, grain, [&](const WideInteger* sum) {
    for (int k = 0; k < K; ++k) sums[k].add(ExactSum(sum[k]));
  });
#endif
}

/// As exact_reduce(), but the sums are added to totals[0 … K) in executor memory; on a device
/// asynchronously, as a launch. A total has room for 2^63 terms.
template <int K, class Terms>
void exact_reduce_to(const Executor& executor, [[maybe_unused]] const char* label, Index count,
                     const Terms& terms, WideInteger* totals, [[maybe_unused]] Index grain = 2048) {
  static_assert(std::is_trivially_copyable_v<Terms>);
  if (count <= 0) return;
#if defined(__CUDACC__)
  launch_reduction<K>(executor, label, count, terms, totals);
#else
  reduce_on_host<K>(executor, count, terms, grain, [&](const WideInteger* sum) {
    for (int k = 0; k < K; ++k) totals[k] += sum[k];
  });
#endif
}

GSIM_TARGET_END
