#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <memory>

#include <dirent.h>
#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/io/absent_checkpoints.hpp"
#include "src/io/checkpoints/checkpoint_layout.hpp"
#include "src/io/files/file_system.hpp"

namespace gsim {
namespace io {
namespace {

/// N if `name` is STEM`N`SUFFIX as written by gsim, without leading zeros; else 0.
Index number_in(std::string_view name, std::string_view stem, std::string_view suffix) {
  if (!name.starts_with(stem) || !name.ends_with(suffix)) return 0;
  if (name.size() <= stem.size() + suffix.size()) return 0;
  const std::string_view digits =
      name.substr(stem.size(), name.size() - stem.size() - suffix.size());
  Index number = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool is_complete = parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size();
  return is_complete && number > 0 && digits.front() != '0' ? number : 0;
}

std::string& base_without_checkpoints() {
  static std::string base;
  return base;
}

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

}  // namespace

void forget_absent_checkpoints() { base_without_checkpoints().clear(); }

std::vector<std::string> list_numbered(const std::string& base, std::string_view suffix) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(base).parent_path();
  const std::string stem = fs::path(base).filename().string() + ".ckpt.";
  std::vector<std::pair<Index, std::string>> found;
  const std::unique_ptr<DIR, CloseFolder> entries(::opendir(folder.empty() ? "." : folder.c_str()));
  if (!entries && (errno == ENOENT || errno == ENOTDIR)) return {};
  // A folder may hold the files of thousands of runs: names of others are not copied.
  while (entries) {
    errno = 0;
    const dirent* const entry = ::readdir(entries.get());
    if (entry == nullptr) break;
    if (const Index number = number_in(entry->d_name, stem, suffix)) {
      found.emplace_back(number, (folder / entry->d_name).string());
    }
  }
  if (errno != 0) {
    throw IoError(
        fmt::format("cannot list the checkpoints of {}: {}", base, describe_errno(errno)));
  }
  std::sort(found.rbegin(), found.rend());
  std::vector<std::string> paths;
  paths.reserve(found.size());
  for (auto& [number, path] : found) paths.push_back(std::move(path));
  return paths;
}

void discard_partial(const std::string& base) noexcept {
  try {
    for (const auto& path : list_numbered(base, ".partial")) discard_file(path);
  } catch (const std::exception&) {  // remaining files only cost space
  }
}

Index checkpoint_number(const std::string& path) {
  Index number = 0;
  std::from_chars(path.data() + path.rfind('.') + 1, path.data() + path.size(), number);
  return number;
}

std::vector<std::string> agree_on_checkpoints(const Communicator& communicator,
                                              const std::string& base) {
  std::vector<std::string> paths;
  communicator.agree([&] {
    if (communicator.is_root()) paths = list_checkpoints(base);
  });
  paths.resize(communicator.broadcast(paths.size()));
  for (auto& path : paths) path = communicator.broadcast(path);
  return paths;
}

}  // namespace io

void assume_no_checkpoints(const std::string& base) { io::base_without_checkpoints() = base; }

std::vector<std::string> list_checkpoints(const std::string& base) {
  if (base == io::base_without_checkpoints()) return {};
  return io::list_numbered(base, "");
}

}  // namespace gsim
