#include "gsim/io/former_file.hpp"

#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "gsim/core/error.hpp"

namespace gsim {
namespace fs = std::filesystem;
namespace {

/// "run.1.h5" for "run.h5": the first of them that is free.
std::string free_name(const std::string& path) {
  const fs::path whole(path);
  for (int number = 1;; ++number) {
    fs::path name = whole.parent_path() / fmt::format("{}.{}{}", whole.stem().string(), number,
                                                      whole.extension().string());
    if (!fs::exists(name)) return name.string();
  }
}

}  // namespace

std::string why_not_writable(const std::string& path) {
  fs::path folder = fs::absolute(path).parent_path();
  while (!fs::exists(folder) && folder.has_relative_path()) folder = folder.parent_path();
  if (!fs::is_directory(folder)) return folder.string() + " is no folder";
  if (::access(folder.c_str(), W_OK | X_OK) != 0) return folder.string() + " is not writable";
  std::error_code error;  // what cannot be looked at is told when it is written
  if (fs::exists(path, error) && !fs::is_regular_file(path, error))
    return "it is there, and no ordinary file";
  return {};
}

std::string keep_under_free_name(const std::string& path) {
  std::string kept = free_name(path);
  std::error_code error;
  fs::create_hard_link(path, kept, error);  // the old name is never without a file
  if (error) fs::rename(path, kept, error);
  if (error) {
    throw IoError(fmt::format("cannot keep the former {} as {}: {}", path, kept, error.message()));
  }
  return kept;
}

}  // namespace gsim
