#include "gsim/io/figure.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <doctest/doctest.h>

#include "gsim/io/file_name.hpp"
#include "src/io/pictures/stroke_font.hpp"
#include "src/io/pictures/stroke_font_data.hpp"

using namespace gsim;

namespace {

Colour pixel(const Raster& r, Index x, Index y) {
  const auto at = static_cast<std::size_t>(3 * (y * r.columns + x));
  return {r.rgb[at], r.rgb[at + 1], r.rgb[at + 2]};
}

/// A plane of `columns` x `rows` pixels, each with a different colour than its neighbours.
Raster patterned(Index columns, Index rows) {
  Raster r{columns, rows, {}};
  for (Index y = 0; y < rows; ++y)
    for (Index x = 0; x < columns; ++x)
      r.rgb.insert(r.rgb.end(),
                   {static_cast<std::uint8_t>(x % 251), static_cast<std::uint8_t>(y % 241), 200});
  return r;
}

/// Whether the image contains the plane, pixel for pixel.
bool contains_plane(const Raster& image, const Raster& plane) {
  for (Index y = 0; y + plane.rows <= image.rows; ++y)
    for (Index x = 0; x + plane.columns <= image.columns; ++x) {
      if (pixel(image, x, y) != pixel(plane, 0, 0)) continue;
      bool is_same = true;
      for (Index row = 0; row < plane.rows && is_same; ++row)
        is_same = std::equal(
            plane.rgb.begin() + static_cast<std::ptrdiff_t>(3 * row * plane.columns),
            plane.rgb.begin() + static_cast<std::ptrdiff_t>(3 * (row + 1) * plane.columns),
            image.rgb.begin() + static_cast<std::ptrdiff_t>(3 * ((y + row) * image.columns + x)));
      if (is_same) return true;
    }
  return false;
}

/// The number of pixels in the colour of text.
Index count_text_pixels(const Raster& r) {
  Index count = 0;
  for (Index y = 0; y < r.rows; ++y)
    for (Index x = 0; x < r.columns; ++x) count += pixel(r, x, y) == Colour{30, 30, 30} ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("figure: ticks are round numbers, at most as many as requested") {
  CHECK(ticks_of(0, 10, 5) == std::vector<double>{0, 2, 4, 6, 8, 10});
  CHECK(ticks_of(-1, 1, 4) == std::vector<double>{-1, -0.5, 0, 0.5, 1});
  CHECK(ticks_of(0.1, 0.32, 4) == std::vector<double>{0.1, 0.2, 0.3});
  CHECK(ticks_of(0.3, 0.9, 6) == std::vector<double>{0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9});
  CHECK(ticks_of(0, 64.26, 8) == std::vector<double>{0, 10, 20, 30, 40, 50, 60});
  CHECK_FALSE(std::signbit(ticks_of(-1e-15, 10, 5).front()));
  for (const double scale : {1e-300, 3e-12, 1.0, 7e5, 2e300})
    for (int max_ticks = 2; max_ticks < 13; ++max_ticks) {
      const auto ticks = ticks_of(-0.37 * scale, scale, max_ticks);
      CAPTURE(scale);
      CAPTURE(max_ticks);
      CHECK(ticks.size() <= static_cast<std::size_t>(max_ticks) + 1);
      CHECK_FALSE(ticks.empty());
      CHECK(std::is_sorted(ticks.begin(), ticks.end()));
    }
}

TEST_CASE("figure: the plane is drawn pixel for pixel, with and without colour bar and legend") {
  Figure figure;
  for (const auto& [columns, rows] : {std::pair{300, 200}, std::pair{7, 5}, std::pair{400, 1}}) {
    figure = {};
    figure.plane = patterned(columns, rows);
    figure.title = {"flux of tally power at z = 0 cm",
                    "step 3, a title that is longer than 7 pixels"};
    figure.across = {"x (cm)", -3, 4.5};
    figure.up = {"y (cm)", 0, 1e-7};
    CHECK(contains_plane(draw_figure(figure), figure.plane));
    figure.bar = ColourBar{"flux (1/cm²)", 1e-9, 3, true};
    CHECK(contains_plane(draw_figure(figure), figure.plane));
    figure.bar = ColourBar{"flux", 1, 1.0000001, true};  // no power of ten in between
    CHECK(contains_plane(draw_figure(figure), figure.plane));
    figure.bar = ColourBar{"temperature", -1, 1, false};
    for (int i = 0; i < 300; ++i)
      figure.legend.push_back(
          {category_colour(static_cast<std::size_t>(i)),
           "a name of a cell that goes on for longer than it should " + std::to_string(i)});
    const Raster image = draw_figure(figure);
    CHECK(contains_plane(image, figure.plane));
    CHECK(image.columns < 100000);
    figure.bar.reset();
    CHECK(contains_plane(draw_figure(figure), figure.plane));
  }
}

TEST_CASE("figure: colours of categories differ from each other, from black and from white") {
  std::set<Colour> colours{{0, 0, 0}, {255, 255, 255}};
  for (std::size_t i = 0; i < 21; ++i) CHECK(colours.insert(category_colour(i)).second);
  CHECK(category_colour(21) == category_colour(0));
}

TEST_CASE(
    "figure: every printable character has a glyph, and other characters are drawn as boxes") {
  using namespace io_detail;
  for (char c = '!'; c <= '~'; ++c) {
    Canvas canvas(40, 40);
    draw_text(canvas, {10, 28}, std::string(1, c), 20);
    CAPTURE(c);
    CHECK(count_text_pixels(canvas.release()) > 2);
  }
  for (const auto& [code, glyph] : other_glyphs) CHECK(glyph.size() > 6);
  CHECK(text_length("", 20) == 0);
  // The glyph of A is 14 pixels wide, the box 9, the gap between glyphs 5.
  CHECK(text_length("A", 20) == 14);
  CHECK(text_length("AA", 20) == 14 + 5 + 14);
  CHECK(text_length("\xc2\xb2", 20) == 7);          // ², one character of two bytes
  CHECK(text_length("\xe4\xb8\xad", 20) == 9);      // a box
  CHECK(text_length("\xff\xfe", 20) == 9 + 5 + 9);  // not UTF-8
  CHECK(text_length("\xe4", 20) == 9);              // incomplete
}

TEST_CASE("file names: names are converted to parts of file names") {
  CHECK(sanitize_file_name("flux (group 1)") == "flux_group_1");
  CHECK(sanitize_file_name("plain-name_2.5") == "plain-name_2.5");
  CHECK(sanitize_file_name(" a / b\\c ") == "a_b_c");
  CHECK(sanitize_file_name("[x]") == "x");
  CHECK(sanitize_file_name("a_ b") == "a_b");
  CHECK(sanitize_file_name("Größe") == "Größe");
  CHECK(sanitize_file_name("()") == "_");
}
