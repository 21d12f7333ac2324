// The schema for editors and programs: JSON Schema, draft 2020-12
// (https://json-schema.org/draft/2020-12/json-schema-core).
//
// A key that decides which other keys exist becomes an if/then pair for each of its words.
// additionalProperties applies to the properties of the same object only, so the keys of all words
// are listed there, and each `then` forbids the keys of the other words.

#include <cmath>
#include <nlohmann/json.hpp>

#include "schema.hpp"
#include "src/config/sections/toml_text.hpp"

namespace gsim {
using namespace config_detail;

namespace {

using Json = nlohmann::ordered_json;

Json object_schema(const SchemaNode& node);

/// Whole numbers without a decimal point.
Json number(double value) { return Json::parse(plain_number(value)); }

void add_range(Json& schema, const KeyInfo& info) {
  if (std::isfinite(info.minimum))
    schema[info.exclusive_minimum ? "exclusiveMinimum" : "minimum"] = number(info.minimum);
  if (std::isfinite(info.maximum))
    schema[info.exclusive_maximum ? "exclusiveMaximum" : "maximum"] = number(info.maximum);
}

Json of_type(const char* type) {
  Json schema = Json::object();
  schema["type"] = type;
  return schema;
}

// A date is a string in the schema, because JSON has none.
Json number_schema(const char* type, const KeyInfo& info) {
  Json schema = of_type(type);
  add_range(schema, info);
  if (!info.is_date) return schema;
  Json either = Json::object();
  either["anyOf"] = Json::array({std::move(schema), of_type("string")});
  return either;
}

Json array_schema(Json items, const KeyInfo& info) {
  Json schema = of_type("array");
  schema["items"] = std::move(items);
  if (info.min_size > 0) schema["minItems"] = info.min_size;
  if (info.max_size < std::numeric_limits<Index>::max()) schema["maxItems"] = info.max_size;
  return schema;
}

Json value_schema(Type type, const KeyInfo& info) {
  switch (type) {
    case Type::real:
      return number_schema("number", info);
    case Type::integer:
      return number_schema("integer", info);
    case Type::boolean:
      return of_type("boolean");
    case Type::text:
      return of_type("string");
    case Type::reals:
      return array_schema(number_schema("number", info), info);
    case Type::integers:
      return array_schema(number_schema("integer", info), info);
    case Type::texts:
      return array_schema(of_type("string"), info);
    case Type::matrix:
      return array_schema(array_schema(number_schema("number", info), {}), info);
  }
  return Json::object();
}

Json word_schema(const std::vector<std::string>& words) {
  Json list = Json::array();
  for (const std::string& word : words) list.push_back(word);
  Json schema = Json::object();
  schema["enum"] = std::move(list);
  return schema;
}

Json duration_schema(const KeyInfo& info) {
  Json text = of_type("string");
  text["pattern"] = "^( *[0-9.+-]+ *(ms|s|sec|seconds?|min|minutes?|h|hours?|d|days?) *)+$";
  Json list = Json::array();
  list.push_back(number_schema("number", info));
  list.push_back(std::move(text));
  Json schema = Json::object();
  schema["oneOf"] = std::move(list);
  return schema;
}

/// The schema of the value of a key, without description and default.
Json entry_form(const SchemaEntry& entry) {
  switch (entry.form) {
    case Form::value:
      return value_schema(entry.type, entry.info);
    case Form::word:
    case Form::alternatives:
      return word_schema(entry.words);
    case Form::duration:
      return duration_schema(entry.info);
    case Form::table:
      return object_schema(entry.inner);
    case Form::tables:
      return array_schema(object_schema(entry.inner), {});
    case Form::named_tables: {
      Json schema = of_type("object");
      schema["additionalProperties"] = object_schema(entry.inner);
      return schema;
    }
    case Form::number_or_table: {
      Json list = Json::array();
      list.push_back(number_schema("number", entry.info));
      if (entry.type == Type::text) list.push_back(of_type("string"));
      list.push_back(object_schema(entry.inner));
      Json schema = Json::object();
      schema["oneOf"] = std::move(list);
      return schema;
    }
  }
  return Json::object();
}

Json entry_schema(const SchemaEntry& entry) {
  Json schema = entry_form(entry);
  std::string description = entry.info.doc;
  if (!entry.info.unit.empty()) description += " [" + entry.info.unit + "]";
  if (!description.empty()) schema["description"] = description;
  const bool is_json =
      entry.default_text.find("inf") == std::string::npos || entry.type == Type::text;
  if (!entry.default_text.empty() && is_json) schema["default"] = Json::parse(entry.default_text);
  return schema;
}

// All keys of a table with all its alternatives. A key with several meanings gets no type here; the
// branches define it.
void add_properties(const SchemaNode& node, Json& properties) {
  for (const auto& entry : node.entries) {
    Json schema = entry_schema(*entry);
    const auto existing = properties.find(entry->key);
    if (existing != properties.end() && *existing != schema) schema = Json::object();
    properties[entry->key] = std::move(schema);
    for (const SchemaBranch& branch : entry->branches) add_properties(branch.keys, properties);
  }
}

// if/then for each branch of each alternative of `node`.
void add_branches(const SchemaNode& node, Json& all_of);

// Adds the list of required keys of a table and the if/then pairs of its alternatives.
void add_contents(const SchemaNode& node, Json& schema) {
  Json required = Json::array(), all_of = Json::array();
  for (const auto& entry : node.entries)
    if (entry->required) required.push_back(entry->key);
  add_branches(node, all_of);
  if (!required.empty()) schema["required"] = std::move(required);
  if (!all_of.empty()) schema["allOf"] = std::move(all_of);
}

// The schema that holds where the key of `entry` has the value `word`.
Json condition(const SchemaEntry& entry, const std::string& word) {
  Json constant = Json::object(), properties = Json::object(), schema = Json::object();
  constant["const"] = word;
  properties[entry.key] = std::move(constant);
  schema["properties"] = std::move(properties);
  if (entry.default_text != toml_value(word)) {  // the default word holds where the key is absent
    Json required = Json::array();
    required.push_back(entry.key);
    schema["required"] = std::move(required);
  }
  return schema;
}

void add_branches(const SchemaNode& node, Json& all_of) {
  for (const auto& entry : node.entries) {
    Json all_properties = Json::object();
    for (const SchemaBranch& branch : entry->branches) add_properties(branch.keys, all_properties);
    for (const SchemaBranch& branch : entry->branches) {
      Json branch_properties = Json::object(), then = Json::object(), pair = Json::object();
      add_properties(branch.keys, branch_properties);
      for (const auto& [key, ignored] : all_properties.items())
        if (!branch_properties.contains(key)) branch_properties[key] = false;
      if (!branch_properties.empty()) then["properties"] = std::move(branch_properties);
      add_contents(branch.keys, then);
      if (then.empty()) continue;
      pair["if"] = condition(*entry, branch.word);
      pair["then"] = std::move(then);
      all_of.push_back(std::move(pair));
    }
  }
}

Json object_schema(const SchemaNode& node) {
  Json schema = of_type("object");
  // A table without described keys has those that other values decide (parameters of a script).
  if (node.entries.empty()) return schema;
  Json properties = Json::object();
  add_properties(node, properties);
  schema["additionalProperties"] = false;
  schema["properties"] = std::move(properties);
  add_contents(node, schema);
  return schema;
}

}  // namespace

std::string schema_json(const Section::Describe& describe, const std::string& title) {
  Json schema = Json::object();
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = title;
  const Json contents = object_schema(schema_of(describe));
  for (const auto& [key, value] : contents.items()) schema[key] = value;
  return schema.dump(2) + "\n";
}

}  // namespace gsim
