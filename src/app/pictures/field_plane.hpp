#pragma once
// A plane of cells of a field on a regular grid, out of a file (VTKHDF ImageData).

#include <string>
#include <vector>

#include "gsim/io/result_file.hpp"
#include "gsim/io/vtk_image.hpp"

namespace gsim::app {

/// The grid that a file describes, and which of its steps is wanted.
struct FieldGrid {
  VtkImage image;
  bool has_steps = false;
  Index step = 0, steps = 1;
  double time = 0;
};

/// The attribute `unit` of an array, or another text attribute; empty where it has none.
std::string unit_of(const ResultReader& file, const std::string& path,
                    const std::string& attribute = "unit");

/// Reads it; `wanted` below 0 is the last step. InputError where the file holds no such grid or
/// step.
FieldGrid grid_of(ResultReader& file, const std::string& path, Index wanted);

/// The path of the field's array; an empty name is the first field. InputError.
std::string array_of(const ResultReader& file, const std::string& path, const std::string& field);

/// A plane of cells across an axis.
struct FieldPlane {
  std::size_t axis = 2, across = 0, up = 1;
  Index cell = 0;
  double middle = 0;  ///< of its cells, along the axis
};

/// The plane that `words` say, "z=0.5"; without any the middle one across z. InputError.
FieldPlane plane_of(const std::string& words, const VtkImage& image);

/// Values of the plane's cells, those across fastest: the magnitude where there are components.
/// Nothing else of the field is read.
std::vector<double> values_of(ResultReader& file, const std::string& array, const FieldGrid& grid,
                              const FieldPlane& plane);

}  // namespace gsim::app
