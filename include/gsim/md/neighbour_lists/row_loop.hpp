#pragma once
// Launches of passes over full neighbour lists, which compute one row for each index. On a device,
// several threads share a row.

#include "gsim/exec/exact_reduce.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// The part of a row's neighbours that one thread computes: neighbours index, index + width, …. The
/// sums of a row are integers, so that they do not depend on the width.
template <int width>
struct RowPart {
  static constexpr int stride = width;
  int index = 0;
  /// False for threads beyond the last row, which compute the last row without storing it, because
  /// all threads of a warp join the sums.
  bool is_row = true;

  /// Whether this thread stores the results of the row.
  GSIM_HD bool stores() const { return index == 0 && is_row; }
  /// The sum of `x` over the threads of the row; all threads of a warp call it together.
  template <class Sum>
  GSIM_HD Sum sum(Sum x) const {
#if defined(__CUDA_ARCH__)
    for (int distance = 32 / width; distance < 32; distance *= 2)
      x += __shfl_xor_sync(~0u, x, distance);
#endif
    return x;
  }
  /// As sum(), for the largest `x`.
  GSIM_HD std::uint32_t largest(std::uint32_t x) const {
#if defined(__CUDA_ARCH__)
    for (int distance = 32 / width; distance < 32; distance *= 2) {
      const std::uint32_t other = __shfl_xor_sync(~0u, x, distance);
      x = other > x ? other : x;
    }
#endif
    return x;
  }
};

#if defined(__CUDACC__)

/// The row in [0, rows) of a thread, and its part of the neighbours. Threads that share a row are
/// 32 / width lanes apart, so that a warp reads 32 / width consecutive rows of each slot of the
/// list.
template <int width>
struct RowOfThread {
  Index row;
  RowPart<width> part;
  GSIM_HD RowOfThread(Index warp, unsigned lane, Index rows) {
    constexpr unsigned rows_of_warp = 32 / width;
    const Index unlimited = warp * rows_of_warp + lane % rows_of_warp;
    part = {static_cast<int>(lane / rows_of_warp), unlimited < rows};
    row = part.is_row ? unlimited : rows - 1;
  }
};

template <int width, class Pass>
__global__ void row_loop(Index rows, const __grid_constant__ Pass pass) {
  const RowOfThread<width> own((static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x) / 32,
                               threadIdx.x % 32, rows);
  // Most rows are not near a boundary of the rank's subdomain.
  const auto& list = pass.job.list;
  if (pass.job.ghosts && __all_sync(~0u, list.ghosts[own.row] == 0)) return;
  pass(own.row, nullptr, own.part);
}

#endif

/// Calls pass(row, nullptr, part), which computes a part of a row without its energy and virial,
/// for every row in [0, rows); asynchronously on a device. A pass over ghost neighbours
/// (FullListPass::ghosts) must add nothing for rows without any, which may be left out.
template <class Pass>
void launch_rows(const Executor& executor, const char* label, Index rows, const Pass& pass) {
  static_assert(std::is_trivially_copyable_v<Pass>);
#if defined(__CUDACC__)
  if (rows <= 0) return;
  // Widths that were fastest on an H200: with 32,000 rows of a Lennard-Jones liquid, forces took
  // 64, 35, 22, 15 and 18 us with 1, 2, 4, 8 and 16 threads a row; with 131,000 rows 61, 41, 46, 49
  // and 59 us; with 1,000,000 rows 315, 281, 320, 346 and 401 us.
  constexpr Index many_rows = Index{1} << 16;
  constexpr int threads_per_block = 128, many_width = 2, few_width = 8;
  const auto start = [&](auto kernel, Index threads) {
    const auto blocks =
        static_cast<unsigned>((threads + threads_per_block - 1) / threads_per_block);
    void* const stream = executor.stream();
    kernel<<<blocks, threads_per_block, 0, static_cast<cudaStream_t>(stream)>>>(rows, pass);
    launching::check_launch(label, static_cast<int>(cudaGetLastError()), stream);
  };
  if (rows < many_rows)
    start(row_loop<few_width, Pass>, rows * few_width);
  else
    start(row_loop<many_width, Pass>, rows * many_width);
#else
  struct Row {
    Pass pass;
    void operator()(Index row) const { pass(row, nullptr); }
  };
  launch(executor, label, rows, Row{pass}, /*grain=*/128);
#endif
}

#if defined(__CUDACC__)

/// One term of a reduction for each thread that computes a part of a row.
template <int width, int K, class Pass>
struct RowTerms {
  Index rows;
  Pass pass;
  GSIM_HD void operator()(Index thread, std::int64_t* term) const {
    const RowOfThread<width> own(thread / 32, static_cast<unsigned>(thread % 32), rows);
    pass(own.row, term, own.part);
    if (!own.part.is_row)
      for (int k = 0; k < K; ++k) term[k] = 0;
  }
};

#endif

/// Calls pass(row, term, part), which computes a part of a row and its K terms, for every row in
/// [0, rows), and adds the sums of the terms to sums[0 … K) in host memory; on a device, unless
/// `device_sums` is null, to these numbers in its memory, asynchronously.
template <int K, class Pass>
void sum_rows(const Executor& executor, const char* label, Index rows, const Pass& pass,
              ExactSum* sums, [[maybe_unused]] WideInteger* device_sums = nullptr) {
#if defined(__CUDACC__)
  // All threads of a warp compute rows together.
  constexpr int width = 4, rows_of_warp = 32 / width;
  const Index threads = (rows + rows_of_warp - 1) / rows_of_warp * 32;
  const RowTerms<width, K, Pass> terms{rows, pass};
  if (device_sums != nullptr)
    exact_reduce_to<K>(executor, label, threads, terms, device_sums);
  else
    exact_reduce<K>(executor, label, threads, terms, sums);
#else
  exact_reduce<K>(executor, label, rows, pass, sums, /*grain=*/256);
#endif
}

}  // namespace md_kernels
GSIM_TARGET_END
