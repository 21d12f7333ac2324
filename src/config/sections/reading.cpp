#include "reading.hpp"

#include <fmt/format.h>

#include "convert.hpp"
#include "gsim/core/utf8.hpp"

namespace gsim::config_detail {
namespace {

std::string required_text(const KeyInfo& info) {
  std::string words = "it is required";
  if (!info.doc.empty()) words += ": " + info.doc;
  if (!info.unit.empty()) words += " (" + info.unit + ")";
  return words;
}

std::string missing_text(const Node& table, std::string_view key, bool is_table) {
  const std::string path = table.path();
  const std::string full = fmt::format("{}{}{}", path, path.empty() ? "" : ".", key);
  if (table.from_csv) return fmt::format("missing `{}` {}", full, table.location_text());
  if (is_table) return fmt::format("missing table [{}]", full);
  return fmt::format("missing key `{}` {}", key, table.location_text());
}

}  // namespace

MissingKey::MissingKey(const Node& table, std::string_view key, const KeyInfo& info, bool is_table)
    : ConfigError(table.message_place().location(), missing_text(table, key, is_table),
                  required_text(info)),
      table_(&table),
      key_(key) {}

Node* consume(Node& table, std::string_view key, const KeyInfo& info, bool required) {
  Node* node = table.find(key);
  if (node != nullptr)
    node->consumed = true;
  else if (required)
    throw MissingKey(table, key, info, false);
  return node;
}

Node* consume_table(Node& table, std::string_view key, const std::string& doc, bool required) {
  Node* node = table.find(key);
  if (node == nullptr) {
    if (required) throw MissingKey(table, key, {.doc = doc}, true);
    return nullptr;
  }
  node->consumed = true;
  if (node->kind != Kind::table)
    fail_kind(*node, "a table",
              node->from_csv ? fmt::format("name its columns `{}.KEY`", node->path())
              : node->kind == Kind::array
                  ? fmt::format("write [{0}], not [[{0}]]", node->path())
                  : fmt::format("write [{}] and its keys below", node->path()));
  return node;
}

void record_value(Node& table, std::string_view key, std::string value, bool is_run_length) {
  // Some tables tell an empty list or text that is given from an absent one: a resolved
  // configuration must be read as the given one is.
  if ((value == "[]" || value == "\"\"") && table.find(key) == nullptr) value.clear();
  for (ReadKey& read_key : table.read_keys)
    if (read_key.key == key) {
      if (!value.empty()) read_key.value = std::move(value);
      return;
    }
  table.read_keys.push_back({std::string(key), std::move(value), nullptr, false, is_run_length});
}

void record_value(Node& table, std::string_view key, Node* node, bool is_named_tables) {
  for (ReadKey& read_key : table.read_keys)
    if (read_key.key == key) {
      read_key.node = node;
      read_key.is_named_tables = is_named_tables;
      return;
    }
  table.read_keys.push_back({std::string(key), {}, node, is_named_tables, false});
}

}  // namespace gsim::config_detail
