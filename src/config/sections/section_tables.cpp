// Section: tables, alternatives, and places of keys.

#include <algorithm>

#include <fmt/format.h>

#include "convert.hpp"
#include "gsim/core/error.hpp"
#include "reading.hpp"
#include "src/config/input/cell.hpp"
#include "toml_text.hpp"

namespace gsim {
using namespace config_detail;

void Section::required_table(std::string_view key, const Describe& describe,
                             const std::string& doc) {
  if (schema_ != nullptr) {
    SchemaEntry& entry = schema_->add(key, Form::table, {.doc = doc}, true);
    Section inner(nullptr, &entry.inner);
    return describe(inner);
  }
  Node* table = consume_table(*node_, key, doc, true);
  record_value(*node_, key, table);
  Section inner(table, nullptr);
  describe(inner);
}

bool Section::optional_table(std::string_view key, const Describe& describe,
                             const std::string& doc) {
  if (schema_ != nullptr) {
    SchemaEntry& entry = schema_->add(key, Form::table, {.doc = doc}, false);
    Section inner(nullptr, &entry.inner);
    describe(inner);
    return false;
  }
  Node* table = consume_table(*node_, key, doc, false);
  record_value(*node_, key, table);
  if (table == nullptr) return false;
  Section inner(table, nullptr);
  describe(inner);
  return true;
}

void Section::tables(std::string_view key, const std::function<void(Index)>& resize,
                     const std::function<void(Section&, Index)>& describe, const std::string& doc) {
  if (schema_ != nullptr) {
    SchemaEntry& entry = schema_->add(key, Form::tables, {.doc = doc}, false);
    Section inner(nullptr, &entry.inner);
    resize(1);
    return describe(inner, 0);
  }
  Node* list = consume(*node_, key, {}, false);
  record_value(*node_, key, list);
  if (list == nullptr) return resize(0);
  const std::string path = list->path();
  if (list->kind != Kind::array)
    fail_kind(*list, "a list of tables",
              list->from_csv              ? std::string("a CSV row cannot hold it")
              : list->kind == Kind::table ? fmt::format("write [[{0}]], not [{0}]", path)
                                          : fmt::format("write [[{}]] and its keys below", path));
  for (const auto& element : list->children) {
    element->consumed = true;
    if (element->kind != Kind::table)
      fail_kind(*element, "a table", fmt::format("write [[{}]] and its keys below", path));
  }
  resize(static_cast<Index>(list->children.size()));
  Index position = 0;
  for (const auto& element : list->children) {
    Section inner(element.get(), nullptr);
    describe(inner, position++);
  }
}

void Section::named_tables(std::string_view key,
                           const std::function<void(Section&, const std::string&)>& describe,
                           const std::string& doc) {
  if (schema_ != nullptr) {
    SchemaEntry& entry = schema_->add(key, Form::named_tables, {.doc = doc}, false);
    Section inner(nullptr, &entry.inner);
    return describe(inner, "NAME");
  }
  Node* tables = consume_table(*node_, key, doc, false);
  record_value(*node_, key, tables, true);
  if (tables == nullptr) return;
  for (const auto& table : tables->children) {
    table->consumed = true;
    if (table->kind != Kind::table)
      fail_kind(*table, "a table", fmt::format("write [{}] and its keys below", table->path()));
    Section inner(table.get(), nullptr);
    describe(inner, table->key);
  }
}

namespace {

// A number, a table or, where `text` is not null, a string. Returns whether it is a table, which
// the caller then reads.
Node* read_number_or_text(Node& table, std::string_view key, double& number, std::string* text,
                          const KeyInfo& info, bool is_required) {
  Node* found = consume(table, key, info, is_required);
  if (found != nullptr && found->kind == Kind::table) {
    record_value(table, key, found);
    return found;
  }
  const bool is_text = text != nullptr && found != nullptr &&
                       (found->kind == Kind::text || found->kind == Kind::cell);
  if (is_text && found->kind == Kind::text && found->text.empty())
    fail_kind(*found, "a number, a name or a table");
  double cell = 0;
  if (is_text && !(found->kind == Kind::cell && cell_number(found->text, cell))) {
    convert(*found, {}, *text);
    record_value(table, key, table.keep_values ? toml_value(*text) : "");
    return nullptr;
  }
  if (found != nullptr) {
    if (found->kind != Kind::integer && found->kind != Kind::real && found->kind != Kind::cell)
      fail_kind(*found, text == nullptr ? "a number or a table" : "a number, a name or a table");
    convert(*found, info, number);
  }
  record_value(table, key, table.keep_values && acceptable(number, info) ? toml_value(number) : "");
  return nullptr;
}

}  // namespace

bool Section::number_or_table(std::string_view key, double& number, const KeyInfo& info,
                              const Describe& table, bool is_required) {
  return number_or_table(key, number, nullptr, info, table, is_required);
}

bool Section::number_text_or_table(std::string_view key, double& number, std::string& text,
                                   const KeyInfo& info, const Describe& table, bool is_required) {
  return number_or_table(key, number, &text, info, table, is_required);
}

bool Section::number_or_table(std::string_view key, double& number, std::string* text,
                              const KeyInfo& info, const Describe& table, bool is_required) {
  if (schema_ != nullptr) {
    SchemaEntry& entry = schema_->add(key, Form::number_or_table, info, is_required);
    entry.type = text == nullptr ? Type::real : Type::text;
    if (!is_required && acceptable(number, info)) entry.default_text = toml_value(number);
    Section inner(nullptr, &entry.inner);
    table(inner);
    return false;
  }
  Node* found = read_number_or_text(*node_, key, number, text, info, is_required);
  if (found == nullptr) return false;
  Section inner(found, nullptr);
  table(inner);
  return true;
}

int Section::alternatives(std::string_view key, const std::vector<Alternative>& list,
                          int default_position, const KeyInfo& info) {
  std::vector<std::string_view> words;
  words.reserve(list.size());
  for (const Alternative& alternative : list) {
    GSIM_VALIDATE(
        std::find(words.begin(), words.end(), alternative.word) == words.end(),
        fmt::format("the key `{}` would have two choices called `{}`", key, alternative.word),
        "a part of a plugin must have a name of its own");
    words.push_back(alternative.word);
  }
  int position = default_position;
  if (schema_ != nullptr) {
    SchemaEntry& entry = schema_->add(key, Form::alternatives, info, position < 0);
    entry.words.assign(words.begin(), words.end());
    if (position >= 0)
      entry.default_text = toml_value(list[static_cast<std::size_t>(position)].word);
    entry.branches.clear();
    for (const Alternative& alternative : list) {
      entry.branches.push_back({alternative.word, alternative.doc, {}});
      Section inner(nullptr, &entry.branches.back().keys);
      alternative.describe(inner);
    }
    return position < 0 ? 0 : position;
  }
  if (position < 0 && node_->find(key) == nullptr)
    throw MissingKey(*node_, key, with_words(info, words), false);
  if (const Node* found = consume(*node_, key, info, position < 0))
    convert_word(*found, words, position);
  const Alternative& chosen = list[static_cast<std::size_t>(position)];
  record_value(*node_, key, node_->keep_values ? toml_value(chosen.word) : "");
  chosen.describe(*this);
  return position;
}

bool Section::has(std::string_view key) const {
  return node_ != nullptr && node_->find(key) != nullptr;
}

SourceLocation Section::location(std::string_view key) const {
  if (node_ == nullptr) return {};
  const Node* found = key.empty() ? nullptr : node_->find(key);
  return (found != nullptr ? *found : *node_).message_place().location();
}

KeyLocations Section::locations() const {
  return node_ == nullptr ? KeyLocations() : KeyLocations(*node_);
}

std::string Section::path() const { return node_ == nullptr ? "" : node_->path(); }

void Section::fail(std::string_view key, const std::string& problem,
                   const std::string& suggestion) const {
  throw ConfigError(location(key), problem, suggestion);
}

}  // namespace gsim
