#pragma once
// Values on the cells of a regular grid as VTKHDF, the format that ParaView and VTK (9.3 and later)
// read: https://docs.vtk.org/en/latest/vtk_file_formats/vtkhdf_file_format. Their name for such a
// grid is ImageData.

#include <array>
#include <string>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/io/object_writer.hpp"

namespace gsim {

/// Cells along each axis, where the lower corner of the first one is, and their edges.
struct VtkImage {
  std::array<Index, 3> cells{1, 1, 1};
  std::array<double, 3> origin{0, 0, 0};
  std::array<double, 3> spacing{1, 1, 1};
  std::string length_unit = {};  ///< of origin and spacing; empty: none, or not known
  std::string time_unit = {};    ///< of the times of a series of steps
};

/// Says in the attributes of the group VTKHDF that `file` holds values on such a grid. They belong
/// into arrays vtk_cell_data(name) of vtk_extents(); in a series of steps, see
/// describe_vtk_steps(), with the step as a further dimension in front. VTKHDF has no place for
/// units: the group has the attribute `length_unit` where there is one, for `gsim plot` and people.
void describe_vtk_image(ObjectWriter& file, const VtkImage& image);
/// Says, besides, that arrays hold `steps` steps, whose times are the array vtk_times; its
/// attribute `unit` is their unit, if any.
void describe_vtk_steps(ObjectWriter& file, Index steps, const std::string& time_unit = {});
inline constexpr const char* vtk_times = "VTKHDF/Steps/Values";

/// "VTKHDF/CellData/NAME"; slashes, which would make groups, become underscores.
std::string vtk_cell_data(const std::string& name);
/// Extents of an array of one value a cell, slowest first: {z, y, x}; with several components these
/// come last.
std::vector<Index> vtk_extents(const VtkImage& image, Index components = 1);

}  // namespace gsim
