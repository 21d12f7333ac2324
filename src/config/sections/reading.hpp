#pragma once
// Functions by which sections read nodes.

#include <string>
#include <string_view>

#include "src/config/input/node.hpp"
#include "src/config/schema/schema.hpp"

namespace gsim::config_detail {

/// A required key that is absent. read() searches for a misspelt one before it rethrows this error.
class MissingKey : public ConfigError {
 public:
  MissingKey(const Node& table, std::string_view key, const KeyInfo& info, bool is_table);
  const Node& table() const { return *table_; }
  const std::string& key() const { return key_; }

 private:
  const Node* table_;
  std::string key_;
};

/// The value of a key, marked as consumed; null where it is absent and not required.
Node* consume(Node& table, std::string_view key, const KeyInfo& info, bool required);
/// The same for tables; ConfigError when the key holds anything else.
Node* consume_table(Node& table, std::string_view key, const std::string& doc, bool required);

/// Records that `key` was read, with its value for resolved(): as TOML, or as the node of a table,
/// of an array of tables or of a table of named tables. Empty lists and texts of absent keys are
/// left out.
void record_value(Node& table, std::string_view key, std::string value, bool is_run_length = false);
void record_value(Node& table, std::string_view key, Node* node, bool is_named_tables = false);

/// Throws one ConfigError for all keys below `root` that were not read. `describe` is run without
/// values (schema mode) to find out whether such a key belongs somewhere else.
void refuse_unknown(const Node& root, const Section::Describe& describe);
/// Throws a ConfigError for a key that is a likely misspelling of the missing one, if there is one.
void refuse_misspelt(const MissingKey& missing, const Section::Describe& describe);
/// Throws a ConfigError for unknown keys below `root` that are likely misspellings, if there are
/// any. Called after another error, which they may have caused ("no potential" where there is a
/// [[pair.potentials]]).
void refuse_misspelt(const Node& root, const Section::Describe& describe);

/// Adds to another error a line on each of the first unknown keys below `root`: they may have
/// caused it.
void add_unknown(ConfigError& error, const Node& root, const Section::Describe& describe);
/// Adds to an error about `table` a line on each of its keys that only other alternatives have.
void add_misplaced(ConfigError& error, const Node& table, const Section::Describe& describe);

/// The configuration as TOML, from the recorded values; with or without the keys that set the
/// length of a run.
std::string resolved_text(const Node& root, bool with_run_lengths = true);

}  // namespace gsim::config_detail
