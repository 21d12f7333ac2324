#pragma once
// Decomposition of a global orthogonal grid: one block per rank, for any number of ranks.

#include <array>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/domain/box.hpp"
#include "gsim/domain/decomposition.hpp"

namespace gsim {

/// Coordinates of a cell, or a number of cells along each axis.
using Cell = std::array<Index, 3>;

/// The cells with lo[a] <= c[a] < hi[a] on every axis; empty if hi[a] <= lo[a] on some axis.
struct CellBlock {
  Cell lo{0, 0, 0};
  Cell hi{0, 0, 0};

  Index size(int axis) const {
    const auto a = static_cast<std::size_t>(axis);
    return hi[a] > lo[a] ? hi[a] - lo[a] : 0;
  }
  Index cells() const { return size(0) * size(1) * size(2); }
  bool empty() const { return hi[0] <= lo[0] || hi[1] <= lo[1] || hi[2] <= lo[2]; }
  bool contains(const Cell& c) const {
    return lo[0] <= c[0] && c[0] < hi[0] && lo[1] <= c[1] && c[1] < hi[1] && lo[2] <= c[2] &&
           c[2] < hi[2];
  }
  friend bool operator==(const CellBlock&, const CellBlock&) = default;
};

/// The blocks of all ranks: disjoint, and together the whole grid. If there are more ranks than
/// cells, some blocks are empty.
class GridDecomposition {
 public:
  /// Blocks of nearly equal size by recursive bisection of the longest side (of equal ones the
  /// last). InputError unless ranks >= 1 and every axis has 1 to 2^31 - 1 cells, at most 2^62 in
  /// all.
  GridDecomposition(const Cell& cells, const std::array<Boundary, 3>& boundaries, int ranks);
  /// The bricks of a particle decomposition with cuts moved to the nearest cell boundaries of a
  /// grid that spans `box`. A brick thinner than a cell may get no cells. InputError as above.
  GridDecomposition(const Cell& cells, const Box& box, const Decomposition& bricks);
  /// A given division into blocks. InputError as above; Error unless `blocks` tile the grid.
  GridDecomposition(const Cell& cells, const std::array<Boundary, 3>& boundaries,
                    std::vector<CellBlock> blocks);

  int ranks() const { return static_cast<int>(blocks_.size()); }
  const CellBlock& block(int rank) const { return blocks_[static_cast<std::size_t>(rank)]; }
  /// Number of cells of the whole grid along each axis.
  const Cell& cells() const { return cells_; }
  Boundary boundary(int axis) const { return boundaries_[static_cast<std::size_t>(axis)]; }

 private:
  /// Divides `block` among the ranks [first, last).
  void cut_evenly(const CellBlock& block, int first, int last);
  void check_tiling() const;
  Cell cells_;
  std::array<Boundary, 3> boundaries_;
  std::vector<CellBlock> blocks_;
};

}  // namespace gsim
