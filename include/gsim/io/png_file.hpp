#pragma once
// Pictures as PNG files, and the colours that stand for numbers on them.

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "gsim/core/types.hpp"

namespace gsim {

/// Red, green, blue.
using Colour = std::array<std::uint8_t, 3>;

/// Colours from dark to bright for `at` from 0 to 1; what is beyond has the colour of the end. The
/// map is "viridis" (S. van der Walt, N. Smith, 2015), linear between its eighths.
Colour map_colour(double at);

/// Writes a PNG file, and the folder for it; an old one is replaced when the new one is whole.
/// `rgb` are three bytes a pixel, rows from above. IoError.
void write_png(const std::string& path, Index columns, Index rows,
               std::span<const std::uint8_t> rgb);

}  // namespace gsim
