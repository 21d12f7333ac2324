#pragma once
// Tables whose keys and values a module takes from files in a format of their own (XML), and that
// are read with the same describing functions as tables of the configuration. Errors of keys name
// file, line and column of these files.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "gsim/config/section.hpp"

namespace gsim {

namespace config_detail {
class Source;
}

/// A text file and places in it. Copies share the text.
class TextSource {
 public:
  TextSource(std::string name, std::string text);
  const std::string& text() const;
  /// Line and column (in characters, both from 1) of the byte at `offset`.
  SourceLocation location(std::size_t offset, int length = 1) const;

 private:
  friend class CellTable;
  std::shared_ptr<const config_detail::Source> source_;
};

/// A place in a text file: `length` characters from the byte at `offset`.
struct TextPlace {
  const TextSource* source = nullptr;
  std::size_t offset = 0;
  int length = 1;
  SourceLocation location() const { return source->location(offset, length); }
};

/// One table. Values are texts, as the cells of a CSV file: a number, a word, a date, or a list
/// whose elements are separated by semicolons, as the key that reads it demands. The sources of all
/// places must outlive the table.
class CellTable {
 public:
  /// A table of its own, at a place that errors of absent keys name.
  explicit CellTable(const TextPlace& at);
  ~CellTable();
  CellTable(CellTable&&) noexcept;

  void set(std::string key, std::string value, const TextPlace& at);
  /// Adds the table `key` to this one; an existing one of that name is returned.
  CellTable table(const std::string& key, const TextPlace& at);
  /// Adds an element to the list of tables `key`.
  CellTable append(const std::string& key, const TextPlace& at);
  bool has(std::string_view key) const;
  /// Removes the key, if it is there.
  void remove(std::string_view key);

  /// Runs `describe` on the table, in which `dates` converts dates (Section::read_dates_with()),
  /// and refuses keys that it does not read.
  void read(DateReader dates, const Section::Describe& describe);

 private:
  CellTable(std::shared_ptr<config_detail::Node> root, config_detail::Node* table);
  std::shared_ptr<config_detail::Node> root_;
  config_detail::Node* table_;
};

}  // namespace gsim
