#include "kernels/domain/atomics.hpp"
#include "kernels/domain/bin_rows.hpp"

GSIM_TARGET_BEGIN
namespace domain_kernels {

GSIM_HD Index bin_of(const CellGrid& grid, const FixedPosition& position) {
  std::uint32_t cell[3];
  for (int a = 0; a < 3; ++a) cell[a] = grid.cell(a, position.x[a]);
  return grid.bin(cell[0], cell[1], cell[2]);
}

struct BinCount {
  domain::BinCountArgs args;
  GSIM_HD void operator()(Index row) const {
    args.places[row] = atomic_increment(args.counts + bin_of(args.grid, args.positions[row]));
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

}  // namespace domain_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(domain_bin_count, domain::BinCountArgs) {
  launch(executor, "bin_count", args.positions.size, domain_kernels::BinCount{args});
}
GSIM_DEFINE_LAUNCHER(domain_bin_fill, domain::BinFillArgs) {
  launch(executor, "bin_fill", args.counted.positions.size, domain_kernels::BinFill{args});
}
GSIM_DEFINE_LAUNCHER(domain_bin_sort, domain::BinSortArgs) {
  launch(executor, "bin_sort", args.bins, domain_kernels::BinSort{args});
}
