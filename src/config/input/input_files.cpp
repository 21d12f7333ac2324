#include "input_files.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "gsim/core/digest.hpp"
#include "gsim/core/error.hpp"
#include "gsim/core/regular_file.hpp"
#include "gunzip.hpp"
#include "source.hpp"
#include "src/config/sections/reading.hpp"

namespace gsim {
using namespace config_detail;

const InputFile& InputFiles::open(const std::string& path) {
  const auto found = std::find_if(opened.begin(), opened.end(),
                                  [&](const InputFile& file) { return file.path == path; });
  return found != opened.end() ? *found : opened.emplace_back(reader(path));
}

namespace {

bool begins_as_hdf5(const std::string& path) {
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  std::string begin(signature.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begin == signature;
}

/// Whether one of the first bytes (after unpacking) is zero. Such a file is not read, since it may
/// be larger than the memory.
bool begins_as_binary(const std::string& path) {
  const std::string begin = unpacked_beginning(path, 4096);
  return begin.find('\0') != std::string::npos;
}

/// Why the file is too large to be read; empty if it is not. The size is limited because every rank
/// keeps the text in memory and it is stored with the results.
std::string why_too_large(const std::string& path) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (error || bytes <= max_unpacked_bytes) return {};
  return fmt::format("{} cannot be read: it has {:.1f} GB, and a text at most {:.1f}", path,
                     static_cast<double>(bytes) / 1e9,
                     static_cast<double>(max_unpacked_bytes) / 1e9);
}

/// The file `name`, relative to the folder of the configuration that contains `node`.
const InputFile& open_for(const Node* node, const std::string& name) {
  const Node* top = node;
  while (top->parent != nullptr) top = top->parent;
  GSIM_EXPECT(top->files != nullptr);
  const std::string folder =
      std::filesystem::path(top->place.source->name()).parent_path().string();
  return top->files->open((std::filesystem::path(folder) / name).string());
}

constexpr const char* relative_names_advice =
    "relative names start in the folder of the configuration file";

}  // namespace

InputFile read_input_file(const std::string& path) {
  InputFile file{path, {}, {}};
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    file.problem = fmt::format("no file {}", path);
  } else if (const std::string kind = irregular_file_kind(path); !kind.empty()) {
    file.problem = fmt::format("{} is {}", path, kind);
  } else if (begins_as_hdf5(path)) {
    file.is_hdf5 = true;
  } else if (begins_as_binary(path)) {
    file.is_binary = true;
  } else if (std::string problem = why_too_large(path); !problem.empty()) {
    file.problem = std::move(problem);
  } else if (const std::string reason = try_read_text(path, file.text); !reason.empty()) {
    file.text.clear();
    file.problem = fmt::format("{} cannot be read: {}", path, reason);
  }
  return file;
}

FileReader reader_of(std::vector<InputFile> files) {
  const auto shared = std::make_shared<const std::vector<InputFile>>(std::move(files));
  return [shared](const std::string& path) {
    for (const InputFile& file : *shared)
      if (file.path == path) return file;
    throw Error(fmt::format("internal error: {} was not read on rank 0; please report it", path));
  };
}

std::uint64_t digest_of(std::span<const InputFile> files) {
  if (files.empty()) return 0;
  Digest digest;
  for (const InputFile& file : files) digest.add(file.text).add(file.problem.empty());
  return digest.value();
}

const InputFile& Section::input_file(std::string_view key, const std::string& name) const {
  if (name.empty()) fail(key, fmt::format("`{}` is empty; it must be the name of a file", key));
  const InputFile& file = open_for(node_, name);
  if (!file.problem.empty()) fail(key, file.problem, relative_names_advice);
  if (file.is_hdf5)
    fail(key, fmt::format("{} cannot be read: it is an HDF5 file; `gsim inspect` shows such files",
                          file.path));
  if (file.is_binary) fail(key, fmt::format("{} cannot be read: it is not a text file", file.path));
  return file;
}

std::string Section::input_hdf5(std::string_view key, const std::string& name) const {
  if (name.empty()) fail(key, fmt::format("`{}` is empty; it must be the name of a file", key));
  const InputFile& file = open_for(node_, name);
  if (!file.problem.empty()) fail(key, file.problem, relative_names_advice);
  if (!file.is_hdf5) fail(key, fmt::format("{} is not an HDF5 file", file.path));
  return file.path;
}

std::string Section::input_path(std::string_view key, const std::string& name) const {
  if (name.empty()) fail(key, fmt::format("`{}` is empty; it must be the name of a file", key));
  const InputFile& file = open_for(node_, name);
  if (!file.problem.empty()) fail(key, file.problem, relative_names_advice);
  if (!file.is_binary)
    fail(key, fmt::format("{} is {}", file.path, file.is_hdf5 ? "an HDF5 file" : "a text file"));
  return file.path;
}

}  // namespace gsim
