#pragma once
// Text on images.

#include <string_view>

#include "src/io/pictures/canvas.hpp"

namespace gsim::io_detail {

enum class Direction { right, up };

/// Length in pixels of `text` (UTF-8) along its direction, for capital letters `height` pixels
/// high.
double text_length(std::string_view text, double height);

/// Draws `text` with its baseline starting at `at`. Characters without a glyph are drawn as boxes.
void draw_text(Canvas& canvas, Point at, std::string_view text, double height,
               Direction direction = Direction::right);

}  // namespace gsim::io_detail
