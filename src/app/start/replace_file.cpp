#include "replace_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "gsim/core/error.hpp"

namespace gsim::app {

void replace_file(const std::string& path, const std::string& text) {
  const std::string partial = path + ".partial";
  std::ofstream file(partial, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (file && std::rename(partial.c_str(), path.c_str()) == 0) return;
  const std::string reason = std::strerror(errno);
  std::remove(partial.c_str());
  throw IoError(fmt::format("cannot write {}: {}", path, reason));
}

}  // namespace gsim::app
