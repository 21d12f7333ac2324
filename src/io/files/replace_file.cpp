#include "gsim/io/replace_file.hpp"

#include <cerrno>
#include <cstdio>
#include <fstream>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/io/new_file.hpp"
#include "src/io/files/file_system.hpp"

namespace gsim {

void replace_file(const std::string& path, const std::string& text) {
  const std::string partial = path + ".partial";
  make_new_file(partial);
  errno = 0;
  std::ofstream file(partial, std::ios::binary);
  file << text;
  file.close();
  if (file && std::rename(partial.c_str(), path.c_str()) == 0) return;
  const int reason = errno != 0 ? errno : EIO;
  std::remove(partial.c_str());
  throw IoError(fmt::format("cannot write {}: {}", path, io::describe_errno(reason)));
}

}  // namespace gsim
