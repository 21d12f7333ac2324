#pragma once
// The tree of all keys that a describing function describes. It is printed by schema_text.cpp,
// schema_json.cpp and schema_markdown.cpp, and used for suggestions in messages.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"

namespace gsim::config_detail {

enum class Form {
  value,
  word,  ///< one of several permitted strings
  duration,
  table,
  tables,           ///< [[key]]
  named_tables,     ///< [key.NAME]
  number_or_table,  ///< a number or a table; with Type::text also a string
  alternatives      ///< a word that decides which keys there are
};

enum class Type { real, integer, boolean, text, reals, integers, texts, matrix };

struct SchemaEntry;

/// One table.
struct SchemaNode {
  std::vector<std::unique_ptr<SchemaEntry>> entries;

  /// Appends an entry. If the key was described before, its entry is returned unchanged.
  SchemaEntry& add(std::string_view key, Form form, const KeyInfo& info, bool required);
};

/// One alternative: the word that selects it, and the keys that exist only with that word.
struct SchemaBranch {
  std::string word;
  std::string doc;
  SchemaNode keys;
};

struct SchemaEntry {
  std::string key;
  Form form = Form::value;
  Type type = Type::real;
  KeyInfo info;
  bool required = false;
  std::string default_text;            ///< the default as TOML, which is also valid JSON; or empty
  std::vector<std::string> words;      ///< the permitted words, for Form::word and alternatives
  SchemaNode inner;                    ///< keys of the table, for all forms of tables
  std::vector<SchemaBranch> branches;  ///< the choices, for alternatives
};

/// Runs `describe` in schema mode.
SchemaNode schema_of(const Section::Describe& describe);

/// "greater than 0 and at most 1", or empty.
std::string range_text(const KeyInfo& info);

}  // namespace gsim::config_detail
