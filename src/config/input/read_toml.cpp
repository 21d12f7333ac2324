#include "read_toml.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "check_toml.hpp"
#include "gsim/core/utf8.hpp"
#include "toml_messages.hpp"
#include "tomlplusplus.hpp"

namespace gsim::config_detail {
namespace {

/// A source whose places are formed. Places that follow one another mostly are in the same line,
/// whose characters are counted once.
struct PlacedSource {
  const Source& source;
  int line = 0, characters = 0;  ///< the line of the last place

  int characters_of(int number) {
    if (number != line) characters = count_characters(source.line(number));
    line = number;
    return characters;
  }
};

Place place_of(PlacedSource& source, const toml::source_region& region) {
  Place place{&source.source, static_cast<int>(region.begin.line),
              static_cast<int>(region.begin.column), 1};
  const int line_end = source.characters_of(place.line) + 1;
  const int last = region.end.line == region.begin.line
                       ? std::min(static_cast<int>(region.end.column), line_end)
                       : line_end;
  place.length = std::max(1, last - place.column);
  return place;
}

bool before(const Place& a, const Place& b) {
  return a.line != b.line ? a.line < b.line : a.column < b.column;
}

void convert(PlacedSource& source, const toml::node& from, Node& to);

void convert_table(PlacedSource& source, const toml::table& table, Node& to) {
  for (auto it = table.cbegin(); it != table.cend(); ++it) {
    Node& child = to.add(std::string(it->first.str()), Kind::table);
    child.key_place = place_of(source, it->first.source());
    convert(source, it->second, child);
  }
  // toml++ keeps keys in alphabetical order; restore the order of the text
  std::stable_sort(to.children.begin(), to.children.end(),
                   [](const auto& a, const auto& b) { return before(a->key_place, b->key_place); });
}

void convert(PlacedSource& source, const toml::node& from, Node& to) {
  to.place = place_of(source, from.source());
  switch (from.type()) {
    case toml::node_type::table:
      to.kind = Kind::table;
      return convert_table(source, *from.as_table(), to);
    case toml::node_type::array: {
      to.kind = Kind::array;
      std::size_t position = 0;
      for (const toml::node& element : *from.as_array()) {
        Node& child = to.add(std::to_string(position++), Kind::table);
        child.key_place = place_of(source, element.source());
        convert(source, element, child);
      }
      return;
    }
    case toml::node_type::string:
      to.kind = Kind::text;
      to.text = from.as_string()->get();
      return;
    case toml::node_type::integer:
      to.kind = Kind::integer;
      to.integer = from.as_integer()->get();
      return;
    case toml::node_type::floating_point:
      to.kind = Kind::real;
      to.real = from.as_floating_point()->get();
      return;
    case toml::node_type::boolean:
      to.kind = Kind::boolean;
      to.boolean = from.as_boolean()->get();
      return;
    case toml::node_type::date: {
      to.kind = Kind::date;
      const toml::date date = from.as_date()->get();
      to.text = fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day);
      return;
    }
    default:
      to.kind = Kind::date;
  }
}

}  // namespace

void read_toml(const Source& source, Node& root) {
  check_toml(source);
  PlacedSource placed{source};
  try {
    const toml::table table = toml::parse(skip_byte_order_mark(source.text()));
    convert(placed, table, root);
  } catch (const toml::parse_error& error) {
    Place at = place_of(placed, error.source());
    at.length = 1;
    const TomlMessage message = explain_toml(error.description(), at);
    throw ConfigError(message.place.location(), message.problem, message.suggestion);
  }
}

bool read_toml_value(const std::string& text, Node& node) {
  const Source line("--set", "value = " + text);
  try {
    check_toml(line);
    const toml::table table = toml::parse(line.text());
    if (table.size() != 1) return false;
    PlacedSource placed{line};
    convert(placed, *table.get("value"), node);
    return true;
  } catch (const toml::parse_error&) {
    return false;
  } catch (const ConfigError&) {
    return false;
  }
}

}  // namespace gsim::config_detail
