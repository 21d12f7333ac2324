#include "override.hpp"

#include <fmt/format.h>

#include "cell.hpp"
#include "gsim/core/text.hpp"
#include "read_toml.hpp"

namespace gsim::config_detail {
namespace {

constexpr std::size_t max_path_parts = 32;

[[noreturn]] void fail(const Source& source, const std::string& problem,
                       const std::string& suggestion = {}) {
  throw ConfigError(SourceLocation{source.name(), 0, 0, {}}, problem, suggestion);
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Removes the first part of the path from `rest`: a bare word, "quoted", 'quoted' or [2].
std::string remove_first_part(const Source& source, std::string_view& rest) {
  std::size_t end = 0;
  std::string part;
  if (rest.starts_with('"') || rest.starts_with('\'') || rest.starts_with('[')) {
    end = rest.find(rest[0] == '[' ? ']' : rest[0], 1);
    if (end == std::string_view::npos)
      fail(source, fmt::format("`{}` is not closed in the path", rest[0]));
    part = rest.substr(1, end - 1);
    ++end;
  } else {
    end = std::min(rest.find_first_of(".=["), rest.size());
    part = trimmed(rest.substr(0, end));
    if (part.empty()) fail(source, "the path has an empty part", "write --set path.to.key=value");
  }
  rest.remove_prefix(end);
  return part;
}

// Splits the path before `=` into its parts, and removes both from `rest`.
std::vector<std::string> split_path(const Source& source, std::string_view& rest) {
  std::vector<std::string> path;
  while (true) {
    path.push_back(remove_first_part(source, rest));
    if (path.size() > max_path_parts) fail(source, "the path is too deep");
    if (rest.starts_with('=')) break;
    if (rest.starts_with('.'))
      rest.remove_prefix(1);
    else if (!rest.starts_with('['))
      fail(source, "there is no value", "write --set path.to.key=value");
  }
  rest.remove_prefix(1);
  return path;
}

// Sets the place of a node and of all nodes below it to `source`, and copies keep_values of the
// node to those below.
void set_places(Node& node, const Source& source) {
  node.place = node.key_place = Place{&source, 0, 0, 1};
  for (const auto& child : node.children) {
    child->keep_values = node.keep_values;
    set_places(*child, source);
  }
}

// The node `part` below `node`; added where a table does not have it.
Node& child_of(Node& node, const std::string& part, const Source& source) {
  if (node.kind == Kind::table) {
    if (Node* found = node.find(part)) return *found;
    Node& added = node.add(part, Kind::table);
    set_places(added, source);
    return added;
  }
  if (node.kind != Kind::array)
    fail(source, fmt::format("`{}` is {}, and has no key `{}`", node.path(), kind_name(node),
                             excerpt(part)));
  Index position = 0;
  if (!cell_integer(part, position))
    fail(source, fmt::format("`{}` is a list", node.path()),
         fmt::format("name an element by its position, such as {}.0", node.path()));
  const auto size = static_cast<Index>(node.children.size());
  if (position < 0 || position >= size)
    fail(source, size == 0 ? fmt::format("`{}` is empty", node.path())
                           : fmt::format("`{}` has elements 0 to {}", node.path(), size - 1));
  return *node.children[static_cast<std::size_t>(position)];
}

}  // namespace

void apply_override(Node& root, const Source& source, std::string_view assignment) {
  std::string_view rest = assignment;
  const std::vector<std::string> path = split_path(source, rest);
  const std::string value(trimmed(rest));
  Node parsed;
  if (!read_toml_value(value, parsed)) {
    if (value.find_first_of("[{\"'") == 0) fail(source, "the value is not valid TOML");
    parsed.kind = Kind::text;
    parsed.text = value;
  }
  Node* node = &root;
  for (const std::string& part : path) node = &child_of(*node, part, source);
  node->kind = parsed.kind;
  node->boolean = parsed.boolean;
  node->integer = parsed.integer;
  node->real = parsed.real;
  node->text = std::move(parsed.text);
  node->children = std::move(parsed.children);
  for (const auto& child : node->children) child->parent = node;
  set_places(*node, source);
}

}  // namespace gsim::config_detail
