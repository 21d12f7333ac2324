// The schema for editors and programs: JSON Schema, draft 2020-12
// (https://json-schema.org/draft/2020-12/json-schema-core).
//
// A key that decides which other keys there are becomes an if/then pair for each of its words.
// additionalProperties sees only the properties that stand beside it, so the keys of all words are
// listed there, and each `then` forbids the keys of the others.

#include <cmath>

#include "json.hpp"
#include "schema.hpp"
#include "src/config/sections/toml_text.hpp"

namespace gsim {
using namespace config_detail;

namespace {

Json object_schema(const SchemaNode& node);

void add_range(Json& schema, const KeyInfo& info) {
  if (std::isfinite(info.minimum))
    schema.set(info.exclusive_minimum ? "exclusiveMinimum" : "minimum", Json::number(info.minimum));
  if (std::isfinite(info.maximum))
    schema.set(info.exclusive_maximum ? "exclusiveMaximum" : "maximum", Json::number(info.maximum));
}

Json of_type(const char* type) {
  Json schema = Json::object();
  schema.set("type", Json::string(type));
  return schema;
}

Json number_schema(const char* type, const KeyInfo& info) {
  Json schema = of_type(type);
  add_range(schema, info);
  return schema;
}

Json array_schema(Json items, const KeyInfo& info) {
  Json schema = of_type("array");
  schema.set("items", std::move(items));
  if (info.min_size > 0) schema.set("minItems", Json::raw(std::to_string(info.min_size)));
  if (info.max_size < std::numeric_limits<Index>::max())
    schema.set("maxItems", Json::raw(std::to_string(info.max_size)));
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
  for (const std::string& word : words) list.push(Json::string(word));
  Json schema = Json::object();
  schema.set("enum", std::move(list));
  return schema;
}

Json duration_schema(const KeyInfo& info) {
  Json text = of_type("string");
  text.set("pattern", Json::string("^( *[0-9.+-]+ *"
                                   "(ms|s|sec|seconds?|min|minutes?|h|hours?|d|days?) *)+$"));
  Json list = Json::array();
  list.push(number_schema("number", info));
  list.push(std::move(text));
  Json schema = Json::object();
  schema.set("oneOf", std::move(list));
  return schema;
}

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
      schema.set("additionalProperties", object_schema(entry.inner));
      return schema;
    }
    case Form::number_or_table: {
      Json list = Json::array();
      list.push(number_schema("number", entry.info));
      list.push(object_schema(entry.inner));
      Json schema = Json::object();
      schema.set("oneOf", std::move(list));
      return schema;
    }
  }
  return Json::object();
}

Json entry_schema(const SchemaEntry& entry) {
  Json schema = entry_form(entry);
  std::string description = entry.info.doc;
  if (!entry.info.unit.empty()) description += " [" + entry.info.unit + "]";
  if (!description.empty()) schema.set("description", Json::string(description));
  const bool is_json = entry.standard.find("inf") == std::string::npos || entry.type == Type::text;
  if (!entry.standard.empty() && is_json) schema.set("default", Json::raw(entry.standard));
  return schema;
}

// All keys of a table, whatever its alternatives; a key with several meanings is left open here
// and settled in the branches.
void add_properties(const SchemaNode& node, Json& properties) {
  for (const auto& entry : node.entries) {
    Json schema = entry_schema(*entry);
    const Json* other = properties.find(entry->key);
    if (other != nullptr && !(*other == schema)) schema = Json::object();
    properties.set(entry->key, std::move(schema));
    for (const SchemaBranch& branch : entry->branches) add_properties(branch.keys, properties);
  }
}

// if/then for each branch of each alternative of `node`.
void add_branches(const SchemaNode& node, Json& all_of);

// What holds for a table of this kind: its keys, the required ones, its own branches.
void add_contents(const SchemaNode& node, Json& schema) {
  Json required = Json::array(), all_of = Json::array();
  for (const auto& entry : node.entries)
    if (entry->required) required.push(Json::string(entry->key));
  add_branches(node, all_of);
  if (!required.empty()) schema.set("required", std::move(required));
  if (!all_of.empty()) schema.set("allOf", std::move(all_of));
}

Json condition(const SchemaEntry& entry, const std::string& word) {
  Json constant = Json::object(), properties = Json::object(), schema = Json::object();
  constant.set("const", Json::string(word));
  properties.set(entry.key, std::move(constant));
  schema.set("properties", std::move(properties));
  if (entry.standard != toml_value(word)) {  // the default word holds where the key is absent
    Json required = Json::array();
    required.push(Json::string(entry.key));
    schema.set("required", std::move(required));
  }
  return schema;
}

void add_branches(const SchemaNode& node, Json& all_of) {
  for (const auto& entry : node.entries) {
    Json any = Json::object();
    for (const SchemaBranch& branch : entry->branches) add_properties(branch.keys, any);
    for (const SchemaBranch& branch : entry->branches) {
      Json own = Json::object(), then = Json::object(), pair = Json::object();
      add_properties(branch.keys, own);
      for (const auto& [key, ignored] : any.members())
        if (own.find(key) == nullptr) own.set(key, Json::raw("false"));
      if (!own.empty()) then.set("properties", std::move(own));
      add_contents(branch.keys, then);
      if (then.empty()) continue;
      pair.set("if", condition(*entry, branch.word));
      pair.set("then", std::move(then));
      all_of.push(std::move(pair));
    }
  }
}

Json object_schema(const SchemaNode& node) {
  Json schema = of_type("object");
  Json properties = Json::object();
  add_properties(node, properties);
  schema.set("additionalProperties", Json::raw("false"));
  schema.set("properties", std::move(properties));
  add_contents(node, schema);
  return schema;
}

}  // namespace

std::string schema_json(const Section::Describe& describe, const std::string& title) {
  Json schema = Json::object();
  schema.set("$schema", Json::string("https://json-schema.org/draft/2020-12/schema"));
  schema.set("title", Json::string(title));
  const Json contents = object_schema(schema_of(describe));
  for (const auto& [key, value] : contents.members()) schema.set(key, value);
  return schema.print() + "\n";
}

}  // namespace gsim
