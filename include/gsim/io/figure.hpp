#pragma once
// Figures: a plane of pixels with axes, a colour bar and a legend.

#include <optional>
#include <string>
#include <vector>

#include "gsim/io/png_file.hpp"

namespace gsim {

/// An image of 3 bytes (red, green, blue) per pixel, rows from top to bottom.
struct Raster {
  Index columns = 0, rows = 0;
  std::vector<std::uint8_t> rgb;
};

/// An axis of the plane: `first` is the coordinate of the left or lower edge, `last` that of the
/// opposite one.
struct FigureAxis {
  std::string label;  ///< "x (cm)"
  double first = 0, last = 1;
};

/// The range of values that map_colour() represents.
struct ColourBar {
  std::string label;
  double low = 0, high = 1;
  bool is_logarithmic = false;  ///< then both limits are positive
};

struct LegendEntry {
  Colour colour{};
  std::string text;
};

struct Figure {
  std::vector<std::string> title;  ///< one string per line
  Raster plane;
  FigureAxis across, up;  ///< the horizontal and the vertical axis
  std::optional<ColourBar> bar;
  std::vector<LegendEntry> legend;
};

/// Draws the plane, pixel by pixel, with the title above, axes with ticks on the left and below,
/// and the colour bar and the legend on the right. The font size is proportional to the size of the
/// plane. Very long legends end with the number of entries that are omitted.
Raster draw_figure(const Figure& figure);

/// Tick positions of an axis from `first` to `last`: multiples of 1, 2 or 5 times a power of ten,
/// at most `max_ticks` of them.
std::vector<double> ticks_of(double first, double last, int max_ticks);

/// The colour of category number `index`, distinguishable with colour vision deficiency: the seven
/// colours of M. Okabe and K. Ito, "Color Universal Design" (2008), other than black, then lighter
/// and darker shades of them. The colours repeat after 21 categories.
Colour category_colour(std::size_t index);

}  // namespace gsim
