#include "gsim/engine/field_series.hpp"

#include <utility>

#include "gsim/config/output_keys.hpp"
#include "gsim/core/error.hpp"
#include "gsim/core/misuse.hpp"

namespace gsim {
namespace {

/// The distribution of cells over ranks in whole planes perpendicular to the last axis.
FieldRows planes_of(const Communicator& communicator, const GridDecomposition& grid,
                    const VtkImage& image) {
  GSIM_VALIDATE(grid.cells() == image.cells,
                "the image and the decomposition of a grid have different numbers of cells",
                "use the cells of the decomposition for both");
  return {communicator, grid, grid.cells()[0] * grid.cells()[1]};
}

std::vector<FrameSeries> series_of(const FieldRows& planes, const VtkImage& image,
                                   const std::vector<FieldArray>& arrays) {
  const Index plane = image.cells[0] * image.cells[1];
  const IndexRange mine{planes.mine().first / plane, planes.mine().last / plane};
  std::vector<FrameSeries> series{{vtk_times, ElementType::float64, {}}};
  for (const FieldArray& array : arrays)
    series.push_back(
        {vtk_cell_data(array.name), array.type, vtk_extents(image, array.components), mine});
  return series;
}

std::vector<FieldArray> arrays_of(std::span<const Field* const> fields) {
  std::vector<FieldArray> arrays;
  arrays.reserve(fields.size());
  for (const Field* field : fields) arrays.push_back(array_of(*field));
  return arrays;
}

}  // namespace

FieldArray array_of(const Field& field) {
  if (field.quantity().name.empty())
    throw MisuseError(
        "a field without a name cannot be written to a VTKHDF file; give Field::of() the name of "
        "its quantity");
  const bool is_double = field.row_bytes() / field.components() == Index{sizeof(double)};
  return {field.quantity().name, is_double ? ElementType::float64 : ElementType::float32,
          field.components(), field.quantity().unit};
}

void PictureKeys::describe(Section& top, const std::string& doc, const std::string& unit) {
  top.optional_table(
      "pictures",
      [&](Section& s) {
        every = 1;
        s.optional("every", every, {.doc = unit + " between pictures", .minimum = 1});
        optional_output(s, "file", file, "VTKHDF file for ParaView; default: OUTPUT.vtkhdf");
      },
      doc);
}

FieldSeries::FieldSeries(Communicator communicator, const GridDecomposition& grid,
                         const VtkImage& image, const std::string& path,
                         std::span<const Field* const> fields, const SegmentedFileOptions& options)
    : FieldSeries(std::move(communicator), grid, image, path, arrays_of(fields), options) {}

FieldSeries::FieldSeries(Communicator communicator, const GridDecomposition& grid,
                         const VtkImage& image, const std::string& path,
                         std::vector<FieldArray> arrays, const SegmentedFileOptions& options)
    : image_(image),
      arrays_(std::move(arrays)),
      planes_(planes_of(communicator, grid, image)),
      file_(std::move(communicator), path, series_of(planes_, image, arrays_), options) {}

void FieldSeries::append(double time, std::span<const Field* const> fields) {
  if (fields.size() != arrays_.size())
    throw MisuseError("FieldSeries::append() was given " + std::to_string(fields.size()) +
                      " fields, but the series was made for " + std::to_string(arrays_.size()));
  std::vector<std::vector<std::byte>> rows;
  std::vector<const void*> values{&time};
  for (std::size_t k = 0; k < fields.size(); ++k) {
    const Index bytes = static_cast<Index>(element_size(arrays_[k].type)) * arrays_[k].components;
    if (fields[k]->row_bytes() != bytes)
      throw MisuseError("FieldSeries::append() was given a field whose rows have " +
                        std::to_string(fields[k]->row_bytes()) + " bytes for the array " +
                        arrays_[k].name + ", which has rows of " + std::to_string(bytes) +
                        " bytes");
    rows.push_back(planes_.from_field(*fields[k]));
  }
  for (const auto& r : rows) values.push_back(r.data());
  file_.append(values);
}

std::string FieldSeries::summary() const {
  return "pictures: " + path() + ", " + std::to_string(steps()) + " steps";
}

std::string FieldSeries::finish() {
  return file_.finish([this](ObjectWriter& objects) {
    describe_vtk_image(objects, image_);
    describe_vtk_steps(objects, steps(), image_.time_unit);
    for (const FieldArray& array : arrays_)
      if (!array.unit.empty())
        objects.set(vtk_cell_data(array.name), "unit", FixedLengthString{array.unit});
  });
}

}  // namespace gsim
