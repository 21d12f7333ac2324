// Places axes, title, colour bar and legend around the plane of a figure, and draws all of them.

#include "gsim/io/figure.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/io/pictures/canvas.hpp"
#include "src/io/pictures/stroke_font.hpp"

namespace gsim {

using namespace io_detail;

namespace {

constexpr Colour black{30, 30, 30};
constexpr std::size_t max_entries = 200;  // maximum number of legend entries
constexpr int max_entry_length = 40;      // characters

/// 10^|exponent|, exact up to 10^22, so that a quotient or product with it is rounded once.
double ten_to(int exponent) {
  double power = 1;
  for (int i = 0; i < std::abs(exponent); ++i) power *= 10;
  return power;
}

double times_ten_to(double x, int exponent) {
  return exponent < 0 ? x / ten_to(exponent) : x * ten_to(exponent);
}

struct Tick {
  double position = 0;  ///< 0 at the first end of the axis, 1 at the last
  std::string text;
};

/// Ticks of a linear scale, at most `max_ticks`.
std::vector<Tick> scale_ticks(double first, double last, int max_ticks) {
  std::vector<Tick> ticks;
  for (const double value : ticks_of(first, last, max_ticks))
    ticks.push_back({(value - first) / (last - first), human_number(value, 10)});
  return ticks;
}

/// Ticks of a logarithmic scale, about `max_ticks` at most.
std::vector<Tick> log_ticks(double low, double high, int max_ticks) {
  const double from = std::log(low), width = std::log(high) - from;
  int first = 0, last = 0;  // decades, limited by the range of doubles
  while (times_ten_to(1, first) > low && first > -330) --first;
  while (times_ten_to(1, first + 1) <= low) ++first;
  last = first;
  while (times_ten_to(1, last) < high && last < 308) ++last;
  const int decades = last - first;
  const int step = std::max(1, (decades + max_ticks - 1) / max_ticks);
  std::vector<double> values;
  for (int decade = first; decade <= last; decade += step)
    for (const double digit : {1.0, 2.0, 5.0})
      if (digit == 1 || 3 * decades <= max_ticks) values.push_back(times_ten_to(digit, decade));
  std::vector<Tick> ticks;
  for (const double value : values) {
    if (value < low || value > high) continue;
    ticks.push_back({(std::log(value) - from) / width, human_number(value, 3)});
  }
  if (ticks.size() < 2)  // the range is narrow
    return {{0, human_number(low, 3)}, {1, human_number(high, 3)}};
  return ticks;
}

double max_label_length(const std::vector<Tick>& ticks, double height) {
  double length = 0;
  for (const Tick& tick : ticks) length = std::max(length, text_length(tick.text, height));
  return length;
}

/// Draws one figure; lengths are pixels.
class Layout {
 public:
  explicit Layout(const Figure& figure) : figure_(figure), plane_(figure.plane) {
    GSIM_EXPECT(plane_.columns > 0 && plane_.rows > 0);
    const auto edge = static_cast<double>(std::max(plane_.columns, plane_.rows));
    // In proportion to the plane, but legible in small pictures.
    letter_height_ = std::clamp(std::round(0.0145 * edge), 9.0, 60.0);
    line_height_ = 2 * letter_height_;
    tick_length_ = std::round(letter_height_ / 2);
    vertical_ticks_ = scale_ticks(figure_.up.first, figure_.up.last,
                                  ticks_along(plane_.rows, 4 * letter_height_));
    horizontal_ticks_ = fitting_horizontal_ticks();
    place_plane();
    place_legend();
  }

  Raster draw() {
    const double bottom =
        plane_y_ + inner_height_ + tick_length_ + 3.6 * letter_height_ + line_height_;
    double right = plane_x_ + width() + letter_height_ + right_width_;
    for (const std::string& line : figure_.title)
      right = std::max(right, plane_x_ + text_length(line, letter_height_) + letter_height_);
    Canvas canvas(static_cast<Index>(std::ceil(right)), static_cast<Index>(std::ceil(bottom)));
    canvas.copy(pixel(plane_x_), pixel(plane_y_), plane_.columns, plane_.rows, plane_.rgb);
    canvas.frame(pixel(plane_x_), pixel(plane_y_), plane_.columns, plane_.rows, black);
    draw_title(canvas);
    draw_horizontal_axis(canvas);
    draw_vertical_axis(canvas);
    if (figure_.bar) draw_bar(canvas);
    draw_legend(canvas);
    return canvas.release();
  }

 private:
  /// The nearest pixel.
  static Index pixel(double x) { return static_cast<Index>(std::lround(x)); }
  double width() const { return static_cast<double>(plane_.columns); }
  double height() const { return static_cast<double>(plane_.rows); }
  static int ticks_along(Index pixels, double pixels_per_tick) {
    return std::clamp(static_cast<int>(static_cast<double>(pixels) / pixels_per_tick), 2, 12);
  }

