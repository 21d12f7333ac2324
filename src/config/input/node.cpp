#include "node.hpp"

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/config/sections/toml_text.hpp"

namespace gsim::config_detail {

Node* Node::find(std::string_view name) const {
  for (const auto& child : children)
    if (child->key == name) return child.get();
  return nullptr;
}

Node& Node::add(std::string name, Kind kind) {
  auto child = std::make_unique<Node>();
  child->kind = kind;
  child->key = std::move(name);
  child->parent = this;
  child->keep_values = keep_values;
  child->from_csv = from_csv;
  children.push_back(std::move(child));
  return *children.back();
}

std::string Node::path() const {
  if (parent == nullptr) return {};
  const std::string parent_path = parent->path();
  const std::string name = toml_key(key);
  return parent_path.empty() ? name : parent_path + "." + name;
}

std::string Node::location_text() const {
  if (from_csv) return "in this row";
  if (parent == nullptr) return "at the top level";
  const bool is_list_element = parent->kind == Kind::array;
  std::string names;
  for (const Node* node = this; node->parent != nullptr; node = node->parent)
    if (node->parent->kind != Kind::array)  // elements of lists have no names, but numbers
      names.insert(0, toml_key(node->key) + (names.empty() ? "" : "."));
  return is_list_element ? fmt::format("in [[{}]]", gsim::excerpt(names))
                         : fmt::format("in [{}]", gsim::excerpt(names));
}

const Node& Node::root() const {
  const Node* node = this;
  while (node->parent != nullptr) node = node->parent;
  return *node;
}

void Node::reset() {
  consumed = false;
  date_reader.reset();
  read_keys.clear();
  for (const auto& child : children) child->reset();
}

const Place& Node::message_place() const {
  return kind == Kind::table && !from_csv ? key_place : place;
}

std::string_view kind_name(const Node& node) {
  switch (node.kind) {
    case Kind::boolean:
      return node.boolean ? "true" : "false";
    case Kind::integer:
      return "an integer";
    case Kind::real:
      return "a number";
    case Kind::text:
      return "a string";
    case Kind::cell:
      return "this cell";
    case Kind::date:
      return "a date or time";
    case Kind::array:
      return "a list";
    case Kind::table:
      return "a table";
  }
  return "something else";
}

}  // namespace gsim::config_detail
