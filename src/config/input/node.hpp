#pragma once
// The tree that every input becomes (TOML by read_toml.cpp, CSV rows by csv.cpp, --set by
// override.cpp) and that sections read. Reading leaves two traces in it: which nodes were asked
// for, and what each key came to be.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/core/types.hpp"
#include "source.hpp"

namespace gsim::config_detail {

enum class Kind : std::uint8_t {
  boolean,
  integer,
  real,
  text,
  cell,  ///< of a CSV file: a number, a word or a list, whatever the reader wants it to be
  date,  ///< TOML's dates and times; no key wants one, so only the kind is kept
  array,
  table
};

struct Node;
class InputFiles;

/// How a key of a table was asked for, and what it came to be.
struct Asked {
  std::string key;
  std::string value;           ///< as TOML; empty: nothing to write, or `node` says it
  Node* node = nullptr;        ///< a table, an array of tables, or a table of named tables
  bool named = false;          ///< the latter
  bool is_run_length = false;  ///< KeyInfo's
};

struct Node {
  Kind kind = Kind::table;
  bool consumed = false;
  bool boolean = false;
  Index integer = 0;
  double real = 0;
  std::string text;  ///< of text and cell
  std::string key;   ///< its name in the table, or its position in the array
  Place key_place;   ///< where it is named; for array elements the same as `place`
  Place place;       ///< where its value stands
  Node* parent = nullptr;
  std::vector<std::unique_ptr<Node>> children;  ///< in the order of the input
  std::vector<Asked> asked;                     ///< of tables: in described order
  bool keep_values = false;                     ///< fill Asked::value, for ConfigFile::resolved()
  bool from_csv = false;                        ///< a row of a CSV file, or part of one
  InputFiles* files = nullptr;                  ///< of a configuration's top: what it reads besides

  /// The child of that name, or null.
  Node* find(std::string_view name) const;
  /// Appends a child.
  Node& add(std::string name, Kind kind);
  /// Dotted path from the top ("market.assets.SPX", "trades.2"); empty for the top itself.
  std::string path() const;
  /// "in [market.assets.SPX]", "at the top level" or "in this row", for messages.
  std::string whereabouts() const;
  /// Forgets what earlier reading left, here and below.
  void reset();
  /// The place to show for this node: of a table its header, else its value.
  const Place& shown() const;
};

/// "a number", "a string", …: what the user gave.
std::string_view kind_name(const Node& node);

}  // namespace gsim::config_detail
