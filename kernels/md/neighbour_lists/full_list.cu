// Builds full neighbour lists: sorts atoms into bins, and searches the bins around each atom.
#include "gsim/math/scalar.hpp"
#include "gsim/md/neighbour_lists/full_list.hpp"
#include "kernels/domain/atomics.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// Converts a 64-bit fixed-point coordinate to the integer of which pair forces take differences:
/// in single precision its high 32 bits, rounded; in double precision the coordinate without its
/// lowest 12 bits, so that differences are exact in a double.
GSIM_HD void set_coordinate(std::uint32_t& to, std::uint64_t x) {
  to = static_cast<std::uint32_t>((x + 0x80000000u) >> 32);
}
GSIM_HD void set_coordinate(std::uint64_t& to, std::uint64_t x) { to = x & ~std::uint64_t{0xfff}; }

/// The squared distance to the nearest image.
GSIM_HD float distance2(const float* box_matrix, const std::uint32_t* a, const std::uint32_t* b) {
  float n[3];
  for (int k = 0; k < 3; ++k) n[k] = static_cast<float>(static_cast<std::int32_t>(a[k] - b[k]));
  const float x = fma(box_matrix[4], n[2], fma(box_matrix[3], n[1], box_matrix[0] * n[0]));
  const float y = fma(box_matrix[5], n[2], box_matrix[1] * n[1]), z = box_matrix[2] * n[2];
  return fma(z, z, fma(y, y, x * x));
}

/// Executes a PackJob: one row for each index, as in the other functors.
template <class Real>
struct PackRecords {
  md::PackJob<Real> job;
  GSIM_HD void operator()(Index k) const {
    const Index i = job.first + k;
    const FixedPosition position = job.positions[i];
    md::PairRecord<Real> record;
    for (int a = 0; a < 3; ++a) set_coordinate(record.x[a], position.x[a]);
    record.type = job.types == nullptr ? 0 : static_cast<decltype(record.type)>(job.types[i]);
    job.records[i] = record;
    if (job.reference == nullptr) return;
    std::uint32_t now[3];
    for (int a = 0; a < 3; ++a) set_coordinate(now[a], position.x[a]);
    const md::PairRecord<float> then = job.reference[i];
    const float moved2 = distance2(job.box_matrix, now, then.x);
    if (moved2 <= job.aging2) return;
    domain_kernels::atomic_max(&job.status->age,
                               moved2 <= job.allowed2 ? md::list_is_aging : md::list_is_stale);
  }
};

GSIM_HD std::uint32_t bin_along(const md::FullListGrid& grid, int axis, std::uint32_t x) {
  const auto cell = static_cast<std::uint32_t>((std::uint64_t{x} * grid.cells[axis]) >> 32);
  return cell % grid.bins[axis];
}
GSIM_HD Index bin_of(const md::FullListGrid& grid, const md::PairRecord<float>& record) {
  Index bin = 0;
  for (int a = 0; a < 3; ++a) bin = bin * grid.bins[a] + bin_along(grid, a, record.x[a]);
  return bin;
}

/// Executes a BinCountJob.
struct BinCount {
  md::BinCountJob job;
  GSIM_HD void operator()(Index k) const {
    job.places[k] =
        domain_kernels::atomic_increment(job.counts + bin_of(job.grid, job.records[job.first + k]));
  }
};

/// Executes a BinFillJob.
struct BinFill {
  md::BinFillJob job;
  GSIM_HD void operator()(Index k) const {
    const Index i = job.counted.first + k;
    const Index bin = bin_of(job.counted.grid, job.counted.records[i]);
    job.rows[job.first_of_bin[bin] + job.counted.places[k]] = static_cast<std::int32_t>(i);
  }
};

/// The bins within reach of an atom along one axis: `count` of them from `first` on, periodically.
struct BinsAround {
  std::uint32_t first, count;
  GSIM_HD BinsAround(const md::FullListGrid& grid, int axis, std::uint32_t x) {
    const std::uint32_t bins = grid.bins[axis], reach = grid.reach[axis];
    count = 2 * reach + 1 < bins ? 2 * reach + 1 : bins;
    first = count == bins ? 0 : (bin_along(grid, axis, x) + bins - reach) % bins;
  }
};

