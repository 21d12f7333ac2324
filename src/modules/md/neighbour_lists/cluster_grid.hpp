#pragma once
// Clusters of four atoms: atoms are sorted into columns along the third box vector, and by height
// within a column.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "gsim/core/fixed_position.hpp"
#include "gsim/core/types.hpp"
#include "gsim/domain/box.hpp"
#include "gsim/exec/executor.hpp"
#include "gsim/md/neighbour_lists/cluster_list.hpp"

namespace gsim::md {

/// The high 32 bits of a coordinate, rounded: the coordinates of mixed precision.
constexpr std::uint32_t rounded_position(std::uint64_t x) {
  return static_cast<std::uint32_t>((x + 0x80000000u) >> 32);
}

/// The grid of columns and of the bins within columns, the same for all clusterings of one list.
/// Numbers of cells refer to the whole range of the integer coordinates.
struct GridShape {
  std::array<std::uint32_t, 3> cells;
  double cluster_edge;  ///< edge of a cube that contains four atoms at the density of the liquid
  /// Chooses columns about as wide as a cluster of the atoms at `positions`.
  GridShape(const Box& box, View<const FixedPosition> positions, double list_radius);
  std::uint32_t cell(int axis, std::uint32_t x) const {
    return static_cast<std::uint32_t>((std::uint64_t{x} * cells[static_cast<std::size_t>(axis)]) >>
                                      32);
  }
  Index columns() const { return Index{cells[0]} * cells[1]; }
};

/// Calls task(first, last, worker) for ranges of the clusters 0 … clusters - 1, on all threads.
template <class Task>
void for_clusters(const Executor& executor, Index clusters, const Task& task) {
  constexpr Index at_a_time = 1024;
  executor.pool().for_each((clusters + at_a_time - 1) / at_a_time, [&](Index part, int worker) {
    task(part * at_a_time, std::min(clusters, (part + 1) * at_a_time), worker);
  });
}

/// The atoms of one rank, or its ghosts, in clusters of four.
class Clustering {
 public:
  /// Sorts positions [first, first + count) into clusters.
  void build(const GridShape& shape, View<const FixedPosition> positions, Index first, Index count);

  Index clusters() const { return static_cast<Index>(atoms_.size()); }
  /// The index of the atom in slot s; -1: the slot is empty. A cluster has four slots.
  const std::vector<std::int32_t>& slots() const { return slots_; }
  /// As slots(), but an empty slot holds the index of the first atom of its cluster.
  const std::vector<std::int32_t>& rows() const { return rows_; }
  std::int32_t atom(Index cluster, int k) const {
    return slots_[static_cast<std::size_t>(cluster_size * cluster + k)];
  }
  /// The rounded positions of the atoms of each cluster at build().
  const std::vector<Quad<std::uint32_t>>& positions() const { return positions_; }
  /// For each cluster, bit k: slot k holds an atom.
  const std::uint8_t* atoms() const { return atoms_.data(); }
  /// The clusters of column c.
  IndexRange column(Index c) const {
    return {column_first_[static_cast<std::size_t>(c)],
            column_first_[static_cast<std::size_t>(c) + 1]};
  }
  /// The clusters of column c that may hold atoms of bins [low, high].
  IndexRange clusters_in(const GridShape& shape, Index c, std::uint32_t low,
                         std::uint32_t high) const;

 private:
  std::vector<std::int32_t> slots_, rows_;
  std::vector<Quad<std::uint32_t>> positions_;
  std::vector<std::uint8_t> atoms_;
  std::vector<Index> column_first_;  // first cluster of each column, then the number of clusters
  std::vector<std::int32_t>
      bin_first_;  // first entry of each bin in sorted_, then the number of entries
  std::vector<std::int32_t> next_;  // while sorting: the next free entry of each bin
  struct Entry {
    std::uint32_t height;
    std::int32_t atom;
  };
  std::vector<Entry> sorted_;         // by bin, then by height
  std::vector<std::int32_t> bin_of_;  // bin of each position
};

}  // namespace gsim::md
