#include "gsim/config/output_keys.hpp"

#include <utility>

#include <fmt/format.h>

#include "schema.hpp"

namespace gsim {
namespace {

using namespace config_detail;

/// The unit of such a key, which the printed schema shows and output_keys() finds.
constexpr std::string_view output_unit = "output file";
constexpr std::string_view element_mark = "[]", any_name = "*";

std::string joined(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

void find_keys(const SchemaNode& table, const std::string& path, std::vector<std::string>& keys) {
  for (const auto& entry : table.entries) {
    std::string key = joined(path, entry->key);
    if (entry->info.unit == output_unit) keys.push_back(key);
    if (entry->form == Form::tables) key += element_mark;
    if (entry->form == Form::named_tables) key = joined(key, any_name);
    find_keys(entry->inner, key, keys);
    for (const SchemaBranch& branch : entry->branches) find_keys(branch.keys, path, keys);
  }
}

/// Appends the names that the table `section` at `path` gives for `key`.
void find_names(Section& section, std::string_view key, const std::string& path,
                std::vector<OutputName>& names) {
  const std::size_t dot = key.find('.');
  const std::string_view first = key.substr(0, dot);
  if (dot == key.npos) {
    std::string name;
    section.optional(first, name, {});
    if (!name.empty()) names.push_back({joined(path, first), std::move(name)});
    return;
  }
  const std::string_view rest = key.substr(dot + 1);
  if (first.ends_with(element_mark)) {
    const std::string_view list = first.substr(0, first.size() - element_mark.size());
    section.tables(
        list, [](Index) {},
        [&](Section& element, Index i) {
          find_names(element, rest, fmt::format("{}.{}", joined(path, list), i), names);
        },
        {});
  } else if (rest.substr(0, rest.find('.')) == any_name) {
    section.named_tables(first,
                         [&](Section& table, const std::string& name) {
                           find_names(table, rest.substr(any_name.size() + 1),
                                      fmt::format("{}.\"{}\"", joined(path, first), name), names);
                         },
                         {});
  } else {
    section.optional_table(
        first, [&](Section& table) { find_names(table, rest, joined(path, first), names); }, {});
  }
}

}  // namespace

void optional_output(Section& section, std::string_view key, std::string& file, std::string doc) {
  section.optional(key, file, {.doc = std::move(doc), .unit = std::string(output_unit)});
}

std::vector<std::string> output_keys(const Section::Describe& describe) {
  std::vector<std::string> keys;
  find_keys(schema_of(describe), {}, keys);
  return keys;
}

std::vector<OutputName> output_names(ConfigFile& file, std::span<const std::string> keys) {
  std::vector<OutputName> names;
  file.read([&](Section& top) {
    for (const std::string& key : keys) find_names(top, key, {}, names);
    top.ignore_unread();
  });
  return names;
}

}  // namespace gsim
