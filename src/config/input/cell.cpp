#include "cell.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace gsim::config_detail {
namespace {

template <class T>
bool parse_number(std::string_view text, T& value) {
  if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

Node& add_part(Node& list, std::string_view text, Kind kind) {
  Node& part = list.add(std::to_string(list.children.size()), kind);
  part.text = text;
  part.place = part.key_place = list.place;
  return part;
}

void split_at_spaces(Node& list, std::string_view text) {
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const auto end = std::min(text.find_first_of(" \t\r\n"), text.size());
    add_part(list, text.substr(0, end), Kind::cell);
    text.remove_prefix(end);
  }
}

}  // namespace

bool cell_number(std::string_view text, double& value) { return parse_number(text, value); }

bool cell_integer(std::string_view text, Index& value) { return parse_number(text, value); }

bool cell_boolean(std::string_view text, bool& value) {
  const auto is = [&](std::string_view word) {
    return std::equal(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) {
      return std::tolower(static_cast<unsigned char>(a)) == b;
    });
  };
  if (!is("true") && !is("false")) return false;
  value = is("true");
  return true;
}

void split_cell(const Node& cell, bool rows, Node& list) {
  list.kind = Kind::array;
  list.key = cell.key;
  list.parent = cell.parent;
  list.place = list.key_place = cell.place;
  std::string_view text = cell.text;
  if (!rows && text.find(';') == std::string_view::npos) {
    return split_at_spaces(list, text);
  }
  while (true) {
    const auto end = std::min(text.find(';'), text.size());
    const std::string_view part = trimmed(text.substr(0, end));
    if (rows)
      split_at_spaces(add_part(list, {}, Kind::array), part);
    else
      add_part(list, part, Kind::cell);
    if (end == text.size()) return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace gsim::config_detail
