#pragma once
// Plots of a plane through the geometry with a colour for each cell or material.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/exec/thread_pool.hpp"
#include "gsim/io/figure.hpp"
#include "src/modules/transport/geometry/geometry.hpp"

namespace gsim::transport {

struct SliceOptions {
  enum class ColourBy { material, cell };
  std::array<double, 3> center{};         ///< cm
  int across = 0, up = 1;                 ///< axes to the right and upwards
  std::array<double, 2> size{};           ///< cm
  std::array<Index, 2> pixels{800, 800};  ///< columns, rows
  ColourBy colour_by = ColourBy::material;
};

/// Describes `center`, `basis`, `width`, `pixels`, `color_by` of one picture.
void describe_slice(Section& s, SliceOptions& options);

/// The centre of a pixel, cm; rows count from the top.
std::array<double, 3> pixel_centre(const SliceOptions& options, Index column, Index row);

struct Picture {
  Index columns = 0, rows = 0;
  std::vector<std::uint8_t> rgb;  ///< rows from the top, three bytes per pixel
  struct Entry {
    static constexpr Index on_scale = -1;  ///< value of `pixels` for colours of a scale
    std::string name;
    Colour colour;
    Index pixels;
  };
  std::string title;             ///< for example "flux of tally power"
  std::optional<ColourBar> bar;  ///< the scale of colours
  /// Cells or materials in the picture in the order of indices, then the outside, gaps and
  /// overlaps.
  std::vector<Entry> legend;
};

/// The colour of the material or cell `index`, the same in all plots of a configuration
/// (category_colour()); "void" is white.
Colour colour_of(std::string_view name, std::size_t index);

/// Reserved colours: of the outside, of points in no cell, and of points in two cells.
inline constexpr Colour exterior_colour{0, 0, 0}, gap_colour{255, 0, 0},
    overlap_colour{255, 0, 255};

/// Draws the colour at the centre of each pixel. For gaps and overlaps the legend gives the number
/// of pixels, the first position, and the cells.
Picture draw_slice(const Geometry& geometry, ThreadPool& pool, const SliceOptions& options);

}  // namespace gsim::transport
