#include "src/modules/md/neighbour_lists/cluster_grid.hpp"

#include <algorithm>
#include <cmath>

#include "gsim/math/pow.hpp"

namespace gsim::md {

namespace {

double cube_root(double x) { return pow<Strict>(x, 1.0 / 3); }

/// The number density that an atom has around it on average, times the volume of the whole box. In
/// a box that is mostly empty, or mostly owned by other ranks, this is the density of the occupied
/// part. Atoms are counted in cells that contain 8 atoms on average.
double density_of_occupied_part(View<const FixedPosition> positions) {
  const auto atoms = static_cast<double>(positions.size);
  // Cells along an axis, at most 256^3 in all.
  const auto side = static_cast<std::uint64_t>(std::clamp(cube_root(atoms / 8), 1.0, 256.0));
  std::vector<std::int32_t> counts(side * side * side, 0);
  const auto cell = [&](std::uint64_t x) { return ((x >> 32) * side) >> 32; };
  for (Index i = 0; i < positions.size; ++i) {
    const auto& x = positions[i].x;
    ++counts[(cell(x[0]) * side + cell(x[1])) * side + cell(x[2])];
  }
  double squares = 0;
  for (const std::int32_t n : counts) squares += static_cast<double>(n) * n;
  return squares / std::max(atoms, 1.0) * static_cast<double>(counts.size());
}

}  // namespace

GridShape::GridShape(const Box& box, View<const FixedPosition> positions, double list_radius) {
  // The volume of the whole range of integer coordinates, which is larger than the box if an axis
  // is open.
  const double range_volume =
      box.volume() / (box.range_fraction(0) * box.range_fraction(1) * box.range_fraction(2));
  // A cluster of four atoms is about as wide as it is high. The number of cluster pairs in range is
  // smallest with slightly wider columns (factors of 1.08 to 1.15 in configs/md/melt.toml and in a
  // droplet). Each cube of this edge has two bins. The number of cubes is limited to about four for
  // each atom or, where columns would then be wider than the list radius, to half a million if that
  // is more.
  const double max_bins = 4 * static_cast<double>(positions.size) + 1;
  const double narrowest = cube_root(range_volume / max_bins);
  cluster_edge =
      cube_root(cluster_size * range_volume / std::max(density_of_occupied_part(positions), 1.0));
  const double edge =
      std::max(std::clamp(std::max(1.1 * cluster_edge, narrowest), list_radius / 4, list_radius),
               cube_root(range_volume / std::max(max_bins, 5e5)));
  for (int a = 0; a < 3; ++a) {
    const double cell_count = box.width(a) / box.range_fraction(a) / (a == 2 ? edge / 2 : edge);
    cells[static_cast<std::size_t>(a)] =
        static_cast<std::uint32_t>(std::clamp(std::floor(cell_count), 1.0, 4096.0));
  }
}

void Clustering::build(const GridShape& shape, View<const FixedPosition> positions, Index first,
                       Index count) {
  const Index columns = shape.columns(), bins = columns * shape.cells[2];
  bin_first_.assign(static_cast<std::size_t>(bins) + 1, 0);
  bin_of_.resize(static_cast<std::size_t>(count));
  for (Index k = 0; k < count; ++k) {
    const auto& x = positions[first + k].x;
    const Index bin = (Index{shape.cell(0, rounded_position(x[0]))} * shape.cells[1] +
                       shape.cell(1, rounded_position(x[1]))) *
                          shape.cells[2] +
                      shape.cell(2, rounded_position(x[2]));
    bin_of_[static_cast<std::size_t>(k)] = static_cast<std::int32_t>(bin);
    ++bin_first_[static_cast<std::size_t>(bin) + 1];
  }
  for (std::size_t b = 0; b < static_cast<std::size_t>(bins); ++b)
    bin_first_[b + 1] += bin_first_[b];
  next_.assign(bin_first_.begin(), bin_first_.end() - 1);
  sorted_.resize(static_cast<std::size_t>(count));
  for (Index k = 0; k < count; ++k) {
    const auto bin = static_cast<std::size_t>(bin_of_[static_cast<std::size_t>(k)]);
    const Entry entry{rounded_position(positions[first + k].x[2]),
                      static_cast<std::int32_t>(first + k)};
    auto row = static_cast<std::size_t>(next_[bin]++);
    for (const auto lowest = static_cast<std::size_t>(bin_first_[bin]);  // insertion sort of a few
         row > lowest && sorted_[row - 1].height > entry.height; --row)
      sorted_[row] = sorted_[row - 1];
    sorted_[row] = entry;
  }
  column_first_.resize(static_cast<std::size_t>(columns) + 1);
  slots_.clear();
  slots_.reserve(static_cast<std::size_t>(count + 3 * columns));
  for (Index c = 0; c < columns; ++c) {
    column_first_[static_cast<std::size_t>(c)] = static_cast<Index>(slots_.size()) / cluster_size;
    const auto last = bin_first_[static_cast<std::size_t>((c + 1) * shape.cells[2])];
    for (auto s = bin_first_[static_cast<std::size_t>(c * shape.cells[2])]; s < last; ++s)
      slots_.push_back(sorted_[static_cast<std::size_t>(s)].atom);
    while (slots_.size() % cluster_size != 0) slots_.push_back(-1);
  }
  const auto clusters = slots_.size() / cluster_size;
  column_first_[static_cast<std::size_t>(columns)] = static_cast<Index>(clusters);
  positions_.resize(clusters);
  rows_.resize(slots_.size());
  atoms_.assign(clusters, 0);
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    // An empty slot has the position of the first atom of its cluster; masks exclude its pairs.
    const bool empty = slots_[s] < 0;
    const std::int32_t atom = rows_[s] = empty ? slots_[s - s % cluster_size] : slots_[s];
    for (int a = 0; a < 3; ++a)
      positions_[s / cluster_size].c[a][s % cluster_size] = rounded_position(positions[atom].x[a]);
    if (!empty) atoms_[s / cluster_size] |= static_cast<std::uint8_t>(1u << (s % cluster_size));
  }
}

IndexRange Clustering::clusters_in(const GridShape& shape, Index c, std::uint32_t low,
                                   std::uint32_t high) const {
  const auto bin = [&](Index b) {
    return Index{bin_first_[static_cast<std::size_t>(c * shape.cells[2] + b)]};
  };
  const Index start = bin(0), first = bin(low) - start, last = bin(Index{high} + 1) - start;
  const Index base = column_first_[static_cast<std::size_t>(c)];
  if (first == last) return {base, base};
  return {base + first / cluster_size, base + (last + cluster_size - 1) / cluster_size};
}

}  // namespace gsim::md
