#pragma once
// Cell data on regular grids in the VTKHDF format, which ParaView and VTK (9.3 and later) read:
// https://docs.vtk.org/en/latest/vtk_file_formats/vtkhdf_file_format. VTK calls such a grid
// ImageData.

#include <array>
#include <string>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/io/object_writer.hpp"

namespace gsim {

/// Number of cells along each axis, lower corner of the grid, and cell size.
struct VtkImage {
  std::array<Index, 3> cells{1, 1, 1};
  std::array<double, 3> origin{0, 0, 0};
  std::array<double, 3> spacing{1, 1, 1};
  std::string length_unit = {};  ///< unit of origin and spacing; empty: none or unknown
  std::string time_unit = {};    ///< unit of the times of a series of steps
};

/// Writes the attributes of the group VTKHDF for values on such a grid. Values belong in arrays
/// named vtk_cell_data(name) with the extents vtk_extents(); in a series of steps
/// (describe_vtk_steps()) the step is an additional first dimension. VTKHDF does not define units:
/// the group gets the attribute `length_unit` if there is one, for `gsim plot` and users.
void describe_vtk_image(ObjectWriter& file, const VtkImage& image);
/// Writes the attributes of a series of `steps` steps, whose times are in the array vtk_times; its
/// attribute `unit` is their unit, if any.
void describe_vtk_steps(ObjectWriter& file, Index steps, const std::string& time_unit = {});
inline constexpr const char* vtk_times = "VTKHDF/Steps/Values";

/// The path "VTKHDF/CellData/NAME"; slashes in the name, which would create groups, become
/// underscores.
std::string vtk_cell_data(const std::string& name);
/// Extents of an array with one value per cell, slowest dimension first: {z, y, x}; the components
/// of vectors come last.
std::vector<Index> vtk_extents(const VtkImage& image, Index components = 1);

}  // namespace gsim