/// Executes a FullSearchJob.
struct FullSearch {
  md::FullSearchJob job;

  GSIM_HD bool is_excluded(Index i, std::int32_t j) const {
    if (job.excluded_first == nullptr) return false;
    for (Index p = job.excluded_first[i]; p < job.excluded_first[i + 1]; ++p)
      if (job.excluded[p] == j) return true;
    return false;
  }

  /// Adds the neighbours of atom i in bins [first_bin, last_bin) of `from` to its list. `found` is
  /// increased for every neighbour, also for those beyond `capacity_left`.
  GSIM_HD void visit(Index i, const md::PairRecord<float>& centre, const md::BinnedRows& from,
                     Index first_bin, Index last_bin, bool ghosts, std::int32_t capacity_left,
                     std::int32_t& found) const {
    const md::NeighbourRows& list = job.list;
    for (Index n = from.first[first_bin]; n < from.first[last_bin]; ++n) {
      const std::int32_t j = from.rows[n];
      if (j == i) continue;
      const md::PairRecord<float> neighbour = job.records[j];
      if (!(distance2(job.box_matrix, centre.x, neighbour.x) <= job.radius2) || is_excluded(i, j))
        continue;
      if (found < capacity_left) {
        const Index slot = ghosts ? list.capacity - 1 - found : found;
        list.entries[slot * list.stride + i] = j;
      }
      ++found;
    }
  }

  GSIM_HD std::int32_t search(Index i, const md::PairRecord<float>& centre,
                              const md::BinnedRows& from, bool ghosts,
                              std::int32_t capacity_left) const {
    const md::FullListGrid& grid = job.grid;
    const BinsAround xs(grid, 0, centre.x[0]), ys(grid, 1, centre.x[1]), zs(grid, 2, centre.x[2]);
    std::int32_t found = 0;
    for (std::uint32_t kx = 0; kx < xs.count; ++kx) {
      const Index x = (xs.first + kx) % grid.bins[0];
      for (std::uint32_t ky = 0; ky < ys.count; ++ky) {
        const Index y = (ys.first + ky) % grid.bins[1];
        const Index column = (x * grid.bins[1] + y) * grid.bins[2];
        const Index last = Index{zs.first} + zs.count, wrapped = last - grid.bins[2];
        visit(i, centre, from, column + zs.first, column + (wrapped > 0 ? grid.bins[2] : last),
              ghosts, capacity_left, found);
        if (wrapped > 0)
          visit(i, centre, from, column, column + wrapped, ghosts, capacity_left, found);
      }
    }
    return found;
  }

  GSIM_HD void operator()(Index i) const {
    const md::NeighbourRows& list = job.list;
    const md::PairRecord<float> centre = job.records[i];
    const std::int32_t locals = search(i, centre, job.local_rows, /*ghosts=*/false, list.capacity);
    std::int32_t ghosts = 0;
    if (job.ghost_rows.first != nullptr)
      ghosts = search(i, centre, job.ghost_rows, /*ghosts=*/true, list.capacity - locals);
    list.locals[i] = locals;
    list.ghosts[i] = ghosts;
    if (locals + ghosts > list.capacity)
      domain_kernels::atomic_max(&job.status->longest, static_cast<std::uint32_t>(locals + ghosts));
  }
};

}  // namespace md_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(full_list_pack_f32, md::PackJob<float>) {
  launch(executor, "md_pack_f32", args.count, md_kernels::PackRecords<float>{args});
}
GSIM_DEFINE_LAUNCHER(full_list_pack_f64, md::PackJob<double>) {
  launch(executor, "md_pack_f64", args.count, md_kernels::PackRecords<double>{args});
}
GSIM_DEFINE_LAUNCHER(full_list_count, md::BinCountJob) {
  launch(executor, "md_bin_count", args.count, md_kernels::BinCount{args});
}
GSIM_DEFINE_LAUNCHER(full_list_fill, md::BinFillJob) {
  launch(executor, "md_bin_fill", args.counted.count, md_kernels::BinFill{args});
}
GSIM_DEFINE_LAUNCHER(full_list_search, md::FullSearchJob) {
  // 128: threads per block, or indices per chunk on the host.
  launch(executor, "md_full_search", args.rows, md_kernels::FullSearch{args}, 128);
}
