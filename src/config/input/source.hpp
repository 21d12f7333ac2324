#pragma once
// Input texts and places in them.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/config/section.hpp"

namespace gsim::config_detail {

/// One input: a file with its lines, or one `--set` (a name without lines). Owned by shared
/// pointers, since places of errors may be needed after the tree of the input is gone.
class Source : public std::enable_shared_from_this<Source> {
 public:
  Source(std::string name, std::string text);
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  const std::string& name() const { return name_; }
  const std::string& text() const { return text_; }
  int lines() const { return static_cast<int>(starts_.size()); }
  /// Line `number` (from 1) without its end and without a byte order mark; empty if there is none.
  std::string_view line(int number) const;
  /// The line, from 1, that contains the byte at `offset`, and the offset of its first byte.
  int line_at(std::size_t offset) const;
  std::size_t line_start(int number) const {
    return number <= 1 ? 0 : starts_[static_cast<std::size_t>(number) - 1];
  }

 private:
  std::string name_;
  std::string text_;
  std::vector<std::size_t> starts_;  // offsets of the lines
};

/// A part of one line. Line 0: the source as a whole.
struct Place {
  const Source* source = nullptr;
  int line = 0;
  int column = 0;
  int length = 1;
  SourceLocation location() const;
};

/// Limit on the size of a configuration, which is kept in memory and stored in results.
inline constexpr std::uintmax_t max_configuration_bytes = 256'000'000;

/// The whole contents of a configuration; ConfigError when it cannot be read, or is larger than
/// max_configuration_bytes.
std::string read_text(const std::string& path);
/// Reads a text file into `text`; returns the reason why it cannot be read, or an empty
/// string.
std::string try_read_text(const std::string& path, std::string& text);

/// The folder part of a path: "." where there is none.
std::string folder_of(const std::string& path);

}  // namespace gsim::config_detail
