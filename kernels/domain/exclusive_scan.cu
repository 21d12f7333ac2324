#include "kernels/domain/exclusive_scan.hpp"

GSIM_TARGET_BEGIN
namespace domain_kernels {

inline constexpr Index scan_width = 64;

/// Computes the sums of blocks of scan_width values.
struct SumBlocks {
  View<std::int32_t> values;
  std::int32_t* sums;
  GSIM_HD void operator()(Index block) const {
    const Index first = block * scan_width;
    const Index last = first + scan_width < values.size ? first + scan_width : values.size;
    std::int32_t sum = 0;
    for (Index i = first; i < last; ++i) sum += values[i];
    sums[block] = sum;
  }
};

/// Replaces the values of a block by exclusive prefix sums that begin at sums[block], the sum of
/// all preceding blocks; `sums` is null where there is one block.
struct ScanBlocks {
  View<std::int32_t> values;
  const std::int32_t* sums;
  GSIM_HD void operator()(Index block) const {
    const Index first = block * scan_width;
    const Index last = first + scan_width < values.size ? first + scan_width : values.size;
    std::int32_t sum = sums == nullptr ? 0 : sums[block];
    for (Index i = first; i < last; ++i) {
      const std::int32_t value = values[i];
      values[i] = sum;
      sum += value;
    }
  }
};

/// Sums the blocks, scans these sums by a recursive call, and scans the values within the blocks.
void exclusive_scan(const Executor& executor, View<std::int32_t> values, std::int32_t* scratch) {
  const Index blocks = (values.size + scan_width - 1) / scan_width;
  if (blocks > 1) {
    launch(executor, "sum_blocks", blocks, SumBlocks{values, scratch});
    exclusive_scan(executor, {scratch, blocks}, scratch + blocks);
  }
  launch(executor, "scan_blocks", blocks, ScanBlocks{values, blocks > 1 ? scratch : nullptr});
}

}  // namespace domain_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(domain_exclusive_scan, domain::ExclusiveScanArgs) {
  domain_kernels::exclusive_scan(executor, args.values, args.scratch);
}
