// PNG through libpng's simplified interface.

#include "gsim/io/png_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <png.h>

#include "gsim/core/error.hpp"
#include "gsim/io/new_file.hpp"
#include "src/io/pictures/png_memory.hpp"

namespace gsim {

Colour map_colour(double value) {
  // Viridis at 0, 1/8, …, 1.
  static constexpr std::array<Colour, 9> ramp{{{68, 1, 84},
                                               {71, 44, 122},
                                               {59, 81, 139},
                                               {44, 113, 142},
                                               {33, 144, 141},
                                               {39, 173, 129},
                                               {92, 200, 99},
                                               {170, 220, 50},
                                               {253, 231, 37}}};
  const double position = std::clamp(value, 0.0, 1.0) * (ramp.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(position), ramp.size() - 2);
  const double fraction = position - static_cast<double>(i);
  Colour colour{};
  for (std::size_t c = 0; c < 3; ++c)
    colour[c] = static_cast<std::uint8_t>(
        std::lround((1 - fraction) * ramp[i][c] + fraction * ramp[i + 1][c]));
  return colour;
}

namespace {

png_image image_of(Index columns, Index rows) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(columns);
  image.height = static_cast<png_uint_32>(rows);
  image.format = PNG_FORMAT_RGB;
  return image;
}

}  // namespace

namespace io_detail {

std::string png_in_memory(Index columns, Index rows, std::span<const std::uint8_t> rgb) {
  GSIM_EXPECT(static_cast<Index>(rgb.size()) == 3 * columns * rows);
  png_image image = image_of(columns, rows);
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(image), '\0');
  png_alloc_size_t size = bytes.size();
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, rgb.data(), 0, nullptr) == 0)
    throw IoError(fmt::format("a picture could not be encoded: {}", image.message));
  bytes.resize(size);
  return bytes;
}

void make_folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error)
    throw IoError(
        fmt::format("the folder {} could not be created: {}", folder.string(), error.message()));
}

}  // namespace io_detail

void write_png(const std::string& path, Index columns, Index rows,
               std::span<const std::uint8_t> rgb) {
  GSIM_EXPECT(static_cast<Index>(rgb.size()) == 3 * columns * rows);
  const std::string partial = path + ".partial";
  io_detail::make_folder_of(path);
  make_new_file(partial);
  png_image image = image_of(columns, rows);
  const int is_written =
      png_image_write_to_file(&image, partial.c_str(), 0, rgb.data(), 0, nullptr);
  if (is_written == 0) {
    const std::string problem = image.message;
    std::remove(partial.c_str());
    throw IoError(fmt::format("the picture {} could not be written: {}", path, problem));
  }
  if (std::rename(partial.c_str(), path.c_str()) != 0)
    throw IoError(
        fmt::format("the picture {} could not be renamed: {}", path, std::strerror(errno)));
}

}  // namespace gsim
