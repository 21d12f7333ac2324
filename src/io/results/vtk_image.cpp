#include "gsim/io/vtk_image.hpp"

#include <algorithm>

namespace gsim {

void describe_vtk_image(ObjectWriter& file, const VtkImage& image) {
  std::vector<Index> extent;
  for (const Index n : image.cells) extent.insert(extent.end(), {0, n});
  file.set("VTKHDF", "Version", std::vector<Index>{2, 0});
  file.set("VTKHDF", "Type", FixedLengthString{"ImageData"});
  file.set("VTKHDF", "WholeExtent", extent);
  file.set("VTKHDF", "Origin", std::vector<double>(image.origin.begin(), image.origin.end()));
  file.set("VTKHDF", "Spacing", std::vector<double>(image.spacing.begin(), image.spacing.end()));
  file.set("VTKHDF", "Direction", std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1});
  if (!image.length_unit.empty())
    file.set("VTKHDF", "length_unit", FixedLengthString{image.length_unit});
}

void describe_vtk_steps(ObjectWriter& file, Index steps, const std::string& time_unit) {
  file.set("VTKHDF/Steps", "NSteps", steps);
  if (!time_unit.empty()) file.set(vtk_times, "unit", FixedLengthString{time_unit});
}

std::string vtk_cell_data(const std::string& name) {
  std::string word = name;
  std::replace(word.begin(), word.end(), '/', '_');
  return "VTKHDF/CellData/" + word;
}

std::vector<Index> vtk_extents(const VtkImage& image, Index components) {
  std::vector<Index> extents{image.cells[2], image.cells[1], image.cells[0]};
  if (components > 1) extents.push_back(components);
  return extents;
}

}  // namespace gsim
