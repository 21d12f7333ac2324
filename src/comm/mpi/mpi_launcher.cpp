// Finds the launcher that belongs to gsim's MPI library. If several MPI libraries are installed,
// `mpiexec` may belong to another one, whose processes would not find each other.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <unistd.h>

#include "gsim/comm/mpi_session.hpp"
#include "gsim/core/build_info.hpp"

namespace gsim {
namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

/// The first program of this name in the folders of PATH; empty if there is none.
fs::path on_path(const std::string& name) {
  const char* const text = std::getenv("PATH");
  std::string_view folders = text == nullptr ? "" : text;
  while (!folders.empty()) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    folders.remove_prefix(std::min(folders.size(), folder.size() + 1));
    if (fs::path candidate = fs::path(folder) / name; is_program(candidate)) return candidate;
  }
  return {};
}

}  // namespace

namespace {

std::string find_mpi_launcher() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path bundled = program.parent_path() / "mpiexec";  // present in the relocatable archive
  if (!error && is_program(bundled)) return bundled.string();
  const fs::path built_with = build_info().mpiexec;
  if (built_with.empty()) return "mpiexec";
  const std::string name = built_with.filename().string();
  const fs::path found = on_path(name);
  const bool is_same = !found.empty() && fs::equivalent(found, built_with, error) && !error;
  return is_same || !is_program(built_with) ? name : built_with.string();
}

}  // namespace

std::string mpi_launcher() {
  static const std::string launcher = find_mpi_launcher();
  return launcher;
}

}  // namespace gsim
