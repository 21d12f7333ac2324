#pragma once
// The tree into which every input is parsed (TOML by read_toml.cpp, CSV rows by csv.cpp, --set by
// override.cpp) and which sections read. Reading records in it which nodes were read, and the value
// of each key.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/config/section.hpp"
#include "source.hpp"

namespace gsim::config_detail {

enum class Kind : std::uint8_t {
  boolean,
  integer,
  real,
  text,
  cell,  ///< a cell of a CSV file: a number, a word or a list, depending on the key
  date,  ///< a date of TOML, or a date and time, or a time
  array,
  table
};

struct Node;
class InputFiles;

/// A key of a table that was read, and its value as text.
struct ReadKey {
  std::string key;
  std::string value;             ///< as TOML; empty if there is no value, or if `node` holds it
  Node* node = nullptr;          ///< a table, an array of tables, or a table of named tables
  bool is_named_tables = false;  ///< whether it is a table of named tables
  bool is_run_length = false;    ///< KeyInfo::is_run_length
};

struct Node {
  Kind kind = Kind::table;
  bool consumed = false;  ///< a section has read it; other nodes are reported as unknown keys
  bool boolean = false;
  Index integer = 0;
  double real = 0;
  std::string text;  ///< value if `kind` is text, cell or a date without time
  std::string key;   ///< name in the table, or position in the array
  Place key_place;   ///< place of the key; for array elements the same as `place`
  Place place;       ///< place of the value
  Node* parent = nullptr;
  std::vector<std::unique_ptr<Node>> children;  ///< in the order of the input
  std::vector<ReadKey>
      read_keys;  ///< the keys of a table that were read, in the order of their description
  bool keep_values = false;     ///< fill ReadKey::value, for ConfigFile::resolved()
  bool from_csv = false;        ///< a row of a CSV file, or part of one
  InputFiles* files = nullptr;  ///< at the root of a configuration: further files that it reads
  std::shared_ptr<const DateReader> date_reader;  ///< at the root: Section::read_dates_with()

  /// The child of that name, or null.
  Node* find(std::string_view name) const;
  /// Appends a child.
  Node& add(std::string name, Kind kind);
  /// Dotted path from the top ("market.assets.SPX", "trades.2"); empty for the top itself.
  std::string path() const;
  /// "in [market.assets.SPX]", "at the top level" or "in this row", for messages.
  std::string location_text() const;
  /// Removes the records of earlier reading from this node and all below.
  void reset();
  /// The node of the whole input: a configuration, or a row of a CSV file.
  const Node& root() const;
  /// The place that messages about this node give: the header of a table, else the value.
  const Place& message_place() const;
};

/// "a number", "a string", …: the kind of the input's value.
std::string_view kind_name(const Node& node);

}  // namespace gsim::config_detail
