#pragma once
// A plane of cells of a field on a regular grid, read from a file (VTKHDF ImageData).

#include <string>
#include <vector>

#include "gsim/io/result_file.hpp"
#include "gsim/io/vtk_image.hpp"

namespace gsim::app {

/// The grid of a file, and the chosen one of its steps.
struct FieldGrid {
  VtkImage image;
  bool has_steps = false;
  Index step = 0;   ///< number of the chosen step, from 0
  Index steps = 1;  ///< number of steps
  double time = 0;
};

/// The attribute `unit` of an array, or another text attribute; empty where it has none.
std::string unit_of(const ResultReader& file, const std::string& path,
                    const std::string& attribute = "unit");

/// Reads the grid; `requested_step` below 0 is the last step. InputError where the file holds no
/// such grid or step.
FieldGrid grid_of(ResultReader& file, const std::string& path, Index requested_step);

/// The names of all fields.
std::vector<std::string> fields_of(const ResultReader& file);

/// The path of the field's array; an empty name is the first field. InputError.
std::string array_of(const ResultReader& file, const std::string& path, const std::string& field);

/// A plane of cells across an axis.
struct FieldPlane {
  /// The axis perpendicular to the plane, and those to the right and upwards in its picture.
  std::size_t axis = 2, across = 0, up = 1;
  Index cell = 0;     ///< number of the plane of cells along `axis`
  double middle = 0;  ///< of its cells, along the axis
};

/// The plane that `slice` describes, "z=0.5"; the middle one perpendicular to z if it is empty.
/// InputError.
FieldPlane plane_of(const std::string& slice, const VtkImage& image);

/// Values of the plane's cells, the axis `across` varying fastest; the magnitude where there are
/// components. Only the plane is read from the file.
std::vector<double> values_of(ResultReader& file, const std::string& array, const FieldGrid& grid,
                              const FieldPlane& plane);

}  // namespace gsim::app
