#include "shared_files.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "gsim/core/error.hpp"

namespace gsim::app {

std::string find_shared(const std::string& name, const std::string& source) {
  namespace fs = std::filesystem;
  std::error_code ignored;  // without /proc, only the source folder is searched
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path installed = program.parent_path().parent_path() / "share/gsim" / name;
  if (!program.empty() && fs::is_directory(installed)) return installed.string();
  const fs::path in_sources = fs::path(GSIM_SOURCE_DIR) / source;
  GSIM_VALIDATE(fs::is_directory(in_sources), fmt::format("gsim's folder `{}` was not found", name),
                "install gsim with `cmake --install`");
  return in_sources.string();
}

}  // namespace gsim::app
