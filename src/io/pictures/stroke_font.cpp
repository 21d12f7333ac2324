#include "src/io/pictures/stroke_font.hpp"

#include <algorithm>
#include <vector>

#include "gsim/core/utf8.hpp"
#include "src/io/pictures/stroke_font_data.hpp"

namespace gsim::io_detail {
namespace {

constexpr double capital_height = 20, between_glyphs = 5;  // in glyph units
constexpr int baseline_digit = 8;                          // y of the digit 0 is -8
constexpr int segments_per_curve = 6;
constexpr std::string_view missing_glyph = "9 L08090s0s08";
constexpr Colour ink{30, 30, 30};

/// The value of a digit of base 36.
int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

/// Removes the first character from `text` and returns its code point.
char32_t pop_character(std::string_view& text) {
  const Utf8Character character = decode_utf8(text);
  text.remove_prefix(static_cast<std::size_t>(character.bytes));
  return character.code;
}

std::string_view glyph_of(char32_t code) {
  if (code >= 32 && code < 32 + ascii_glyphs.size()) return ascii_glyphs[code - 32];
  const auto found = std::find_if(other_glyphs.begin(), other_glyphs.end(),
                                  [&](const auto& entry) { return entry.first == code; });
  return found != other_glyphs.end() ? found->second : missing_glyph;
}

double width_of(std::string_view glyph) { return digit(glyph.front()); }

Point middle(const Point& a, const Point& b) { return {(a.x + b.x) / 2, (a.y + b.y) / 2}; }

/// The quadratic Bezier curve from a to b with control point c, as straight pieces.
void add_curve(const Point& a, const Point& c, const Point& b, std::vector<Segment>& segments) {
  Point last = a;
  for (int i = 1; i <= segments_per_curve; ++i) {
    const double t = static_cast<double>(i) / segments_per_curve, u = 1 - t;
    const Point next{u * u * a.x + 2 * u * t * c.x + t * t * b.x,
                     u * u * a.y + 2 * u * t * c.y + t * t * b.y};
    segments.push_back({last, next});
    last = next;
  }
}

/// A quadratic B-spline is a chain of Bezier curves that join at the midpoints between control
/// points (de Boor 1978, chapter IX); an open one begins and ends at its outer points.
void add_spline(const std::vector<Point>& p, bool is_closed, std::vector<Segment>& segments) {
  const std::size_t n = p.size();
  if (is_closed) {
    for (std::size_t i = 0; i < n; ++i)
      add_curve(middle(p[(i + n - 1) % n], p[i]), p[i], middle(p[i], p[(i + 1) % n]), segments);
    return;
  }
  for (std::size_t i = 1; i + 1 < n; ++i)
    add_curve(i == 1 ? p[0] : middle(p[i - 1], p[i]), p[i],
              i + 2 == n ? p[i + 1] : middle(p[i], p[i + 1]), segments);
}

/// The strokes of a glyph in glyph units, y upwards.
std::vector<Segment> segments_of(std::string_view glyph) {
  std::vector<Segment> segments;
  std::size_t at = 1;
  while (at < glyph.size()) {
    const char kind = glyph[at + 1];  // after a blank
    std::vector<Point> points;
    for (at += 2; at < glyph.size() && glyph[at] != ' '; at += 2)
      points.push_back({static_cast<double>(digit(glyph[at])),
                        static_cast<double>(digit(glyph[at + 1]) - baseline_digit)});
    if (kind == 'L') {
      for (std::size_t i = 1; i < points.size(); ++i)
        segments.push_back({points[i - 1], points[i]});
    } else {
      add_spline(points, kind == 'C', segments);
    }
  }
  return segments;
}

}  // namespace

double text_length(std::string_view text, double height) {
  double units = 0;
  while (!text.empty()) units += width_of(glyph_of(pop_character(text))) + between_glyphs;
  return std::max(0.0, units - between_glyphs) * height / capital_height;
}

void draw_text(Canvas& canvas, Point at, std::string_view text, double height,
               Direction direction) {
  const double scale = height / capital_height, stroke_width = 0.35 + height / 9;
  const auto to_pixels = [&](const Point& p) {
    return direction == Direction::right ? Point{at.x + p.x * scale, at.y - p.y * scale}
                                         : Point{at.x - p.y * scale, at.y - p.x * scale};
  };
  while (!text.empty()) {
    const std::string_view glyph = glyph_of(pop_character(text));
    std::vector<Segment> segments = segments_of(glyph);
    for (Segment& s : segments) s = {to_pixels(s.from), to_pixels(s.to)};
    canvas.stroke(segments, stroke_width, ink);
    at = to_pixels({width_of(glyph) + between_glyphs, 0});
  }
}

}  // namespace gsim::io_detail
