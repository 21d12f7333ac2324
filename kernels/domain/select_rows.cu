// Built for CUDA only: the objects for CPU levels are empty.
#include "kernels/domain/select_rows.hpp"

#if defined(__CUDACC__)
#include <cub/device/device_select.cuh>

#include <thrust/iterator/counting_iterator.h>

#include "kernels/domain/atomics.hpp"

GSIM_TARGET_BEGIN
namespace domain_kernels {

struct CountRows {
  domain::CountRowsArgs args;
  __device__ void operator()(Index row) const {
    const FixedPosition& position = args.positions[row];
    for (Index r = 0; r < args.regions.size; ++r)
      add(args.counts[r], args.regions[r].contains(position));
  }
  /// Adds the number of threads that call it together and whose row is inside, by one of them.
  static __device__ void add(std::int64_t& count, bool is_inside) {
    const unsigned inside = __ballot_sync(__activemask(), is_inside);
    if (inside != 0 && static_cast<int>(threadIdx.x % 32) == __ffs(static_cast<int>(inside)) - 1)
      atomic_add(&count, __popc(inside));
  }
};

/// Whether a row is selected.
struct IsSelected {
  domain::SelectRowsArgs args;
  GSIM_HD bool operator()(std::int32_t row) const {
    return args.region.contains(args.positions[row]) == args.inside;
  }
};

}  // namespace domain_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(domain_count_rows, domain::CountRowsArgs) {
  launch(executor, "count rows in regions", args.positions.size, domain_kernels::CountRows{args});
}

GSIM_DEFINE_LAUNCHER(domain_select_rows, domain::SelectRowsArgs) {
  if (args.positions.size == 0) return;
  const domain_kernels::IsSelected is_selected{args};
  const thrust::counting_iterator<std::int32_t> first(0);
  const auto stream = static_cast<cudaStream_t>(executor.stream());
  const auto select = [&](void* scratch, std::size_t& bytes, Index* selected) {
    launching::check_launch(
        "select rows",
        static_cast<int>(cub::DeviceSelect::If(scratch, bytes, first, args.rows, selected,
                                               args.positions.size, is_selected, stream)),
        executor.stream());
  };
  std::size_t bytes = 0;
  select(nullptr, bytes, nullptr);  // sets the size of the scratch memory
  // The number of selected rows, which CUB writes, is not used; it comes before the scratch memory.
  constexpr std::size_t alignment = 256;
  auto* const memory = static_cast<std::byte*>(executor.allocate(alignment + bytes));
  try {
    select(memory + alignment, bytes, reinterpret_cast<Index*>(memory));
  } catch (...) {
    executor.deallocate(memory);
    throw;
  }
  executor.deallocate(memory);
}
#endif
