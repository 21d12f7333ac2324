#include "reading.hpp"

#include <fmt/format.h>

#include "convert.hpp"
#include "gsim/core/utf8.hpp"

namespace gsim::config_detail {
namespace {

std::string required_words(const KeyInfo& info) {
  std::string words = "it is required";
  if (!info.doc.empty()) words += ": " + info.doc;
  if (!info.unit.empty()) words += " (" + info.unit + ")";
  return words;
}

std::string missing_words(const Node& table, std::string_view key, bool is_table) {
  const std::string path = table.path();
  const std::string full = fmt::format("{}{}{}", path, path.empty() ? "" : ".", key);
  if (table.from_csv) return fmt::format("missing `{}` {}", full, table.whereabouts());
  if (is_table) return fmt::format("missing table [{}]", full);
  return fmt::format("missing key `{}` {}", key, table.whereabouts());
}

}  // namespace

MissingKey::MissingKey(const Node& table, std::string_view key, const KeyInfo& info, bool is_table)
    : ConfigError(table.shown().location(), missing_words(table, key, is_table),
                  required_words(info)),
      table_(&table),
      key_(key) {}

Node* take(Node& table, std::string_view key, const KeyInfo& info, bool required) {
  Node* node = table.find(key);
  if (node != nullptr)
    node->consumed = true;
  else if (required)
    throw MissingKey(table, key, info, false);
  return node;
}

Node* take_table(Node& table, std::string_view key, const std::string& doc, bool required) {
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

void note(Node& table, std::string_view key, std::string value, bool is_run_length) {
  for (Asked& asked : table.asked)
    if (asked.key == key) {
      if (!value.empty()) asked.value = std::move(value);
      return;
    }
  table.asked.push_back({std::string(key), std::move(value), nullptr, false, is_run_length});
}

void note(Node& table, std::string_view key, Node* node, bool named) {
  for (Asked& asked : table.asked)
    if (asked.key == key) {
      asked.node = node;
      asked.named = named;
      return;
    }
  table.asked.push_back({std::string(key), {}, node, named, false});
}

}  // namespace gsim::config_detail
