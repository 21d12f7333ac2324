#pragma once
// What writers of pictures share.

#include <span>
#include <string>

#include "gsim/io/png_file.hpp"

namespace gsim::io_detail {

/// A whole PNG file; arguments as of write_png(). IoError.
std::string png_in_memory(Index columns, Index rows, std::span<const std::uint8_t> rgb);

/// Makes the folder that `path` stands in, where there is none. IoError.
void make_folder_of(const std::string& path);

}  // namespace gsim::io_detail