  /// Ticks of the horizontal axis: as many as have room for their labels side by side.
  std::vector<Tick> fitting_horizontal_ticks() const {
    std::vector<Tick> ticks;
    for (int max_ticks = ticks_along(plane_.columns, 4 * letter_height_); max_ticks >= 2;
         --max_ticks) {
      ticks = scale_ticks(figure_.across.first, figure_.across.last, max_ticks);
      const double room = width() / std::max<double>(1, static_cast<double>(ticks.size()));
      if (max_label_length(ticks, letter_height_) + 1.5 * letter_height_ <= room) break;
    }
    return ticks;
  }

  void place_plane() {
    plane_x_ = std::round(letter_height_ + line_height_ +
                          max_label_length(vertical_ticks_, letter_height_) + tick_length_ +
                          letter_height_ / 2);
    plane_y_ =
        std::round(letter_height_ + line_height_ * static_cast<double>(figure_.title.size()));
    inner_height_ = height();
  }

  void place_legend() {
    entries_ = std::min(figure_.legend.size(), max_entries);
    const bool is_cut = entries_ < figure_.legend.size();
    const double lines = static_cast<double>(entries_ + (is_cut ? 1 : 0));
    double text = 0;
    for (const LegendEntry& entry : figure_.legend)
      text = std::max(text, text_length(shorten(entry.text, max_entry_length), letter_height_));
    if (is_cut) text = std::max(text, text_length("and 100000 more", letter_height_));
    entry_width_ = entries_ > 0 ? 2.5 * line_height_ + text : 0;
    if (figure_.bar) {
      const double legend_height = lines > 0 ? line_height_ * (lines + 0.5) : 0;
      bar_height_ = std::max(height() - legend_height, 8 * line_height_);
      const int max_ticks = ticks_along(pixel(bar_height_), 3 * letter_height_);
      bar_ticks_ = figure_.bar->is_logarithmic
                       ? log_ticks(figure_.bar->low, figure_.bar->high, max_ticks)
                       : scale_ticks(figure_.bar->low, figure_.bar->high, max_ticks);
      right_width_ = line_height_ + 1.5 * letter_height_ + tick_length_ + letter_height_ / 2 +
                     max_label_length(bar_ticks_, letter_height_) + 1.5 * line_height_;
      inner_height_ = std::max(height(), bar_height_ + legend_height);
    } else {
      inner_height_ = std::max(height(), std::min(lines, 12.0) * line_height_);
    }
    const double from = figure_.bar ? bar_height_ + line_height_ / 2 : 0;
    lines_in_column_ = std::max(1.0, std::floor((inner_height_ - from) / line_height_ + 1e-9));
    const double columns = std::ceil(lines / lines_in_column_);
    right_width_ = std::max(right_width_, columns * entry_width_);
  }

  void draw_title(Canvas& canvas) const {
    double y = letter_height_ + letter_height_;
    for (const std::string& line : figure_.title) {
      draw_text(canvas, {plane_x_, y}, line, letter_height_);
      y += line_height_;
    }
  }

  void draw_horizontal_axis(Canvas& canvas) const {
    const double y = plane_y_ + height();
    for (const Tick& tick : horizontal_ticks_) {
      const double x = plane_x_ + tick.position * (width() - 1);
      canvas.fill(pixel(x), pixel(y), 1, pixel(tick_length_), black);
      draw_text(canvas,
                {x - text_length(tick.text, letter_height_) / 2,
                 y + tick_length_ + letter_height_ / 2 + letter_height_},
                tick.text, letter_height_);
    }
    draw_text(
        canvas,
        {std::max(letter_height_,
                  plane_x_ + (width() - text_length(figure_.across.label, letter_height_)) / 2),
         y + tick_length_ + letter_height_ / 2 + letter_height_ + 1.8 * letter_height_},
        figure_.across.label, letter_height_);
  }

  void draw_vertical_axis(Canvas& canvas) const {
    for (const Tick& tick : vertical_ticks_) {
      const double y = plane_y_ + (1 - tick.position) * (height() - 1);
      canvas.fill(pixel(plane_x_ - 1 - tick_length_), pixel(y), pixel(tick_length_), 1, black);
      draw_text(
          canvas,
          {plane_x_ - tick_length_ - letter_height_ / 2 - text_length(tick.text, letter_height_),
           y + letter_height_ / 2},
          tick.text, letter_height_);
    }
    draw_text(canvas,
              {2 * letter_height_,
               plane_y_ + (height() + text_length(figure_.up.label, letter_height_)) / 2},
              figure_.up.label, letter_height_, Direction::up);
  }

