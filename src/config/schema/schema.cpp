#include "schema.hpp"

#include <cmath>

#include "src/config/sections/toml_text.hpp"

namespace gsim::config_detail {

SchemaEntry& SchemaNode::add(std::string_view key, Form form, const KeyInfo& info, bool required) {
  for (const auto& entry : entries)
    if (entry->key == key) return *entry;
  auto entry = std::make_unique<SchemaEntry>();
  entry->key = key;
  entry->form = form;
  entry->info = info;
  entry->required = required;
  entries.push_back(std::move(entry));
  return *entries.back();
}

SchemaNode schema_of(const Section::Describe& describe) {
  SchemaNode schema;
  Section top(nullptr, &schema);
  describe(top);
  return schema;
}

std::string range_text(const KeyInfo& info) {
  std::string words;
  if (std::isfinite(info.minimum))
    words = (info.exclusive_minimum ? "greater than " : "at least ") + plain_number(info.minimum);
  if (std::isfinite(info.maximum)) {
    if (!words.empty()) words += " and ";
    words += (info.exclusive_maximum ? "less than " : "at most ") + plain_number(info.maximum);
  }
  return words;
}

}  // namespace gsim::config_detail
