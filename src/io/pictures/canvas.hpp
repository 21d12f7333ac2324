#pragma once
// A picture of pixels that strokes are drawn on.

#include <span>

#include "gsim/io/figure.hpp"

namespace gsim::io_detail {

/// Pixels; x to the right and y downwards from the left upper corner.
struct Point {
  double x = 0, y = 0;
};
struct Segment {
  Point from, to;
};

class Canvas {
 public:
  /// All white.
  Canvas(Index columns, Index rows);

  /// Colours the pixels of [x, x + width) x [y, y + height), as far as they are there.
  void fill(Index x, Index y, Index width, Index height, const Colour& colour);
  /// Four lines of one pixel around these pixels, outside of them.
  void frame(Index x, Index y, Index width, Index height, const Colour& colour);
  /// Copies a picture; its left upper pixel comes to (x, y).
  void copy(Index x, Index y, Index columns, Index rows, std::span<const std::uint8_t> rgb);
  /// Draws segments as one stroke with round ends, `width` pixels wide: a pixel gets the colour by
  /// its distance to the nearest segment, so that edges are smooth.
  void stroke(std::span<const Segment> segments, double width, const Colour& colour);

  Raster take() { return std::move(raster_); }

 private:
  void blend(Index x, Index y, const Colour& colour, double part);
  Raster raster_;
};

}  // namespace gsim::io_detail
