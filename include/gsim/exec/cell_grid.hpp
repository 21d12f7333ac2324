#pragma once
// Cell lists as used by kernels: the cells of a box, rows sorted by cell, and the loop over the
// neighbours of a point (M. P. Allen and D. J. Tildesley, Computer Simulation of Liquids, 2nd ed.
// (2017), section 5.3.2). Built by domain/cell_list.hpp.

#include <cstdint>

#include "gsim/core/fixed_position.hpp"
#include "gsim/core/types.hpp"
#include "gsim/exec/view.hpp"
#include "gsim/math/target.hpp"

namespace gsim {

/// The cells of a box in integer coordinates, `cells` along each axis, numbered identically on
/// every rank. Cells whose numbers agree modulo `bins` along every axis share a bin, so that a rank
/// has about as many bins as particles, independent of the size of the box.
struct CellGrid {
  std::uint32_t cells[3] = {1, 1, 1};
  std::uint32_t bins[3] = {1, 1, 1};

  /// The cell of a coordinate: floor(x / 2^64 * cells), exactly.
  GSIM_HD std::uint32_t cell(int axis, std::uint64_t x) const {
    const std::uint64_t n = cells[axis];
    return static_cast<std::uint32_t>(((x >> 32) * n + (((x & 0xffffffffu) * n) >> 32)) >> 32);
  }
  GSIM_HD Index bin(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    return (Index{x % bins[0]} * bins[1] + y % bins[1]) * bins[2] + z % bins[2];
  }
  /// Whether several cells share a bin.
  GSIM_HD bool shares_bins() const {
    return bins[0] != cells[0] || bins[1] != cells[1] || bins[2] != cells[2];
  }
  /// Total number of bins.
  GSIM_HD Index size() const { return Index{bins[0]} * bins[1] * bins[2]; }
};

/// View of particles sorted by cell. Passed to kernels by value; valid as long as the CellList that
/// created it, until it is rebuilt.
struct CellListView {
  CellGrid grid;
  const std::int32_t* first = nullptr;  ///< rows of bin b: rows[first[b]] … rows[first[b + 1] - 1]
  /// Rows of the store, of local particles and ghosts, sorted by bin and by id within a bin.
  const std::int32_t* rows = nullptr;
  const FixedPosition* positions = nullptr;  ///< of all rows
  double box_matrix[6] = {};                 ///< Box::matrix(64)
  double reach = 0;

  /// Calls visit(row, difference, squared_distance) for every particle, local or ghost, at most
  /// `reach` from `point`; `difference` is the vector from `point` to the particle (3 doubles,
  /// units of length). A particle at `point` itself is included. The order is by cells around the
  /// point and by id within a cell: it does not depend on the number of ranks, and neither do
  /// floating-point sums in this order. Positions must not have changed since the list was built.
  template <class Visit>
  GSIM_HD void for_each_near(const FixedPosition& point, const Visit& visit) const {
    std::uint32_t cell[3][3], bin[3][3];  // cells and bins around the point along each axis
    int count[3];
    for (int a = 0; a < 3; ++a) {
      const std::uint32_t cells = grid.cells[a];
      const std::uint32_t own = grid.cell(a, point.x[a]);
      count[a] = cells < 3 ? static_cast<int>(cells) : 3;
      for (int k = 0; k < count[a]; ++k) {
        const std::uint32_t wrapped = own + cells - 1 + static_cast<std::uint32_t>(k);
        cell[a][k] = cells < 3 ? static_cast<std::uint32_t>(k) : wrapped % cells;
        bin[a][k] = cell[a][k] % grid.bins[a];
      }
    }
    for (int i = 0; i < count[0]; ++i)
      for (int j = 0; j < count[1]; ++j) {
        const Index column = (Index{bin[0][i]} * grid.bins[1] + bin[1][j]) * grid.bins[2];
        for (int k = 0; k < count[2]; ++k)
          visit_bin(column + bin[2][k], cell[0][i], cell[1][j], cell[2][k], point, visit);
      }
  }

  /// As above for the neighbours of the particle in row `row`, without the particle itself.
  template <class Visit>
  GSIM_HD void for_each_neighbour(Index row, const Visit& visit) const {
    const FixedPosition point = positions[row];
    for_each_near(point, [&](Index other, const double* difference, double squared_distance) {
      if (other != row) visit(other, difference, squared_distance);
    });
  }

 private:
  /// Visits the particles of cell (x, y, z) in a bin.
  template <class Visit>
  GSIM_HD void visit_bin(Index bin, std::uint32_t x, std::uint32_t y, std::uint32_t z,
                         const FixedPosition& point, const Visit& visit) const {
    for (Index n = first[bin]; n < first[bin + 1]; ++n) {
      const Index row = rows[n];
      const FixedPosition other = positions[row];
      if (grid.shares_bins() && (grid.cell(0, other.x[0]) != x || grid.cell(1, other.x[1]) != y ||
                                 grid.cell(2, other.x[2]) != z))
        continue;  // the particle is in another cell of the same bin
      double fixed_difference[3];
      for (int a = 0; a < 3; ++a)
        fixed_difference[a] =
            static_cast<double>(static_cast<std::int64_t>(other.x[a] - point.x[a]));
      const double difference[3] = {
          box_matrix[0] * fixed_difference[0] + box_matrix[3] * fixed_difference[1] +
              box_matrix[4] * fixed_difference[2],
          box_matrix[1] * fixed_difference[1] + box_matrix[5] * fixed_difference[2],
          box_matrix[2] * fixed_difference[2]};
      const double squared = difference[0] * difference[0] + difference[1] * difference[1] +
                             difference[2] * difference[2];
      if (squared <= reach * reach) visit(row, difference, squared);
    }
  }
};

}  // namespace gsim