  void draw_bar(Canvas& canvas) const {
    const double x = plane_x_ + width() + line_height_, bar_width = 1.5 * letter_height_;
    const Index first = pixel(x), rows = pixel(bar_height_);
    for (Index row = 0; row < rows; ++row)
      canvas.fill(first, pixel(plane_y_) + row, pixel(bar_width), 1,
                  map_colour(1 - static_cast<double>(row) / static_cast<double>(rows - 1)));
    canvas.frame(first, pixel(plane_y_), pixel(bar_width), rows, black);
    const double right = x + bar_width;
    for (const Tick& tick : bar_ticks_) {
      const double y = plane_y_ + (1 - tick.position) * (bar_height_ - 1);
      canvas.fill(pixel(right) + 1, pixel(y), pixel(tick_length_), 1, black);
      draw_text(canvas, {right + tick_length_ + letter_height_ / 2 + 1, y + letter_height_ / 2},
                tick.text, letter_height_);
    }
    const double label = right + tick_length_ + letter_height_ / 2 +
                         max_label_length(bar_ticks_, letter_height_) + 2 * letter_height_;
    const double length = text_length(figure_.bar->label, letter_height_);
    draw_text(canvas, {label, plane_y_ + std::max((bar_height_ + length) / 2, length)},
              figure_.bar->label, letter_height_, Direction::up);
  }

  void draw_legend(Canvas& canvas) const {
    const double left = plane_x_ + width() + line_height_,
                 top = plane_y_ + (figure_.bar ? bar_height_ + line_height_ / 2 : 0);
    const std::size_t lines = entries_ + (entries_ < figure_.legend.size() ? 1 : 0);
    for (std::size_t i = 0; i < lines; ++i) {
      const double index = static_cast<double>(i);
      const double x = left + std::floor(index / lines_in_column_) * entry_width_;
      const double y = top + std::fmod(index, lines_in_column_) * line_height_;
      if (i == entries_) {
        draw_text(canvas, {x, y + 1.25 * letter_height_},
                  fmt::format("and {} more", figure_.legend.size() - entries_), letter_height_);
        break;
      }
      const Index edge = pixel(1.5 * letter_height_);
      canvas.fill(pixel(x), pixel(y), edge, edge, figure_.legend[i].colour);
      canvas.frame(pixel(x), pixel(y), edge, edge, black);
      draw_text(canvas, {x + line_height_ + letter_height_ / 2, y + 1.25 * letter_height_},
                shorten(figure_.legend[i].text, max_entry_length), letter_height_);
    }
  }

  const Figure& figure_;
  const Raster& plane_;
  double letter_height_ = 0;  // height of capital letters
  double line_height_ = 0, tick_length_ = 0;
  std::vector<Tick> horizontal_ticks_, vertical_ticks_, bar_ticks_;
  double plane_x_ = 0, plane_y_ = 0;  // upper left corner of the plane
  double inner_height_ = 0;           // of the plane, or of bar and legend if they are higher
  double right_width_ = 0;            // of the colour bar and the legend, right of the plane
  double bar_height_ = 0;
  std::size_t entries_ = 0;  // legend entries that are drawn
  double entry_width_ = 0, lines_in_column_ = 1;
};

}  // namespace

std::vector<double> ticks_of(double first, double last, int max_ticks) {
  GSIM_EXPECT(first < last && max_ticks > 0);
  // The smallest step of 1, 2 or 5 times a power of ten that gives at most `max_ticks` ticks, up to
  // rounding.
  const double min_step = (1 - 1e-9) * (last - first) / max_ticks;
  int exponent = 0;
  while (times_ten_to(1, exponent) > min_step && exponent > -320) --exponent;
  while (times_ten_to(10, exponent) <= min_step && exponent < 300) ++exponent;
  double step = 10;
  for (const double digit : {5.0, 2.0, 1.0})
    if (times_ten_to(digit, exponent) >= min_step) step = digit;
  const double width = times_ten_to(step, exponent);
  std::vector<double> ticks;
  // Include the ends if they are ticks up to rounding. Adding 0 converts -0 to 0.
  const double slack = 1e-9 * (last - first);
  for (double k = std::ceil((first - slack) / width) + 0.0; k * width <= last + slack; ++k) {
    ticks.push_back(times_ten_to(k * step, exponent));
    if (ticks.size() > static_cast<std::size_t>(max_ticks) + 2) break;
  }
  return ticks;
}

Colour category_colour(std::size_t index) {
  static constexpr std::array<Colour, 7> base{{{230, 159, 0},      // orange
                                               {86, 180, 233},     // sky blue
                                               {0, 158, 115},      // bluish green
                                               {240, 228, 66},     // yellow
                                               {0, 114, 178},      // blue
                                               {213, 94, 0},       // vermilion
                                               {204, 121, 167}}};  // reddish purple
  Colour colour = base[index % base.size()];
  const std::size_t shade = index / base.size() % 3;
  for (std::uint8_t& c : colour) {
    if (shade == 1) c = static_cast<std::uint8_t>(255 - (255 - c) * 45 / 100);  // lighter
    if (shade == 2) c = static_cast<std::uint8_t>(c * 55 / 100);                // darker
  }
  return colour;
}

Raster draw_figure(const Figure& figure) { return Layout(figure).draw(); }

}  // namespace gsim
