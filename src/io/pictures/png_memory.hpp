#pragma once
// Functions shared by the writers of images.

#include <span>
#include <string>

#include "gsim/io/png_file.hpp"

namespace gsim::io_detail {

/// Encodes a complete PNG file in memory, with the arguments of write_png(). Throws IoError.
std::string png_in_memory(Index columns, Index rows, std::span<const std::uint8_t> rgb);

/// Creates the folder of `path` if it does not exist. Throws IoError.
void make_folder_of(const std::string& path);

}  // namespace gsim::io_detail
