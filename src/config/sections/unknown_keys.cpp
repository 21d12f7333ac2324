// Keys that were not read, and suggestions for them.

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "reading.hpp"
#include "toml_text.hpp"

namespace gsim::config_detail {
namespace {

constexpr std::size_t max_reported = 10;
constexpr std::size_t max_added = 3;  // unknown keys that are listed below another error
// Shorter keys, such as `r`, occur in many tables with different meanings.
constexpr std::size_t min_length_elsewhere = 3;

// Collects the nodes below `table` that no section read.
void collect_unread(const Node& table, std::vector<const Node*>& unknown) {
  for (const auto& child : table.children) {
    if (!child->consumed)
      unknown.push_back(child.get());
    else if (child->kind == Kind::table)
      collect_unread(*child, unknown);
    else if (child->kind == Kind::array)
      for (const auto& element : child->children)
        if (element->consumed && element->kind == Kind::table) collect_unread(*element, unknown);
  }
}

// The schema of `describe`, or none where describing fails: messages then have fewer suggestions.
std::optional<SchemaNode> try_schema(const Section::Describe& describe) {
  try {
    return schema_of(describe);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// The entry of `key`, which may be in any alternative; null if there is none.
const SchemaEntry* find_entry(const SchemaNode& table, std::string_view key) {
  for (const auto& entry : table.entries)
    if (entry->key == key) return entry.get();
  for (const auto& entry : table.entries)
    for (const SchemaBranch& branch : entry->branches)
      if (const SchemaEntry* found = find_entry(branch.keys, key)) return found;
  return nullptr;
}

// Adds all keys of the table, those of all alternatives included.
void add_names(const SchemaNode& table, std::vector<std::string>& names) {
  for (const auto& entry : table.entries) {
    names.push_back(entry->key);
    for (const SchemaBranch& branch : entry->branches) add_names(branch.keys, names);
  }
}

// The schema of the table `node`; null if there is none.
const SchemaNode* schema_at(const SchemaNode& top, const Node& node) {
  if (node.parent == nullptr) return &top;
  const Node& parent = *node.parent;
  if (parent.kind == Kind::array) {  // an element of [[key]]
    if (parent.parent == nullptr) return nullptr;
    const SchemaNode* parent_schema = schema_at(top, *parent.parent);
    const SchemaEntry* entry =
        parent_schema == nullptr ? nullptr : find_entry(*parent_schema, parent.key);
    return entry == nullptr ? nullptr : &entry->inner;
  }
  if (parent.parent != nullptr) {  // [key.NAME]
    const SchemaNode* parent_schema = schema_at(top, *parent.parent);
    const SchemaEntry* entry =
        parent_schema == nullptr ? nullptr : find_entry(*parent_schema, parent.key);
    if (entry != nullptr && entry->form == Form::named_tables) return &entry->inner;
  }
  const SchemaNode* parent_schema = schema_at(top, parent);
  const SchemaEntry* entry =
      parent_schema == nullptr ? nullptr : find_entry(*parent_schema, node.key);
  return entry == nullptr ? nullptr : &entry->inner;
}

// Adds the keys that the schema allows in `table`, including those of the alternatives that its
// values, or the defaults, choose.
void add_allowed(const Node& table, const SchemaNode& schema, std::vector<std::string>& names) {
  for (const auto& entry : schema.entries) {
    names.push_back(entry->key);
    if (entry->branches.empty()) continue;
    const Node* chosen = table.find(entry->key);
    const std::string word = chosen != nullptr ? toml_value(chosen->text) : entry->default_text;
    for (const SchemaBranch& branch : entry->branches)
      if (toml_value(branch.word) == word) add_allowed(table, branch.keys, names);
  }
}

// Whether an entry or a node is a table. For a key `type` whose value is a string, tables [[type]]
// are not suggested.
bool is_table(const SchemaEntry& entry) {
  return entry.form == Form::table || entry.form == Form::tables ||
         entry.form == Form::named_tables;
}
bool is_table(const Node& node) {
  const bool is_list = node.kind == Kind::array && !node.children.empty();
  return node.kind == Kind::table || (is_list && node.children.front()->kind == Kind::table);
}

bool has_same_form(const SchemaEntry& entry, const Node& node) {
  return entry.form == Form::number_or_table || is_table(entry) == is_table(node);
}

// Adds the places of keys with this name in the schema, except in `except`: "in [stop]", "in
// [[trades]]".
void find_elsewhere(const SchemaNode& table, const std::string& path, const Node& node,
                    const SchemaNode* except, std::vector<std::string>& places) {
  const auto add = [&](std::string place) {
    if (std::find(places.begin(), places.end(), place) == places.end())
      places.push_back(std::move(place));
  };
  const auto header_of = [&](const SchemaEntry& entry) {
    const auto from = path.find_first_not_of('['), to = path.find_last_not_of(']');
    const std::string parent_path = path.empty() ? "" : path.substr(from, to - from + 1) + ".";
    const std::string name = parent_path + toml_key(entry.key);
    if (entry.form == Form::tables) return fmt::format("[[{}]]", name);
    return fmt::format("[{}{}]", name, entry.form == Form::named_tables ? ".NAME" : "");
  };
  if (&table != except)
    for (const auto& entry : table.entries)
      if (entry->key == node.key && has_same_form(*entry, node))
        add(path.empty() ? std::string("at the top level") : fmt::format("in {}", path));
  for (const auto& entry : table.entries) {
    for (const SchemaBranch& branch : entry->branches)
      find_elsewhere(branch.keys, path, node, except, places);
    if (!entry->inner.entries.empty())
      find_elsewhere(entry->inner, header_of(*entry), node, except, places);
  }
}

// Collects all entries of `key`; several alternatives may have one each.
void entries_of(const SchemaNode& table, std::string_view key,
                std::vector<const SchemaEntry*>& found) {
  for (const auto& entry : table.entries) {
    if (entry->key == key) found.push_back(entry.get());
    for (const SchemaBranch& branch : entry->branches) entries_of(branch.keys, key, found);
  }
}

// Collects keys below `table` that are not in its schema, where reading stopped before all keys
// were read.
void collect_undescribed(const Node& table, const SchemaNode& schema,
                         std::vector<const Node*>& undescribed) {
  for (const auto& child : table.children) {
    std::vector<const SchemaEntry*> entries;
    entries_of(schema, child->key, entries);
    if (entries.empty() && !child->consumed) undescribed.push_back(child.get());
    if (entries.size() != 1) continue;  // a key with several meanings is not resolved yet
    const SchemaEntry& entry = *entries.front();
    const bool is_list = entry.form == Form::tables || entry.form == Form::named_tables;
    if (entry.inner.entries.empty()) continue;
    if (!is_list && child->kind == Kind::table)
      collect_undescribed(*child, entry.inner, undescribed);
    if (is_list)
      for (const auto& inner : child->children)
        if (inner->kind == Kind::table) collect_undescribed(*inner, entry.inner, undescribed);
  }
}

// "this asset" for [market.assets.SPX], "this trade" for [[trades]], else "this table".
std::string this_table_text(const Node& table) {
  if (table.from_csv) return "this row";
  if (table.parent == nullptr || table.parent->parent == nullptr) {
    if (table.parent == nullptr) return "this file";
    if (table.parent->kind != Kind::array) return "this table";
  }
  const std::string& list = table.parent->key;
  if (list.size() > 3 && list.ends_with('s') && !list.ends_with("ss"))
    return fmt::format("this {}", excerpt(list.substr(0, list.size() - 1)));
  return "this table";
}

// "belongs to kind = ...; this table has kind = ...": the alternatives that have `key`, where the
// chosen one does not. Empty if there are none.
std::string alternatives_text(const Node& table, const SchemaNode& schema, std::string_view key) {
  for (const auto& entry : schema.entries) {
    std::string alternatives;
    for (const SchemaBranch& branch : entry->branches)
      if (find_entry(branch.keys, key) != nullptr) {
        if (!alternatives.empty()) alternatives += " or ";
        alternatives += toml_value(branch.word);
      }
    if (alternatives.empty()) continue;
    const Node* chosen = table.find(entry->key);
    const std::string word = chosen != nullptr ? toml_value(chosen->text) : entry->default_text;
    // The chosen alternative may have the key in one of its own alternatives.
    for (const SchemaBranch& branch : entry->branches)
      if (toml_value(branch.word) == word && find_entry(branch.keys, key) != nullptr)
        return alternatives_text(table, branch.keys, key);
    return fmt::format("belongs to {0} = {1}; {2} has {0} = {3}", entry->key, alternatives,
                       this_table_text(table), word);
  }
  return {};
}

// "table", "column" or "key".
std::string_view noun(const Node& node) {
  if (node.from_csv) return "column";
  return is_table(node) ? "table" : "key";
}

ConfigError unknown_key(const Node& node, const std::string& suggestion) {
  const Place& place = node.key_place;
  const std::string name = excerpt(node.from_csv ? node.path() : node.key);
  const std::string table_text = node.from_csv ? "" : " " + node.parent->location_text();
  return {place.location(), fmt::format("unknown {} `{}`{}", noun(node), name, table_text),
          suggestion};
}

// The likely intended key for an unknown one, or an empty text. Keys that the table does not have
// yet are preferred. `table_schema` is the schema of its table.
std::string closest_key(const Node& node, const SchemaNode* table_schema) {
  const Node& table = *node.parent;
  const auto closest_in = [&](const std::vector<std::string>& names) {
    std::vector<std::string> absent = names;
    std::erase_if(absent, [&](const std::string& name) { return table.find(name) != nullptr; });
    const std::string closest = did_you_mean(node.key, absent);
    return closest.empty() ? did_you_mean(node.key, names) : closest;
  };
  std::vector<std::string> names;
  for (const ReadKey& read_key : table.read_keys) names.push_back(read_key.key);
  std::string closest = closest_in(names);
  if (!closest.empty() || table_schema == nullptr) return closest;
  names.clear();  // reading may have stopped before all keys were read
  add_allowed(table, *table_schema, names);
  closest = closest_in(names);
  if (!closest.empty()) return closest;
  names.clear();
  add_names(*table_schema, names);
  return closest_in(names);
}

// A suggestion for an unknown key, or an empty text. `table_schema` is the schema of its table.
std::string suggestion_for(const Node& node, const std::optional<SchemaNode>& schema,
                           const SchemaNode* table_schema) {
  const std::string closest = closest_key(node, table_schema);
  std::vector<std::string> places;
  if (schema && !node.from_csv && node.key.size() >= min_length_elsewhere)
    find_elsewhere(*schema, "", node, table_schema, places);
  const bool is_elsewhere = places.size() == 1;
  if (closest.empty()) return is_elsewhere ? "it belongs " + places.front() : "";
  if (is_elsewhere)
    return fmt::format("did you mean `{}`? `{}` belongs {}", closest, excerpt(node.key),
                       places.front());
  return fmt::format("did you mean `{}`?", closest);
}

// "allowed here: kind, name, radius".
std::string allowed_words(const Node& table, const SchemaNode& table_schema) {
  std::vector<std::string> names;
  add_allowed(table, table_schema, names);
  return names.empty() ? "" : "allowed here: " + excerpt(names);
}

// `is_alone`: no other unknown key is reported, so that a list of allowed keys is added.
ConfigError error_for(const Node& node, const std::optional<SchemaNode>& schema, bool is_alone) {
  const Node& table = *node.parent;
  const SchemaNode* table_schema = schema ? schema_at(*schema, table) : nullptr;
  if (table_schema != nullptr) {
    const std::string alternatives = alternatives_text(table, *table_schema, node.key);
    const Place& place = node.from_csv ? node.place : node.key_place;
    if (!alternatives.empty())
      return {place.location(), fmt::format("`{}` {}", excerpt(node.key), alternatives), {}};
  }
  std::string suggestion = suggestion_for(node, schema, table_schema);
  if (suggestion.empty() && table_schema != nullptr && is_alone)
    suggestion = allowed_words(table, *table_schema);
  return unknown_key(node, suggestion);
}

// `misspelt`: the node of `unknown` that is a misspelling of the required key `required_key`; null
// if there is none.
[[noreturn]] void report(std::vector<const Node*> unknown, const std::optional<SchemaNode>& schema,
                         const Node* misspelt = nullptr, const std::string& required_key = {}) {
  std::stable_sort(unknown.begin(), unknown.end(), [](const Node* a, const Node* b) {
    const Place &p = a->key_place, &q = b->key_place;
    return p.line != q.line ? p.line < q.line : p.column < q.column;
  });
  const auto error = [&](const Node& node) {
    return &node == misspelt ? unknown_key(node, fmt::format("did you mean `{}`?", required_key))
                             : error_for(node, schema, unknown.size() == 1);
  };
  if (unknown.size() == 1) throw error(*unknown.front());
  std::string message;
  for (std::size_t i = 0; i < std::min(unknown.size(), max_reported); ++i) {
    if (i > 0) message += '\n';
    message += error(*unknown[i]).what();
  }
  if (unknown.size() > max_reported)
    message += fmt::format("\n… and {} more unknown keys", unknown.size() - max_reported);
  throw ConfigError(message);
}

}  // namespace

void refuse_unknown(const Node& root, const Section::Describe& describe) {
  std::vector<const Node*> unknown;
  collect_unread(root, unknown);
  if (!unknown.empty()) report(std::move(unknown), try_schema(describe));
}

void refuse_misspelt(const MissingKey& missing, const Section::Describe& describe) {
  const Node& table = missing.table();
  std::vector<const Node*> similar;
  const std::optional<SchemaNode> schema = try_schema(describe);
  const SchemaNode* table_schema = schema ? schema_at(*schema, table) : nullptr;
  for (const auto& child : table.children) {
    if (child->consumed ||
        (table_schema != nullptr && find_entry(*table_schema, child->key) != nullptr))
      continue;
    const std::vector<std::string> required{missing.key()};
    if (!did_you_mean(child->key, required).empty()) similar.push_back(child.get());
  }
  if (similar.size() != 1) return;
  std::vector<const Node*> unknown;
  const Node* top = &table;
  while (top->parent != nullptr) top = top->parent;
  if (schema) collect_undescribed(*top, *schema, unknown);
  if (std::find(unknown.begin(), unknown.end(), similar.front()) == unknown.end())
    unknown.push_back(similar.front());
  report(std::move(unknown), schema, similar.front(), missing.key());
}

void add_unknown(ConfigError& error, const Node& root, const Section::Describe& describe) {
  const std::optional<SchemaNode> schema = try_schema(describe);
  if (!schema) return;
  std::vector<const Node*> undescribed;
  collect_undescribed(root, *schema, undescribed);
  if (undescribed.size() > max_added) undescribed.resize(max_added);
  for (const Node* node : undescribed)
    error.add_line(fmt::format("and {}: unknown {} `{}` {}", to_string(node->key_place.location()),
                               noun(*node), excerpt(node->key), node->parent->location_text()));
}

void add_misplaced(ConfigError& error, const Node& table, const Section::Describe& describe) {
  const std::optional<SchemaNode> schema = try_schema(describe);
  const SchemaNode* table_schema = schema ? schema_at(*schema, table) : nullptr;
  if (table_schema == nullptr) return;
  std::vector<std::string> allowed;
  add_allowed(table, *table_schema, allowed);
  for (const auto& child : table.children) {
    if (child->consumed || find_entry(*table_schema, child->key) == nullptr ||
        std::find(allowed.begin(), allowed.end(), child->key) != allowed.end())
      continue;
    const std::string alternatives = alternatives_text(table, *table_schema, child->key);
    if (!alternatives.empty())
      error.add_line(fmt::format("and {}: `{}` {}", to_string(child->key_place.location()),
                                 excerpt(child->key), alternatives));
  }
}

void refuse_misspelt(const Node& root, const Section::Describe& describe) {
  const std::optional<SchemaNode> schema = try_schema(describe);
  if (!schema) return;
  std::vector<const Node*> undescribed;
  collect_undescribed(root, *schema, undescribed);
  std::erase_if(undescribed, [&](const Node* node) {
    return suggestion_for(*node, schema, schema_at(*schema, *node->parent)).empty();
  });
  if (!undescribed.empty()) report(std::move(undescribed), schema);
}

}  // namespace gsim::config_detail
