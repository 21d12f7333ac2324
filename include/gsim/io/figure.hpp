#pragma once
// Pictures for reports: a plane of pixels with its axes, and what its colours mean.

#include <optional>
#include <string>
#include <vector>

#include "gsim/io/png_file.hpp"

namespace gsim {

/// Pixels, rows from above, three bytes each.
struct Raster {
  Index columns = 0, rows = 0;
  std::vector<std::uint8_t> rgb;
};

/// What the edges of a plane stand for: `first` on the left or below.
struct FigureAxis {
  std::string label;  ///< "x (cm)"
  double first = 0, last = 1;
};

/// The numbers that map_colour() stands for.
struct ColourBar {
  std::string label;
  double low = 0, high = 1;
  bool is_logarithmic = false;  ///< both are positive then
};

struct LegendEntry {
  Colour colour{};
  std::string text;
};

struct Figure {
  std::vector<std::string> title;  ///< lines
  Raster plane;
  FigureAxis across, up;
  std::optional<ColourBar> bar;
  std::vector<LegendEntry> legend;
};

/// The plane, pixel for pixel, with a title above, axes with ticks on the left and below, and the
/// colour bar and the legend on the right. The size of the letters is proportional to the plane's.
/// Very long legends end with the number of entries that are left out.
Raster draw_figure(const Figure& figure);

/// Values at which an axis from `first` to `last` has its ticks: multiples of 1, 2 or 5 times a
/// power of ten, `most` at most.
std::vector<double> ticks_of(double first, double last, int most);

/// The colour of category number `index`, which people with colour blindness can tell from others:
/// the seven of M. Okabe and K. Ito, "Color Universal Design" (2008) besides black, then lighter
/// and darker shades of them. After 21 categories they come again.
Colour category_colour(std::size_t index);

}  // namespace gsim
