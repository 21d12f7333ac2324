#include "gsim/core/regular_file.hpp"

#include <filesystem>
#include <system_error>

#include <linux/magic.h>
#include <sys/vfs.h>

namespace gsim {
namespace fs = std::filesystem;

std::string irregular_file_kind(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return {};
  if (fs::is_directory(status)) return "a folder, not a file";
  if (!fs::is_regular_file(status)) return "not a regular file, but a pipe, a device or a socket";
  struct statfs system {};
  const bool is_known = ::statfs(path.c_str(), &system) == 0;
  if (is_known && (system.f_type == PROC_SUPER_MAGIC || system.f_type == SYSFS_MAGIC))
    return "a virtual file of the kernel, not a file on a disk";
  return {};
}

std::string regular_file_problem(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return "there is no such file";
  const std::string kind = irregular_file_kind(path);
  return kind.empty() ? kind : "it is " + kind;
}

}  // namespace gsim
