// Section: single keys.

#include <fmt/format.h>

#include "convert.hpp"
#include "reading.hpp"
#include "toml_text.hpp"

namespace gsim {
using namespace config_detail;

namespace {

template <class T>
void read_or_describe_value(Node* node, SchemaNode* schema, std::string_view key, T& value,
                            const KeyInfo& info, bool required) {
  if (schema != nullptr) {
    SchemaEntry& entry = schema->add(key, Form::value, info, required);
    entry.type = type_of(value);
    if (!required && acceptable(value, info)) entry.default_text = toml_value(value);
    return;
  }
  if (const Node* found = consume(*node, key, info, required)) convert(*found, info, value);
  record_value(*node, key, node->keep_values && acceptable(value, info) ? toml_value(value) : "",
               info.is_run_length);
}

void read_or_describe_word(Node* node, SchemaNode* schema, std::string_view key, int& position,
                           std::span<const std::string_view> words, const KeyInfo& info,
                           bool required) {
  const auto text = [&] {
    const bool known = position >= 0 && position < static_cast<int>(words.size());
    return known ? toml_value(std::string(words[static_cast<std::size_t>(position)])) : "";
  };
  if (schema != nullptr) {
    SchemaEntry& entry = schema->add(key, Form::word, info, required);
    entry.type = Type::text;
    entry.words.assign(words.begin(), words.end());
    if (!required) entry.default_text = text();
    return;
  }
  if (required && node->find(key) == nullptr)
    throw MissingKey(*node, key, with_words(info, words), false);
  if (const Node* found = consume(*node, key, info, required))
    convert_word(*found, words, position);
  record_value(*node, key, node->keep_values ? text() : "");
}

}  // namespace

void Section::required(std::string_view key, double& value, const KeyInfo& info) {
  read_or_describe_value(node_, schema_, key, value, info, true);
}
void Section::required(std::string_view key, Index& value, const KeyInfo& info) {
  read_or_describe_value(node_, schema_, key, value, info, true);
}
void Section::required(std::string_view key, bool& value, const KeyInfo& info) {
  read_or_describe_value(node_, schema_, key, value, info, true);
}
void Section::required(std::string_view key, std::string& value, const KeyInfo& info) {
  read_or_describe_value(node_, schema_, key, value, info, true);
}
void Section::required(std::string_view key, std::vector<double>& value, const KeyInfo& info) {
  read_or_describe_value(node_, schema_, key, value, info, true);
}
void Section::required(std::string_view key, std::vector<Index>& value, const KeyInfo& info) {
  read_or_describe_value(node_, schema_, key, value, info, true);
}
void Section::required(std::string_view key, std::vector<std::string>& value, const KeyInfo& info) {
  read_or_describe_value(node_, schema_, key, value, info, true);
}
void Section::required(std::string_view key, std::vector<std::vector<double>>& value,
                       const KeyInfo& info) {
  read_or_describe_value(node_, schema_, key, value, info, true);
}

void Section::optional(std::string_view key, double& value, const KeyInfo& info) {
  read_or_describe_value(node_, schema_, key, value, info, false);
}
void Section::optional(std::string_view key, Index& value, const KeyInfo& info) {
  read_or_describe_value(node_, schema_, key, value, info, false);
}
void Section::optional(std::string_view key, bool& value, const KeyInfo& info) {
  read_or_describe_value(node_, schema_, key, value, info, false);
}
void Section::optional(std::string_view key, std::string& value, const KeyInfo& info) {
  read_or_describe_value(node_, schema_, key, value, info, false);
}
void Section::optional(std::string_view key, std::vector<double>& value, const KeyInfo& info) {
  read_or_describe_value(node_, schema_, key, value, info, false);
}
void Section::optional(std::string_view key, std::vector<Index>& value, const KeyInfo& info) {
  read_or_describe_value(node_, schema_, key, value, info, false);
}
void Section::optional(std::string_view key, std::vector<std::string>& value, const KeyInfo& info) {
  read_or_describe_value(node_, schema_, key, value, info, false);
}
void Section::optional(std::string_view key, std::vector<std::vector<double>>& value,
                       const KeyInfo& info) {
  read_or_describe_value(node_, schema_, key, value, info, false);
}

void Section::optional_duration(std::string_view key, double& seconds, const KeyInfo& info) {
  KeyInfo in_seconds = info;
  if (in_seconds.unit.empty()) in_seconds.unit = std::string("s");
  if (schema_ != nullptr) {
    SchemaEntry& entry = schema_->add(key, Form::duration, in_seconds, false);
    if (acceptable(seconds, info)) entry.default_text = toml_value(seconds);
    return;
  }
  if (const Node* found = consume(*node_, key, info, false))
    convert_duration(*found, in_seconds, seconds);
  record_value(*node_, key,
               node_->keep_values && acceptable(seconds, info) ? toml_value(seconds) : "",
               info.is_run_length);
}

void Section::required_word(std::string_view key, int& position,
                            std::span<const std::string_view> words, const KeyInfo& info) {
  read_or_describe_word(node_, schema_, key, position, words, info, true);
}

void Section::optional_word(std::string_view key, int& position,
                            std::span<const std::string_view> words, const KeyInfo& info) {
  read_or_describe_word(node_, schema_, key, position, words, info, false);
}

}  // namespace gsim
