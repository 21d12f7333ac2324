#include "kernels/domain/exclusive_scan.hpp"

#if defined(__CUDACC__)
#include <cub/device/device_scan.cuh>
#endif

GSIM_TARGET_BEGIN
namespace domain_kernels {

/// Memory of an executor, freed in the order of its launches.
class Workspace {
 public:
  Workspace(const Executor& executor, std::size_t bytes)
      : executor_(executor), data_(bytes > 0 ? executor.allocate(bytes) : nullptr) {}
  ~Workspace() {
    if (data_ != nullptr) executor_.deallocate(data_);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  void* data() const { return data_; }

 private:
  const Executor& executor_;
  void* data_;
};

#if defined(__CUDACC__)

void exclusive_scan(const Executor& executor, View<std::int32_t> values) {
  const auto stream = static_cast<cudaStream_t>(executor.stream());
  std::size_t bytes = 0;
  const auto check = [&](cudaError_t error) {
    launching::check_launch("exclusive_scan", static_cast<int>(error), stream);
  };
  check(
      cub::DeviceScan::ExclusiveSum(nullptr, bytes, values.data, values.data, values.size, stream));
  const Workspace workspace(executor, bytes);
  check(cub::DeviceScan::ExclusiveSum(workspace.data(), bytes, values.data, values.data,
                                      values.size, stream));
}

#else

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
void exclusive_scan(const Executor& executor, View<std::int32_t> values) {
  const Index blocks = (values.size + scan_width - 1) / scan_width;
  const Workspace sums(executor, blocks > 1 ? static_cast<std::size_t>(blocks) * 4 : 0);
  auto* const of_blocks = static_cast<std::int32_t*>(sums.data());
  if (blocks > 1) {
    launch(executor, "sum_blocks", blocks, SumBlocks{values, of_blocks});
    exclusive_scan(executor, {of_blocks, blocks});
  }
  launch(executor, "scan_blocks", blocks, ScanBlocks{values, of_blocks});
}

#endif

}  // namespace domain_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(domain_exclusive_scan, domain::ExclusiveScanArgs) {
  if (args.values.size > 0) domain_kernels::exclusive_scan(executor, args.values);
}
