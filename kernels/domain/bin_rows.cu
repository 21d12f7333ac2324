#include "kernels/domain/bin_rows.hpp"

GSIM_TARGET_BEGIN
namespace domain_kernels {

/// Increments a counter atomically; returns its previous value.
GSIM_HD std::int32_t count_up(std::int32_t* word) {
#if defined(__CUDA_ARCH__)
  const unsigned before = atomicAdd(reinterpret_cast<unsigned int*>(word), 1u);
  return static_cast<std::int32_t>(before);
#else
  return __atomic_fetch_add(word, 1, __ATOMIC_RELAXED);
#endif
}

GSIM_HD Index bin_of(const CellGrid& grid, const FixedPosition& position) {
  std::uint32_t cell[3];
  for (int a = 0; a < 3; ++a) cell[a] = grid.cell(a, position.x[a]);
  return grid.bin(cell[0], cell[1], cell[2]);
}

struct BinCount {
  domain::BinCountArgs args;
  GSIM_HD void operator()(Index row) const {
    args.places[row] = count_up(args.counts + bin_of(args.grid, args.positions[row]));
  }
};

struct BinFill {
  domain::BinFillArgs args;
  GSIM_HD void operator()(Index row) const {
    const Index bin = bin_of(args.counted.grid, args.counted.positions[row]);
    args.rows[args.first_of_bin[bin] + args.counted.places[row]] = static_cast<std::int32_t>(row);
  }
};

/// Insertion sort, since bins contain few rows.
struct BinSort {
  domain::BinSortArgs args;
  GSIM_HD void operator()(Index bin) const {
    const Index first = args.first_of_bin[bin], last = args.first_of_bin[bin + 1];
    for (Index n = first + 1; n < last; ++n) {
      const std::int32_t row = args.rows[n];
      const std::int64_t id = args.ids[row];
      Index place = n;
      for (; place > first && args.ids[args.rows[place - 1]] > id; --place)
        args.rows[place] = args.rows[place - 1];
      args.rows[place] = row;
    }
  }
};

inline constexpr Index scan_width = 64;

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

/// `sums` is null if there is only one block.
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

/// Computes the sums of blocks, scans them recursively, and then scans the values within the
/// blocks.
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

GSIM_DEFINE_LAUNCHER(domain_bin_count, domain::BinCountArgs) {
  launch(executor, "bin_count", args.positions.size, domain_kernels::BinCount{args});
}
GSIM_DEFINE_LAUNCHER(domain_exclusive_scan, domain::ExclusiveScanArgs) {
  domain_kernels::exclusive_scan(executor, args.values, args.scratch);
}
GSIM_DEFINE_LAUNCHER(domain_bin_fill, domain::BinFillArgs) {
  launch(executor, "bin_fill", args.counted.positions.size, domain_kernels::BinFill{args});
}
GSIM_DEFINE_LAUNCHER(domain_bin_sort, domain::BinSortArgs) {
  launch(executor, "bin_sort", args.bins, domain_kernels::BinSort{args});
}
