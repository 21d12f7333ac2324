#pragma once
// Pictures of a plane through the geometry, a colour for each cell or material.

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
  std::array<double, 3> center{};
  int across = 0, up = 1;         ///< axes to the right and upwards
  std::array<double, 2> size{};   ///< cm
  std::array<Index, 2> pixels{};  ///< columns, rows
  ColourBy colour_by = ColourBy::material;
};

/// Describes `center`, `basis`, `width`, `pixels`, `color_by` of one picture.
void describe_slice(Section& s, SliceOptions& options);

/// The middle of a pixel; rows count from above.
std::array<double, 3> pixel_place(const SliceOptions& options, Index column, Index row);

struct Picture {
  Index columns = 0, rows = 0;
  std::vector<std::uint8_t> rgb;  ///< rows from above, three bytes a pixel
  struct Entry {
    static constexpr Index on_scale = -1;  ///< for `pixels`: the colour is one of many
    std::string name;
    Colour colour;
    Index pixels;
  };
  std::string title;             ///< what is to be seen, "flux of tally power"
  std::optional<ColourBar> bar;  ///< what colours on a scale mean
  /// What is to be seen, in the order of indices, then what is outside, gaps and overlaps.
  std::vector<Entry> legend;
};

/// The colour of the material or cell number `index`, the same in all pictures of a configuration:
/// category_colour(). "void" is white.
Colour colour_of(std::string_view name, std::size_t index);

/// Colours that no name has: of what is beyond boundary conditions, of places that no cell holds,
/// and of those that two hold.
inline constexpr Colour beyond_colour{0, 0, 0}, gap_colour{255, 0, 0}, overlap_colour{255, 0, 255};

/// Colours the places in the middle of pixels. The legend says of gaps and overlaps how many pixels
/// they take, where the first one is, and of which cells.
Picture draw_slice(const Geometry& geometry, ThreadPool& pool, const SliceOptions& options);

}  // namespace gsim::transport
