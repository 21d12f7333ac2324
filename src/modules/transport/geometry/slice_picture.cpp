#include "src/modules/transport/geometry/slice_picture.hpp"

#include <algorithm>
#include <string_view>

#include "kernels/transport/geometry/geometry.hpp"

namespace gsim::transport {
namespace {

using namespace transport_kernels;

constexpr Colour undefined_colour{0, 0, 0};

double component(const std::array<double, 3>& v, int axis) {
  return v[static_cast<std::size_t>(axis)];
}

}  // namespace

void describe_slice(Section& s, SliceOptions& o) {
  static constexpr std::string_view bases[] = {"xy", "xz", "yz"};
  static constexpr std::string_view colours[] = {"material", "cell"};
  std::vector<double> center(3, 0.0), width;
  std::vector<Index> pixels{800, 800};
  int basis = 0;
  s.optional("center", center,
             {.doc = "of the picture", .unit = "cm", .min_size = 3, .max_size = 3});
  s.optional_word("basis", basis, bases, {.doc = "axes to the right and upwards"});
  s.required("width", width,
             {.doc = "of the picture along both axes",
              .unit = "cm",
              .minimum = 0,
              .exclusive_minimum = true,
              .min_size = 2,
              .max_size = 2});
  s.optional("pixels", pixels,
             {.doc = "columns and rows of the plane, which axes and a legend stand around",
              .minimum = 1,
              .maximum = 20000,
              .min_size = 2,
              .max_size = 2});
  s.optional("color_by", o.colour_by, colours, {.doc = "what has a colour of its own"});
  if (s.describing()) return;
  std::copy(center.begin(), center.end(), o.center.begin());
  std::copy(width.begin(), width.end(), o.size.begin());
  std::copy(pixels.begin(), pixels.end(), o.pixels.begin());
  o.across = basis == 2 ? 1 : 0;
  o.up = basis == 0 ? 1 : 2;
}

Colour colour_of(std::string_view name, std::size_t index) {
  if (name == "void") return {255, 255, 255};
  return category_colour(index);
}

std::array<double, 3> pixel_place(const SliceOptions& o, Index column, Index row) {
  const double step[2] = {o.size[0] / static_cast<double>(o.pixels[0]),
                          o.size[1] / static_cast<double>(o.pixels[1])};
  std::array<double, 3> x = o.center;
  x[static_cast<std::size_t>(o.across)] = component(o.center, o.across) - 0.5 * o.size[0] +
                                          (static_cast<double>(column) + 0.5) * step[0];
  x[static_cast<std::size_t>(o.up)] =
      component(o.center, o.up) + 0.5 * o.size[1] - (static_cast<double>(row) + 0.5) * step[1];
  return x;
}

Picture draw_slice(const Geometry& geometry, ThreadPool& pool, const SliceOptions& o) {
  const bool by_cell = o.colour_by == SliceOptions::ColourBy::cell;
  std::vector<std::string> names = by_cell ? geometry.cell_names : geometry.material_names;
  if (!by_cell) names.emplace_back("void");
  names.emplace_back("undefined");
  std::vector<Colour> colours;
  colours.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) colours.push_back(colour_of(names[i], i));
  colours.back() = undefined_colour;

  Picture picture{o.pixels[0], o.pixels[1], {}, by_cell ? "cells" : "materials", {}, {}};
  picture.rgb.resize(static_cast<std::size_t>(3 * picture.columns * picture.rows));
  std::vector<std::vector<Index>> seen(static_cast<std::size_t>(pool.threads()),
                                       std::vector<Index>(names.size()));
  const GeometryView g = geometry.view();
  pool.for_each(picture.rows, [&](Index row, int worker) {
    for (Index column = 0; column < picture.columns; ++column) {
      const std::array<double, 3> x = pixel_place(o, column, row);
      const CellAt at = cell_at(g, {x[0], x[1], x[2]}, {0.6, 0.64, 0.48});
      const std::int32_t index = by_cell ? at.cell : at.material;
      std::size_t entry = names.size() - 1;
      if (at.cell >= 0) entry = index >= 0 ? static_cast<std::size_t>(index) : names.size() - 2;
      ++seen[static_cast<std::size_t>(worker)][entry];
      const auto pixel = static_cast<std::size_t>(3 * (row * picture.columns + column));
      std::copy(colours[entry].begin(), colours[entry].end(),
                picture.rgb.begin() + static_cast<std::ptrdiff_t>(pixel));
    }
  });
  for (std::size_t i = 0; i < names.size(); ++i) {
    Index pixels = 0;
    for (const auto& counts : seen) pixels += counts[i];
    if (pixels > 0) picture.legend.push_back({names[i], colours[i], pixels});
  }
  return picture;
}

}  // namespace gsim::transport
