#include "gsim/io/backup_file.hpp"

#include <atomic>
#include <filesystem>

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "gsim/core/error.hpp"

namespace gsim {
namespace fs = std::filesystem;
namespace {

/// The first free name of "run.1.h5", "run.2.h5", … for "run.h5".
std::string free_name(const std::string& path) {
  const fs::path original(path);
  for (int number = 1;; ++number) {
    fs::path name = original.parent_path() / fmt::format("{}.{}{}", original.stem().string(),
                                                         number, original.extension().string());
    if (!fs::exists(name)) return name.string();
  }
}

/// Set before threads that are ranks start to write.
std::atomic<ExistingFile>& current_policy() {
  static std::atomic<ExistingFile> value = ExistingFile::keep;
  return value;
}

/// Length of the longest suffix of a temporary name: ".ckpt.N.partial".
constexpr std::size_t longest_suffix = 24;
/// Minimum disk space in bytes for the files of a run: space for HDF5's structures is reserved in
/// advance (hdf5_writer.hpp), for a result and a checkpoint.
constexpr double min_space = 2.5e6;

/// The reason why a file of this name cannot exist in the existing `folder`, or nothing.
std::string why_not_creatable(const std::string& path, const fs::path& folder) {
  const std::size_t length = fs::path(path).filename().string().size();
  const long max_length = ::pathconf(folder.c_str(), _PC_NAME_MAX);
  if (max_length > 0 && length + longest_suffix > static_cast<std::size_t>(max_length))
    return fmt::format(
        "its name has {} characters, and {} more while it is written, but the file system allows "
        "{}; choose a shorter name",
        length, longest_suffix, max_length);
  struct statvfs disk {};
  if (::statvfs(folder.c_str(), &disk) != 0 || disk.f_blocks == 0) return {};
  const double available_bytes =
      static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize);
  if (available_bytes >= min_space) return {};
  return fmt::format(
      "its disk has {:.0f} kB left, but results and checkpoints need at least {:.0f} kB while they "
      "are written",
      available_bytes / 1000, min_space / 1000);
}

}  // namespace

void set_existing_file_policy(ExistingFile policy) { current_policy() = policy; }
ExistingFile existing_file_policy() { return current_policy(); }

void refuse_existing(const std::string& path) {
  std::error_code ignored;
  if (existing_file_policy() != ExistingFile::refuse || !fs::exists(path, ignored)) return;
  throw InputError(fmt::format(
      "{} exists, and output.existing is \"refuse\"; move it away, or choose another place with "
      "--output",
      path));
}

std::string why_not_writable(const std::string& path) {
  fs::path folder = fs::absolute(path).parent_path();
  while (!fs::exists(folder) && folder.has_relative_path()) folder = folder.parent_path();
  if (!fs::is_directory(folder)) return folder.string() + " is no folder";
  if (::access(folder.c_str(), W_OK | X_OK) != 0) return folder.string() + " is not writable";
  std::error_code error;  // errors of the check are reported when the file is written
  if (fs::exists(path, error) && !fs::is_regular_file(path, error))
    return "it exists and is not a regular file";
  if (existing_file_policy() == ExistingFile::refuse && fs::exists(path, error))
    return "it exists, and output.existing is \"refuse\"";
  return why_not_creatable(path, folder);
}

std::string back_up_file(const std::string& path) {
  if (existing_file_policy() == ExistingFile::replace) return {};
  std::string backup = free_name(path);
  std::error_code error;
  // a link, so that the old name always refers to a file
  fs::create_hard_link(path, backup, error);
  if (error) fs::rename(path, backup, error);
  if (error) {
    throw IoError(fmt::format("cannot back up {} as {}: {}", path, backup, error.message()));
  }
  return backup;
}

}  // namespace gsim
