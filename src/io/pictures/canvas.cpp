#include "src/io/pictures/canvas.hpp"

#include <algorithm>
#include <cmath>

#include "gsim/core/error.hpp"

namespace gsim::io_detail {
namespace {

double distance(const Point& p, const Segment& s) {
  const double dx = s.to.x - s.from.x, dy = s.to.y - s.from.y;
  const double square = dx * dx + dy * dy;
  const double along = (p.x - s.from.x) * dx + (p.y - s.from.y) * dy;
  const double t = square > 0 ? std::clamp(along / square, 0.0, 1.0) : 0;
  const double ex = p.x - s.from.x - t * dx, ey = p.y - s.from.y - t * dy;
  return std::sqrt(ex * ex + ey * ey);
}

}  // namespace

Canvas::Canvas(Index columns, Index rows) : raster_{columns, rows, {}} {
  raster_.rgb.assign(static_cast<std::size_t>(3 * columns * rows), 255);
}

void Canvas::fill(Index x, Index y, Index width, Index height, const Colour& colour) {
  const Index first = std::max<Index>(x, 0), last = std::min(x + width, raster_.columns);
  for (Index row = std::max<Index>(y, 0); row < std::min(y + height, raster_.rows); ++row)
    for (Index column = first; column < last; ++column)
      std::copy(
          colour.begin(), colour.end(),
          raster_.rgb.begin() + static_cast<std::ptrdiff_t>(3 * (row * raster_.columns + column)));
}

void Canvas::frame(Index x, Index y, Index width, Index height, const Colour& colour) {
  fill(x - 1, y - 1, width + 2, 1, colour);
  fill(x - 1, y + height, width + 2, 1, colour);
  fill(x - 1, y, 1, height, colour);
  fill(x + width, y, 1, height, colour);
}

void Canvas::copy(Index x, Index y, Index columns, Index rows, std::span<const std::uint8_t> rgb) {
  GSIM_EXPECT(x >= 0 && y >= 0 && x + columns <= raster_.columns && y + rows <= raster_.rows);
  GSIM_EXPECT(static_cast<Index>(rgb.size()) == 3 * columns * rows);
  for (Index row = 0; row < rows; ++row) {
    const auto line = rgb.subspan(static_cast<std::size_t>(3 * row * columns),
                                  static_cast<std::size_t>(3 * columns));
    std::copy(
        line.begin(), line.end(),
        raster_.rgb.begin() + static_cast<std::ptrdiff_t>(3 * ((y + row) * raster_.columns + x)));
  }
}

void Canvas::blend(Index x, Index y, const Colour& colour, double coverage) {
  for (std::size_t c = 0; c < 3; ++c) {
    auto& value = raster_.rgb[static_cast<std::size_t>(3 * (y * raster_.columns + x)) + c];
    value = static_cast<std::uint8_t>(std::lround((1 - coverage) * value + coverage * colour[c]));
  }
}

void Canvas::stroke(std::span<const Segment> segments, double width, const Colour& colour) {
  if (segments.empty()) return;
  Point low = segments.front().from, high = low;
  for (const Segment& s : segments)
    for (const Point& p : {s.from, s.to}) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
  const double reach = width / 2 + 1;
  const auto first = [&](double x) {
    return std::max<Index>(0, static_cast<Index>(std::floor(x - reach)));
  };
  const auto last = [&](double x, Index end) {
    return std::min(end, static_cast<Index>(std::ceil(x + reach)));
  };
  for (Index y = first(low.y); y < last(high.y, raster_.rows); ++y)
    for (Index x = first(low.x); x < last(high.x, raster_.columns); ++x) {
      const Point middle{static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5};
      double nearest = reach;
      for (const Segment& s : segments) nearest = std::min(nearest, distance(middle, s));
      const double coverage = std::clamp(width / 2 + 0.5 - nearest, 0.0, 1.0);
      if (coverage > 0) blend(x, y, colour, coverage);
    }
}

}  // namespace gsim::io_detail
