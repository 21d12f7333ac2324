#pragma once
// Text on pictures.

#include <string_view>

#include "src/io/pictures/canvas.hpp"

namespace gsim::io_detail {

enum class Direction { right, up };

/// Pixels that `text` (UTF-8) takes along its direction, for capital letters `height` pixels high.
double text_length(std::string_view text, double height);

/// Draws `text`, which begins at `at` on its base line. Characters without a glyph are drawn as
/// boxes.
void draw_text(Canvas& canvas, Point at, std::string_view text, double height,
               Direction direction = Direction::right);

}  // namespace gsim::io_detail
