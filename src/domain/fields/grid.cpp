#include "gsim/domain/grid.hpp"

#include <algorithm>
#include <string>

#include "gsim/core/error.hpp"

namespace gsim {
namespace {

void check_cells(const Cell& cells) {
  constexpr Index max_cells = (Index{1} << 31) - 1;
  for (std::size_t a = 0; a < 3; ++a)
    GSIM_VALIDATE(
        cells[a] >= 1 && cells[a] <= max_cells,
        "a grid cannot have " + std::to_string(cells[a]) + " cells along axis " + "xyz"[a],
        "choose 1 to " + std::to_string(max_cells));
  GSIM_VALIDATE(cells[0] * cells[1] <= (Index{1} << 62) / cells[2],
                "a grid of " + std::to_string(cells[0]) + " x " + std::to_string(cells[1]) + " x " +
                    std::to_string(cells[2]) + " cells is too large to be numbered",
                "choose fewer cells");
}

/// The cell boundary nearest to `cut` on an axis of `cells` cells. It increases monotonically with
/// `cut`, so that blocks are disjoint if bricks are.
Index nearest_boundary(const Box& box, int axis, std::uint64_t cut, Index cells) {
  const bool periodic = box.boundary(axis) == Boundary::periodic;
  // The box occupies the middle quarter of the range of an open axis (Box::range_fraction).
  const std::uint64_t first = periodic ? 0 : cut_range / 8 * 3;
  const std::uint64_t length = periodic ? cut_range : cut_range / 4;
  const std::uint64_t inside = std::clamp(cut, first, first + length) - first;
  // inside <= 2^32 and cells < 2^31: the product fits.
  return static_cast<Index>((inside * static_cast<std::uint64_t>(cells) + length / 2) / length);
}

}  // namespace

GridDecomposition::GridDecomposition(const Cell& cells, const std::array<Boundary, 3>& boundaries,
                                     int ranks)
    : cells_(cells), boundaries_(boundaries) {
  check_cells(cells);
  GSIM_VALIDATE(ranks >= 1, "a grid cannot be divided among " + std::to_string(ranks) + " ranks",
                "use 1 or more");
  blocks_.resize(static_cast<std::size_t>(ranks));
  cut_evenly({{0, 0, 0}, cells}, 0, ranks);
}

GridDecomposition::GridDecomposition(const Cell& cells, const Box& box, const Decomposition& bricks)
    : cells_(cells), boundaries_{box.boundary(0), box.boundary(1), box.boundary(2)} {
  check_cells(cells);
  blocks_.resize(static_cast<std::size_t>(bricks.ranks()));
  for (int rank = 0; rank < bricks.ranks(); ++rank)
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      const Brick& brick = bricks.brick(rank);
      CellBlock& block = blocks_[static_cast<std::size_t>(rank)];
      block.lo[a] = nearest_boundary(box, axis, brick.lo[a], cells[a]);
      block.hi[a] = nearest_boundary(box, axis, brick.hi[a], cells[a]);
    }
}

GridDecomposition::GridDecomposition(const Cell& cells, const std::array<Boundary, 3>& boundaries,
                                     std::vector<CellBlock> blocks)
    : cells_(cells), boundaries_(boundaries), blocks_(std::move(blocks)) {
  check_cells(cells);
  check_tiling();
}

void GridDecomposition::cut_evenly(const CellBlock& block, int first, int last) {
  if (last - first == 1) {
    blocks_[static_cast<std::size_t>(first)] = block;
    return;
  }
  std::size_t axis = 0;
  for (std::size_t a = 1; a < 3;
       ++a)  // among equal sides the last one: a cut of x would split every line
    if (block.size(static_cast<int>(a)) >= block.size(static_cast<int>(axis))) axis = a;
  const Index below = (last - first) / 2, ranks = last - first;
  const Index length = block.hi[axis] - block.lo[axis];
  CellBlock lower = block, upper = block;
  lower.hi[axis] = upper.lo[axis] = block.lo[axis] + (length * below + ranks / 2) / ranks;
  cut_evenly(lower, first, first + static_cast<int>(below));
  cut_evenly(upper, first + static_cast<int>(below), last);
}

void GridDecomposition::check_tiling() const {
  // Disjoint blocks inside the grid with as many cells as the grid tile it.
  bool is_tiling = true;
  Index cells = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const CellBlock& b = blocks_[i];
    if (b.empty()) continue;
    for (std::size_t a = 0; a < 3; ++a)
      is_tiling = is_tiling && b.lo[a] >= 0 && b.hi[a] <= cells_[a];
    if (!is_tiling) break;
    cells += b.cells();
    for (std::size_t j = 0; j < i; ++j) {
      bool are_disjoint = blocks_[j].empty();
      for (std::size_t a = 0; a < 3; ++a)
        are_disjoint = are_disjoint || blocks_[j].hi[a] <= b.lo[a] || b.hi[a] <= blocks_[j].lo[a];
      is_tiling = is_tiling && are_disjoint;
    }
  }
  if (!is_tiling || cells != cells_[0] * cells_[1] * cells_[2])
    throw Error("internal error: the blocks of a grid do not tile it; please report it");
}

}  // namespace gsim
