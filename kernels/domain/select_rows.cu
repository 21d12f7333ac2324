// Built for CUDA only: the objects for CPU levels are empty.
#include "kernels/domain/select_rows.hpp"

#if defined(__CUDACC__)
#include <cub/block/block_scan.cuh>

#include "gsim/exec/block_reduce.hpp"
#include "kernels/domain/atomics.hpp"

GSIM_TARGET_BEGIN
namespace domain_kernels {

using domain::ListRowsArgs;

struct CollectRows {
  domain::CollectRowsArgs args;
  /// The threads of a warp whose rows are outside count them together.
  __device__ void operator()(Index row) const {
    const FixedPosition position = args.positions[row];
    const bool is_outside = !args.region.contains(position);
    const unsigned outside = __ballot_sync(__activemask(), is_outside);
    if (!is_outside) return;
    const int lane = static_cast<int>(threadIdx.x % 32),
              first = __ffs(static_cast<int>(outside)) - 1;
    std::int64_t place = 0;
    if (lane == first) place = atomic_add(args.counter, __popc(outside));
    place = __shfl_sync(outside, place, first) + __popc(outside & ((1u << lane) - 1)) - args.before;
    if (place < args.found.size) args.found[place] = {position, row};
  }
};

/// The row of a thread, and its position.
struct RowAndPosition {
  Index row;
  bool is_row;
  FixedPosition position{};
  __device__ explicit RowAndPosition(const ListRowsArgs& args)
      : row(static_cast<Index>(blockIdx.x) * ListRowsArgs::block + threadIdx.x),
        is_row(row < args.positions.size) {
    if (is_row) position = args.positions[row];
  }
  __device__ bool is_inside(const domain::CutRegion& region) const {
    return is_row && region.contains(position);
  }
};

/// Replaces `count` values by their exclusive prefix sums. Returns the sum of all. To be called by
/// all threads of a block.
__device__ std::int32_t scan_by_block(std::int32_t* values, Index count) {
  using Scan = cub::BlockScan<std::int32_t, ListRowsArgs::block>;
  __shared__ typename Scan::TempStorage memory;
  std::int32_t sum = 0;
  for (Index first = 0; first < count; first += ListRowsArgs::block) {
    const Index i = first + threadIdx.x;
    std::int32_t before, of_block;
    Scan(memory).ExclusiveSum(i < count ? values[i] : 0, before, of_block);
    if (i < count) values[i] = sum + before;
    sum += of_block;
    __syncthreads();
  }
  return sum;
}

/// The last block scans the counts of all.
__global__ void __launch_bounds__(ListRowsArgs::block)
    count_rows(const __grid_constant__ ListRowsArgs args, std::uint32_t* counter) {
  const RowAndPosition own(args);
  for (int r = 0; r < args.regions; ++r) {
    const int inside = __syncthreads_count(own.is_inside(args.region[r]) ? 1 : 0);
    if (threadIdx.x == 0) args.counts[r * gridDim.x + blockIdx.x] = inside;
  }
  if (!is_last_block(counter)) return;
  const std::int32_t sum = scan_by_block(args.counts, Index{args.regions} * gridDim.x);
  const int next = static_cast<int>(threadIdx.x) + 1;
  if (next <= args.regions)
    args.ends[threadIdx.x] = next < args.regions ? args.counts[next * gridDim.x] : sum;
}

__global__ void __launch_bounds__(ListRowsArgs::block)
    list_rows(const __grid_constant__ ListRowsArgs args) {
  constexpr int warps = ListRowsArgs::block / 32;
  __shared__ int of_warp[warps];
  const RowAndPosition own(args);
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int r = 0; r < args.regions; ++r) {
    const bool is_inside = own.is_inside(args.region[r]);
    const unsigned inside = __ballot_sync(~0u, is_inside);
    if (lane == 0) of_warp[warp] = __popc(inside);
    __syncthreads();
    Index place = args.counts[r * gridDim.x + blockIdx.x] + __popc(inside & ((1u << lane) - 1));
    for (unsigned w = 0; w < warp; ++w) place += of_warp[w];
    if (is_inside && place < args.rows.size) args.rows[place] = static_cast<std::int32_t>(own.row);
    __syncthreads();
  }
}

unsigned blocks_of(const ListRowsArgs& args) {
  return static_cast<unsigned>((args.positions.size + ListRowsArgs::block - 1) /
                               ListRowsArgs::block);
}
void check(const char* label, void* stream) {
  launching::check_launch(label, static_cast<int>(cudaGetLastError()), stream);
}

}  // namespace domain_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(domain_collect_rows, domain::CollectRowsArgs) {
  launch(executor, "collect rows", args.positions.size, domain_kernels::CollectRows{args});
}

GSIM_DEFINE_LAUNCHER(domain_count_rows, domain::ListRowsArgs) {
  if (args.positions.size == 0) return;
  std::uint32_t* const counter = device_scratch(executor, 0).counter;
  void* const stream = executor.stream();
  domain_kernels::count_rows<<<domain_kernels::blocks_of(args), domain::ListRowsArgs::block, 0,
                               static_cast<cudaStream_t>(stream)>>>(args, counter);
  domain_kernels::check("count rows in regions", stream);
}

GSIM_DEFINE_LAUNCHER(domain_list_rows, domain::ListRowsArgs) {
  if (args.positions.size == 0) return;
  void* const stream = executor.stream();
  domain_kernels::list_rows<<<domain_kernels::blocks_of(args), domain::ListRowsArgs::block, 0,
                              static_cast<cudaStream_t>(stream)>>>(args);
  domain_kernels::check("list rows in regions", stream);
}
#endif
