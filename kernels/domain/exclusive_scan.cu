#include "kernels/domain/exclusive_scan.hpp"

GSIM_TARGET_BEGIN
namespace domain_kernels {

inline constexpr Index scan_width = 64;

/// Sums of blocks of scan_width values.
struct ScanUp {
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

/// Prefix sums within blocks, from the prefix sums of the blocks; `sums` null: there is one block.
struct ScanDown {
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

/// Sums the blocks, scans the sums by itself, and scans the values within the blocks.
void exclusive_scan(const Executor& executor, View<std::int32_t> values, std::int32_t* scratch) {
  const Index blocks = (values.size + scan_width - 1) / scan_width;
  if (blocks > 1) {
    launch(executor, "scan_up", blocks, ScanUp{values, scratch});
    exclusive_scan(executor, {scratch, blocks}, scratch + blocks);
  }
  launch(executor, "scan_down", blocks, ScanDown{values, blocks > 1 ? scratch : nullptr});
}

}  // namespace domain_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(domain_exclusive_scan, domain::ExclusiveScanArgs) {
  domain_kernels::exclusive_scan(executor, args.values, args.scratch);
}
