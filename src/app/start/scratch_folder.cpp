#include "scratch_folder.hpp"

#include <cerrno>
#include <cstring>
#include <system_error>

#include <fmt/format.h>
#include <stdlib.h>

#include "gsim/core/error.hpp"

namespace gsim::app {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder(const std::string& prefix) {
  std::string path = (fs::temp_directory_path() / (prefix + "-XXXXXX")).string();
  if (::mkdtemp(path.data()) == nullptr)
    throw IoError(fmt::format("a folder cannot be created as {}: {}", path, std::strerror(errno)));
  path_ = path;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace gsim::app
