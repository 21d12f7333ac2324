#include "src/modules/transport/plots/slice_picture.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "src/modules/transport/geometry/volumes/sampled_points.hpp"

namespace gsim::transport {
namespace {

double component(const std::array<double, 3>& v, int axis) {
  return v[static_cast<std::size_t>(axis)];
}

}  // namespace

void describe_slice(Section& s, SliceOptions& o) {
  static constexpr std::string_view bases[] = {"xy", "xz", "yz"};
  static constexpr std::string_view colours[] = {"material", "cell"};
  int basis = 0;
  s.optional("center", o.center, {.doc = "centre of the picture", .unit = "cm"});
  s.optional_word("basis", basis, bases, {.doc = "axes to the right and upwards"});
  s.required("width", o.size,
             {.doc = "width and height of the picture",
              .unit = "cm",
              .minimum = 0,
              .exclusive_minimum = true});
  s.optional("pixels", o.pixels,
             {.doc = "columns and rows of pixels, without axes and legend",
              .minimum = 1,
              .maximum = 20000});
  s.optional("color_by", o.colour_by, colours,
             {.doc = "whether each material or each cell has a colour of its own"});
  o.across = basis == 2 ? 1 : 0;
  o.up = basis == 0 ? 1 : 2;
}

Colour colour_of(std::string_view name, std::size_t index) {
  if (name == "void") return {255, 255, 255};
  return category_colour(index);
}

std::array<double, 3> pixel_centre(const SliceOptions& o, Index column, Index row) {
  const double step[2] = {o.size[0] / static_cast<double>(o.pixels[0]),
                          o.size[1] / static_cast<double>(o.pixels[1])};
  std::array<double, 3> x = o.center;
  x[static_cast<std::size_t>(o.across)] = component(o.center, o.across) - 0.5 * o.size[0] +
                                          (static_cast<double>(column) + 0.5) * step[0];
  x[static_cast<std::size_t>(o.up)] =
      component(o.center, o.up) + 0.5 * o.size[1] - (static_cast<double>(row) + 0.5) * step[1];
  return x;
}

namespace {

/// The number of pixels of one colour, and the first of them in reading order.
struct PixelCount {
  Index pixels = 0, first = std::numeric_limits<Index>::max();
  void count(Index pixel) {
    ++pixels;
    first = std::min(first, pixel);
  }
  void add(const PixelCount& other) {
    pixels += other.pixels;
    first = std::min(first, other.first);
  }
};

Vector3 centre_of_pixel(const SliceOptions& o, Index pixel) {
  const std::array<double, 3> x = pixel_centre(o, pixel % o.pixels[0], pixel / o.pixels[0]);
  return {x[0], x[1], x[2]};
}

/// The legend's entry for a gap or an overlap.
std::string fault_text(const Geometry& geometry, const GeometryView& g, const SliceOptions& o,
                       const PixelCount& pixels) {
  const Vector3 x = centre_of_pixel(o, pixels.first);
  const PointState state = state_at(g, x);
  const auto name = [&](std::size_t i) {
    return geometry.cell_names[static_cast<std::size_t>(state.overlapping[i])];
  };
  return fmt::format("{}, {} pixel{}, the first at ({:.6g}, {:.6g}, {:.6g})",
                     state.kind == PointState::Kind::overlapping
                         ? fmt::format("OVERLAP of cells, such as `{}` and `{}`", name(0), name(1))
                         : std::string("undefined: a GAP between cells"),
                     pixels.pixels, pixels.pixels == 1 ? "" : "s", x.x, x.y, x.z);
}

}  // namespace

Picture draw_slice(const Geometry& geometry, ThreadPool& pool, const SliceOptions& o) {
  const bool by_cell = o.colour_by == SliceOptions::ColourBy::cell;
  std::vector<std::string> names = by_cell ? geometry.cell_names : geometry.material_names;
  if (!by_cell) names.emplace_back("void");
  std::vector<Colour> colours;
  colours.reserve(names.size() + 3);
  for (std::size_t i = 0; i < names.size(); ++i) colours.push_back(colour_of(names[i], i));
  const std::size_t outside = names.size(), gap = outside + 1, overlap = outside + 2;
  names.insert(names.end(), {"outside", "", ""});
  colours.insert(colours.end(), {exterior_colour, gap_colour, overlap_colour});

  Picture picture{o.pixels[0], o.pixels[1], {}, by_cell ? "cells" : "materials", {}, {}};
  picture.rgb.resize(static_cast<std::size_t>(3 * picture.columns * picture.rows));
  std::vector<std::vector<PixelCount>> counts(static_cast<std::size_t>(pool.threads()),
                                              std::vector<PixelCount>(names.size()));
  const GeometryView g = geometry.view();
  const auto entry_of = [&](const PointState& state) {
    if (state.kind == PointState::Kind::outside) return outside;
    if (state.kind == PointState::Kind::undefined) return gap;
    if (state.kind == PointState::Kind::overlapping) return overlap;
    const std::int32_t index = by_cell ? state.cell : state.material;
    // The name before `outside` is `void`.
    return index >= 0 ? static_cast<std::size_t>(index) : outside - 1;
  };
  pool.for_each(picture.rows, [&](Index row, int worker) {
    for (Index column = 0; column < picture.columns; ++column) {
      const Index pixel = row * picture.columns + column;
      const std::size_t entry = entry_of(state_at(g, centre_of_pixel(o, pixel)));
      counts[static_cast<std::size_t>(worker)][entry].count(pixel);
      std::copy(colours[entry].begin(), colours[entry].end(),
                picture.rgb.begin() + static_cast<std::ptrdiff_t>(3 * pixel));
    }
  });
  for (std::size_t i = 0; i < names.size(); ++i) {
    PixelCount all;
    for (const auto& counts_of_worker : counts) all.add(counts_of_worker[i]);
    if (all.pixels == 0) continue;
    if (i >= gap) names[i] = fault_text(geometry, g, o, all);
    picture.legend.push_back({names[i], colours[i], all.pixels});
  }
  return picture;
}

}  // namespace gsim::transport
