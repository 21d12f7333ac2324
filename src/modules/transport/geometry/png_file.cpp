// PNG through libpng's simplified interface.

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <png.h>

#include "gsim/core/error.hpp"
#include "src/modules/transport/geometry/slice_picture.hpp"

namespace gsim::transport {

void write_png(const std::string& path, const Picture& picture) {
  const std::string partial = path + ".partial";
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error)
    throw IoError(
        fmt::format("the folder {} could not be made: {}", folder.string(), error.message()));
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.columns);
  image.height = static_cast<png_uint_32>(picture.rows);
  image.format = PNG_FORMAT_RGB;
  const int is_written =
      png_image_write_to_file(&image, partial.c_str(), 0, picture.rgb.data(), 0, nullptr);
  if (is_written == 0) {
    const std::string problem = image.message;
    std::remove(partial.c_str());
    throw IoError(fmt::format("the picture {} could not be written: {}", path, problem));
  }
  if (std::rename(partial.c_str(), path.c_str()) != 0)
    throw IoError(
        fmt::format("the picture {} could not be put into place: {}", path, std::strerror(errno)));
}

}  // namespace gsim::transport
