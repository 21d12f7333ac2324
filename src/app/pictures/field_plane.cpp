#include "field_plane.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gsim/config/section.hpp"
#include "gsim/core/error.hpp"
#include "gsim/io/read_numbers.hpp"

namespace gsim::app {
std::string unit_of(const ResultReader& file, const std::string& path,
                    const std::string& attribute) {
  return file.has_attribute(path, attribute) ? file.attribute(path, attribute) : std::string();
}

FieldGrid grid_of(ResultReader& file, const std::string& path, Index requested_step) {
  GSIM_VALIDATE(file.has_attribute("VTKHDF", "WholeExtent"),
                path + " does not contain fields on a regular grid",
                "`gsim plot` draws the pictures of grid modules (VTKHDF ImageData)");
  FieldGrid grid;
  const auto extent = file.attribute_numbers("VTKHDF", "WholeExtent");
  const auto origin = file.attribute_numbers("VTKHDF", "Origin");
  const auto spacing = file.attribute_numbers("VTKHDF", "Spacing");
  GSIM_VALIDATE(extent.size() == 6 && origin.size() == 3 && spacing.size() == 3,
                path + " does not describe its grid as VTKHDF requires", "write it again");
  for (std::size_t a = 0; a < 3; ++a) {
    grid.image.cells[a] = static_cast<Index>(extent[2 * a + 1] - extent[2 * a]);
    grid.image.origin[a] = origin[a];
    grid.image.spacing[a] = spacing[a];
  }
  grid.image.length_unit = unit_of(file, "VTKHDF", "length_unit");
  grid.has_steps = file.has(vtk_times);
  if (grid.has_steps) {
    const auto times = file.read<double>(vtk_times);
    grid.steps = static_cast<Index>(times.size());
    GSIM_VALIDATE(grid.steps > 0, path + " contains no steps", "run more steps");
    grid.step = requested_step < 0 ? grid.steps - 1 : requested_step;
    GSIM_VALIDATE(grid.step < grid.steps,
                  fmt::format("{} has steps 0 to {}, not {}", path, grid.steps - 1, requested_step),
                  "leave --step out for the last one");
    grid.time = times[static_cast<std::size_t>(grid.step)];
    grid.image.time_unit = unit_of(file, vtk_times);
  } else {
    GSIM_VALIDATE(requested_step <= 0, path + " does not contain a series of steps",
                  "leave --step out");
  }
  return grid;
}

std::vector<std::string> fields_of(const ResultReader& file) {
  std::vector<std::string> names;
  for (const std::string& name : file.list("VTKHDF"))
    if (const auto at = name.find("CellData/"); at != std::string::npos)
      names.push_back(name.substr(at + 9));
  return names;
}

std::string array_of(const ResultReader& file, const std::string& path, const std::string& field) {
  const std::string prefix = vtk_cell_data("");
  const std::vector<std::string> known = fields_of(file);
  GSIM_VALIDATE(!known.empty(), path + " contains no fields", "run again with output of fields");
  const std::string name = field.empty() ? known.front() : field;
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw InputError(fmt::format("{} contains no field `{}`; {}", path, name,
                                 suggest_known(name, known, "there are")));
  return prefix + name;
}

FieldPlane plane_of(const std::string& slice, const VtkImage& image) {
  FieldPlane plane;
  const bool is_given = !slice.empty();
  const std::string problem = fmt::format("--slice {} is not a plane", slice);
  const std::string advice = "write an axis and a coordinate, for example z=0.5";
  double coordinate = 0;
  if (is_given) {
    GSIM_VALIDATE(slice.size() > 2 && slice[0] >= 'x' && slice[0] <= 'z' && slice[1] == '=',
                  problem, advice);
    plane.axis = static_cast<std::size_t>(slice[0] - 'x');
    std::size_t parsed_characters = 0;
    try {
      coordinate = std::stod(slice.substr(2), &parsed_characters);
    } catch (const std::exception&) {
    }
    GSIM_VALIDATE(parsed_characters == slice.size() - 2, problem, advice);
  }
  plane.across = plane.axis == 0 ? 1 : 0;
  plane.up = plane.axis == 2 ? 1 : 2;
  const double low = image.origin[plane.axis], edge = image.spacing[plane.axis];
  const Index n = image.cells[plane.axis];
  const double high = low + edge * static_cast<double>(n);
  if (!is_given) coordinate = (low + high) / 2;
  GSIM_VALIDATE(low <= coordinate && coordinate <= high,
                fmt::format("--slice {} is outside of the grid, which extends from {:g} to {:g}",
                            slice, low, high),
                "choose a coordinate within the grid");
  plane.cell = std::min(static_cast<Index>((coordinate - low) / edge), n - 1);
  plane.middle = low + edge * (static_cast<double>(plane.cell) + 0.5);
  return plane;
}

std::vector<double> values_of(ResultReader& file, const std::string& array, const FieldGrid& grid,
                              const FieldPlane& plane) {
  const auto& n = grid.image.cells;
  const std::vector<Index> sizes = file.extents(array);
  std::vector<Index> first{0, 0, 0}, count{n[2], n[1], n[0]};
  if (grid.has_steps) {
    first.insert(first.begin(), grid.step);
    count.insert(count.begin(), 1);
  }
  const std::size_t axes = count.size();
  bool sizes_match = sizes.size() == axes || sizes.size() == axes + 1;
  for (std::size_t a = axes - 3; a < axes && sizes_match; ++a) sizes_match = sizes[a] == count[a];
  sizes_match = sizes_match && (!grid.has_steps || grid.step < sizes[0]) && n[0] * n[1] * n[2] > 0;
  const Index components = sizes_match && sizes.size() > axes ? sizes[axes] : 1;
  GSIM_VALIDATE(sizes_match && components > 0, array + " and its grid have different sizes",
                "write the file again");
  first[axes - 1 - plane.axis] = plane.cell;
  count[axes - 1 - plane.axis] = 1;
  if (sizes.size() > axes) {
    first.push_back(0);
    count.push_back(components);
  }
  std::vector<double> all = read_numbers(file, array, first, count);
  if (components == 1) return all;
  std::vector<double> values;
  for (std::size_t i = 0; i < all.size(); i += static_cast<std::size_t>(components)) {
    double square = 0;
    for (std::size_t c = i; c < i + static_cast<std::size_t>(components); ++c)
      square += all[c] * all[c];
    values.push_back(std::sqrt(square));
  }
  return values;
}

}  // namespace gsim::app
