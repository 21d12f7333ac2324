#pragma once
// The keys of a regular grid, for modules that compute on one:
//
//   [grid]
//   cells = [64, 64, 32]
//   spacing = [0.1, 0.1, 0.1]
//   length_unit = "m"              # for pictures and files; numbers stay as they are
//   [grid.z]                       # an axis without such a table is periodic
//   lower = "fixed"
//   lower_value = 1.0
//   upper = "zero_gradient"

#include <array>
#include <string>

#include "gsim/config/section.hpp"
#include "gsim/domain/field_boundary.hpp"
#include "gsim/domain/grid.hpp"
#include "gsim/io/vtk_image.hpp"

namespace gsim {

struct GridConfig {
  Cell cells{1, 1, 1};
  std::array<double, 3> spacing{1, 1, 1};  ///< edges of a cell
  std::array<double, 3> origin{0, 0, 0};   ///< lower corner of the first cell
  std::string length_unit = {};            ///< of spacing and origin; empty: unspecified
  std::array<Boundary, 3> boundaries{Boundary::periodic, Boundary::periodic, Boundary::periodic};
  std::array<std::array<FaceCondition, 2>, 3> faces{};  ///< [axis][side], of open axes

  /// Describes the table [grid] to a section, which fills these members while it reads.
  void describe(Section& top);

  Index count() const { return cells[0] * cells[1] * cells[2]; }
  GridDecomposition decomposition(int ranks) const { return {cells, boundaries, ranks}; }
  VtkImage image(const std::string& time_unit = {}) const {
    return {cells, origin, spacing, length_unit, time_unit};
  }
  /// Sets the boundary conditions of all components on all open faces.
  void set_conditions(FieldBoundary& boundary) const;
};

}  // namespace gsim
