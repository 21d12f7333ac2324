#include "source.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "gsim/core/regular_file.hpp"
#include "gsim/core/utf8.hpp"
#include "gunzip.hpp"

namespace gsim::config_detail {

Source::Source(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)) {
  if (!text_.empty()) starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n') starts_.push_back(i + 1);
}

std::string_view Source::line(int number) const {
  if (number < 1 || number > lines()) return {};
  const std::size_t first = starts_[static_cast<std::size_t>(number) - 1];
  const std::size_t last = text_.find('\n', first);
  std::string_view line = std::string_view(text_).substr(first, last - first);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return number == 1 ? skip_byte_order_mark(line) : line;
}

int Source::line_at(std::size_t offset) const {
  return static_cast<int>(std::upper_bound(starts_.begin(), starts_.end(), offset) -
                          starts_.begin());
}

SourceLocation Place::location() const {
  if (source == nullptr) return {};
  return {source->name(), line, column, std::string(source->line(line)), length};
}

std::string try_read_text(const std::string& path, std::string& text) {
  if (std::string reason = irregular_file_kind(path); !reason.empty()) return "it is " + reason;
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return errno != 0 ? std::strerror(errno) : "it cannot be opened";
  // In pieces: a file may be longer than its reported size, which is 0 for files in /proc.
  constexpr std::size_t piece = std::size_t{1} << 20;
  std::error_code size_error;
  const std::uintmax_t size = std::filesystem::file_size(path, size_error);
  text.clear();
  for (std::size_t next = size_error ? piece : size + 1; file; next = piece) {
    const std::size_t before = text.size();
    text.resize(before + next);
    file.read(text.data() + before, static_cast<std::streamsize>(next));
    text.resize(before + static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) return "reading it failed";
  if (is_gzip(text)) {
    const std::string packed = std::move(text);
    if (std::string reason = gunzip(packed, text); !reason.empty()) return reason;
  }
  if (text.starts_with("\x89HDF")) return "it is an HDF5 file; `gsim inspect` shows such files";
  if (text.find('\0') != std::string::npos) return "it is not a text file";
  return {};
}

std::string read_text(const std::string& path) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (!error && bytes > max_configuration_bytes)
    throw ConfigError(SourceLocation{path, 0, 0, {}},
                      fmt::format("cannot be read: it has {} MB, and a configuration at most {}",
                                  bytes / 1000000, max_configuration_bytes / 1000000),
                      "put long tables into files that it names");
  std::string text;
  const std::string reason = try_read_text(path, text);
  if (!reason.empty())
    throw ConfigError(SourceLocation{path, 0, 0, {}}, "cannot be read: " + reason);
  return text;
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace gsim::config_detail
