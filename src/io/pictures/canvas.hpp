#pragma once
// A raster image on which lines and text are drawn.

#include <span>

#include "gsim/io/figure.hpp"

namespace gsim::io_detail {

/// Pixel coordinates: x to the right and y downwards from the upper left corner.
struct Point {
  double x = 0, y = 0;
};
struct Segment {
  Point from, to;
};

class Canvas {
 public:
  /// Creates a white image.
  Canvas(Index columns, Index rows);

  /// Fills the pixels [x, x + width) x [y, y + height), clipped to the image.
  void fill(Index x, Index y, Index width, Index height, const Colour& colour);
  /// Draws a frame of one pixel width around this rectangle.
  void frame(Index x, Index y, Index width, Index height, const Colour& colour);
  /// Copies an image, with its upper left pixel at (x, y).
  void copy(Index x, Index y, Index columns, Index rows, std::span<const std::uint8_t> rgb);
  /// Draws segments as one stroke with round ends, `width` pixels wide, antialiased: the coverage
  /// of a pixel depends on its distance to the nearest segment.
  void stroke(std::span<const Segment> segments, double width, const Colour& colour);

  Raster release() { return std::move(raster_); }

 private:
  void blend(Index x, Index y, const Colour& colour, double coverage);
  Raster raster_;
};

}  // namespace gsim::io_detail
