#pragma once
// PNG files, and colours that represent numbers.

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "gsim/core/types.hpp"

namespace gsim {

/// Red, green and blue, 0 to 255.
using Colour = std::array<std::uint8_t, 3>;

/// The colour of `value` in a colour map from dark (0) to bright (1); other values get the colour
/// of the nearer end. The map is "viridis" (S. van der Walt, N. Smith, 2015), interpolated linearly
/// between its colours at multiples of 1/8.
Colour map_colour(double value);

/// Writes a PNG file and creates its folder; an existing file is replaced when the new one is
/// complete. `rgb` holds three bytes per pixel, rows from top to bottom. IoError.
void write_png(const std::string& path, Index columns, Index rows,
               std::span<const std::uint8_t> rgb);

}  // namespace gsim
