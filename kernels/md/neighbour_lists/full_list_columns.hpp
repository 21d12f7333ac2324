#pragma once
// The columns of bins around an atom, and the part of each that may contain its neighbours. The
// columns other than that of the atom are divided into four quarters, each of which is the previous
// one turned by 90 degrees: those with x > 0 and y >= 0, those with x <= 0 and y > 0, and so on.

#include "gsim/math/scalar.hpp"
#include "kernels/md/neighbour_lists/full_list_bins.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// The place of an atom along x or y: its bin, and its position within its cell from 0 to 1.
struct ColumnPlace {
  std::int32_t bin;
  float fraction;
  GSIM_HD ColumnPlace(const md::FullListGrid& grid, int axis, std::uint32_t x) {
    const std::uint64_t product = std::uint64_t{x} * grid.cells[axis];
    const auto cell = static_cast<std::uint32_t>(product >> 32), bins = grid.bins[axis];
    bin = static_cast<std::int32_t>(cell < bins ? cell : cell % bins);
    fraction = static_cast<float>(static_cast<std::uint32_t>(product)) * 0x1p-32f;
  }
  /// The distance, in cells, from the cell `offset` cells after that of the atom.
  GSIM_HD float distance(std::int32_t offset) const {
    const float after = static_cast<float>(offset) - fraction, before = -1.0f - after;
    return at_least(at_least(after, before), 0.0f);
  }
  /// The bin of this cell, for an offset below the number of bins.
  GSIM_HD std::uint32_t bin_at(std::int32_t offset, std::uint32_t bins) const {
    const auto count = static_cast<std::int32_t>(bins), b = bin + offset;
    return static_cast<std::uint32_t>(b < 0 ? b + count : b >= count ? b - count : b);
  }
};

/// Bins [first, last) of a column, and, periodically, bins [0, wrapped).
struct BinRange {
  std::uint32_t first, last, wrapped;
  /// The bins within `half` of position z, half given as a fraction of grid.extent.
  GSIM_HD BinRange(const md::FullListGrid& grid, std::uint32_t z, float half) {
    const std::uint32_t bins = grid.bins[2], cells = grid.cells[2];
    first = 0, last = bins, wrapped = 0;
    if (grid.whole_z) return;
    const std::uint32_t distance = static_cast<std::uint32_t>(half * grid.extent) + 2;
    const auto cell = [&](std::uint32_t at) {
      return static_cast<std::uint32_t>((std::uint64_t{at} * cells) >> 32);
    };
    const std::uint32_t low = cell(z - distance), high = cell(z + distance);
    const std::uint32_t count = high - low + 1 + (high < low ? cells : 0);
    if (count >= bins) return;
    first = low < bins ? low : low % bins;
    last = first + count;
    wrapped = last > bins ? last - bins : 0;
    last -= wrapped;
  }
};

/// Calls visit(record) for every `step`-th atom in `bins` of the column that begins at
/// first_of_bin[0], from atom `begin` of each range of bins on.
template <class Visit>
GSIM_HD void for_each_in_bins(const md::PairRecord<float>* records,
                              const std::int32_t* first_of_bin, const BinRange& bins,
                              std::int32_t begin, std::int32_t step, const Visit& visit) {
  std::uint32_t first_bin = bins.first, last_bin = bins.last;
  for (bool is_second = false;; is_second = true) {
    const std::int32_t last = first_of_bin[last_bin];
#if defined(__CUDACC__)
#pragma unroll 2  // with more, registers are spilled
#endif
    for (std::int32_t at = first_of_bin[first_bin] + begin; at < last; at += step) {
      const md::PairRecord<float> other = records[at];  // in one load
      visit(other);
    }
    if (is_second || bins.wrapped == 0) break;
    first_bin = 0, last_bin = bins.wrapped;
  }
}

/// Calls visit(record) for the atoms that may be neighbours of the atom at `position`: those of one
/// of `parts` parts of the columns around it, and one of `parts` of those in its own column. Parts
/// p, p + 4, … share a quarter of the columns; their number is a multiple of four.
template <class Visit>
GSIM_HD void for_each_in_part(const md::FullSearchJob& job, const std::uint32_t* position,
                              std::int32_t part, std::int32_t parts, const Visit& visit) {
  const md::FullListGrid& grid = job.grid;
  const ColumnPlace x(grid, 0, position[0]), y(grid, 1, position[1]);
  const auto first_of_column = [&](std::int32_t at_x, std::int32_t at_y) {
    const std::uint32_t column =
        x.bin_at(at_x, grid.bins[0]) * grid.bins[1] + y.bin_at(at_y, grid.bins[1]);
    return job.binned.first + column * grid.bins[2];
  };
  for_each_in_bins(job.binned.records, first_of_column(0, 0), BinRange(grid, position[2], 1.0f),
                   part, parts, visit);
  const std::int32_t quarter = part % 4;
  const std::int32_t cosine = quarter == 0 ? 1 : quarter == 2 ? -1 : 0;
  const std::int32_t sine = quarter == 1 ? 1 : quarter == 3 ? -1 : 0;
  // The columns are those at u in [1, most_u] and v in [0, most_v] along the turned axes.
  const std::int32_t most_u = quarter == 0   ? grid.after[0]
                              : quarter == 1 ? grid.after[1]
                              : quarter == 2 ? grid.before[0]
                                             : grid.before[1];
  const std::int32_t most_v = quarter == 0   ? grid.after[1]
                              : quarter == 1 ? grid.before[0]
                              : quarter == 2 ? grid.before[1]
                                             : grid.after[0];
  for (std::int32_t u = 1, v = part / 4;; v += parts / 4) {
    for (; v > most_v; v -= most_v + 1) ++u;
    if (u > most_u) break;
    const std::int32_t at_x = cosine * u - sine * v, at_y = sine * u + cosine * v;
    const float dx = x.distance(at_x) * grid.width[0], dy = y.distance(at_y) * grid.width[1];
    const float half2 = fma(-dx, dx, fma(-dy, dy, 1.0f));
    if (half2 > 0)
      for_each_in_bins(job.binned.records, first_of_column(at_x, at_y),
                       BinRange(grid, position[2], sqrt(half2)), 0, 1, visit);
  }
}

}  // namespace md_kernels
GSIM_TARGET_END
