// Type, range and length of a key, and the tables within a table, as the printed forms of the
// schema write them.

#include "schema_facts.hpp"

#include <array>
#include <limits>

#include <fmt/format.h>

#include "src/config/sections/toml_text.hpp"

namespace gsim::config_detail {

std::string schema_range(const KeyInfo& info) {
  const bool low = info.minimum > -std::numeric_limits<double>::infinity();
  const bool high = info.maximum < std::numeric_limits<double>::infinity();
  const std::string from = plain_number(info.minimum), to = plain_number(info.maximum);
  if (low && high)
    return fmt::format("{}{}, {}{}", info.exclusive_minimum ? "(" : "[", from, to,
                       info.exclusive_maximum ? ")" : "]");
  if (low) return (info.exclusive_minimum ? "> " : ">= ") + from;
  if (high) return (info.exclusive_maximum ? "< " : "<= ") + to;
  return {};
}

std::string schema_type(const SchemaEntry& entry) {
  if (entry.form == Form::duration) return "duration";
  if (!entry.words.empty()) {
    std::string words;
    for (const std::string& word : entry.words)
      words += (words.empty() ? "" : " | ") + toml_value(word);
    return words;
  }
  if (entry.form == Form::number_or_table)
    return entry.type == Type::text ? "number, string or table" : "number or table";
  const std::string_view or_date = !entry.info.is_date ? ""
                                   : entry.type == Type::reals || entry.type == Type::texts
                                       ? " or dates"
                                       : " or date";
  constexpr std::array names = {"number",  "integer",  "boolean", "string",
                                "numbers", "integers", "strings", "number rows"};
  return fmt::format("{}{}", names[static_cast<std::size_t>(entry.type)], or_date);
}

std::string schema_size(const KeyInfo& info) {
  const bool high = info.max_size < std::numeric_limits<Index>::max();
  const auto elements = [](Index n) { return fmt::format("{} element{}", n, n == 1 ? "" : "s"); };
  if (high && info.min_size == info.max_size) return fmt::format(" ({})", elements(info.max_size));
  if (high && info.min_size == 0) return fmt::format(" (at most {})", elements(info.max_size));
  if (high) return fmt::format(" ({} to {})", info.min_size, elements(info.max_size));
  if (info.min_size > 0) return fmt::format(" (at least {})", elements(info.min_size));
  return {};
}

void print_inner_tables(const SchemaNode& node, const std::string& path, const PrintTable& print) {
  for (const auto& entry : node.entries) {
    const std::string name =
        path.empty() ? toml_key(entry->key) : fmt::format("{}.{}", path, toml_key(entry->key));
    const std::string& doc = entry->info.doc;
    if (entry->form == Form::table)
      print(entry->inner, name, fmt::format("[{}]", name),
            entry->required ? doc : doc + " (optional)");
    else if (entry->form == Form::tables)
      print(entry->inner, name, fmt::format("[[{}]]", name), doc);
    else if (entry->form == Form::named_tables)
      print(entry->inner, name + ".NAME", fmt::format("[{}.NAME]", name), doc);
    else if (entry->form == Form::number_or_table)
      print(entry->inner, name, fmt::format("[{}]", name), doc + ", as a table");
    for (const SchemaBranch& branch : entry->branches) print_inner_tables(branch.keys, path, print);
  }
}

}  // namespace gsim::config_detail
