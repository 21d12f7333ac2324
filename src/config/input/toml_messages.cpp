#include "toml_messages.hpp"

#include <array>
#include <optional>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "gsim/core/utf8.hpp"

namespace gsim::config_detail {
namespace {

// The first pattern that occurs in toml++'s description is used.
struct Explanation {
  std::string_view pattern, problem, suggestion = {};
  bool is_of_number = false;  // the place is behind a number, which is to be marked
};

constexpr std::string_view put_in_quotes = "put words in \" \"";
constexpr std::string_view write_pair = "write key = value";
constexpr std::string_view write_number = "write it like 10, 0.5 or 1e-3; put words in \" \"";

constexpr std::array table = {
    Explanation{"could not determine value type", "this is not a TOML value", put_in_quotes},
    Explanation{"pair: expected value", "there is no value after `=`", write_pair},
    Explanation{"pair: expected '='", "there is no `=` after the key", write_pair},
    Explanation{"string: unescaped control", "this string is not closed on its line",
                "write \" here"},
    Explanation{"string: control", "this string is not closed on its line", "write ' here"},
    Explanation{"string: encountered end-of-file", "a string is not closed", ""},
    Explanation{"array: expected value", "there is no value before this comma", "remove one comma"},
    Explanation{"array: encountered end-of-file", "a list is not closed", "write ]"},
    Explanation{"array: expected comma", "a list is not closed, or lacks a comma",
                "write ] or , before"},
    Explanation{"dangling comma", "a table in { } must not end in a comma", "remove it"},
    Explanation{"inline table: expected comma", "a comma or } is missing", "write , or } before"},
    Explanation{"inline table:", "a table in { } must be closed on its line", "write }"},
    Explanation{"boolean:", "this is not a TOML value", "write true or false; put words in \" \""},
    Explanation{"expected 'nan'", "this is not a TOML value", put_in_quotes},
    Explanation{"expected 'inf'", "this is not a TOML value", "write inf; put words in \" \""},
    Explanation{"header: expected a comment", "there is text after the header",
                "begin a new line here"},
    Explanation{"whitespace, saw ','", "there is text after the value",
                "decimals are written with a point, lists as [1, 5]"},
    Explanation{"whitespace, saw", "there is text after the value",
                "write one key per line; put text in \" \"; comments begin with #"},
    Explanation{"leading zero", "a number must not begin with 0", "remove the 0", true},
    Explanation{"integer: '", "this integer is too large", "the largest is 9223372036854775807",
                true},
    Explanation{"is not representable in 64 bits", "this number does not fit a double", "", true},
    Explanation{"integer:", "this is not a TOML number", write_number},
    Explanation{"floating-point:", "this is not a TOML number", write_number},
    Explanation{"unknown escape", "a backslash begins an escape in \" \"",
                "write \\\\, or put the text in ' '"},
    Explanation{"unicode scalar", "\\u takes four hexadecimal digits, \\U eight",
                "write \\\\, or put the text in ' '"},
    Explanation{"root table: expected keys", "a line cannot begin like this",
                "write key = value, [table] or # comment"},
    Explanation{"header: expected ']'", "the header is not closed", "write ]"},
    Explanation{"blank bare keys", "the header has no name", "write [name]"},
    Explanation{"key: expected bare key", "a part of the name is missing",
                "write one after the point"},
    Explanation{"date", "this is no date or time", put_in_quotes},
    Explanation{"time:", "this is no date or time", put_in_quotes},
    Explanation{"nested value depth", "lists and tables are nested too deeply", ""},
};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// The first byte of character `index` of a line; its size if there are fewer.
std::size_t position_of_character(std::string_view line, int index) {
  const auto begins = [&](std::size_t at) {
    return (static_cast<unsigned char>(line[at]) & 0xC0) != 0x80;
  };
  std::size_t at = 0;
  for (int begun = 0; at < line.size(); ++at)
    if (begins(at) && begun++ == index) break;
  return at;
}

// The place of the number that ends before `end`, where toml++ has read all of it.
Place number_before(Place end) {
  const std::string_view line = end.source->line(end.line);
  const auto is_of_number = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') ||
           std::string_view("xo_+-.").find(c) != std::string_view::npos;
  };
  const std::size_t last = position_of_character(line, end.column - 1);
  std::size_t first = last;
  while (first > 0 && is_of_number(line[first - 1])) --first;
  if (first == last) return end;
  end.length = static_cast<int>(last - first);
  end.column -= end.length;
  return end;
}

// The header "[a]" or "[[a]]" of a line, or the key of a line "key = value".
std::string_view head_of(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with('[')) return trimmed(line.substr(0, line.find('=')));
  return trimmed(line.substr(0, line.find('#')));
}

// The line before `from` that gives the same header, or in the same table the same key; 0: none.
int earlier_line(const Source& source, int from, std::string_view head) {
  const bool is_header = head.starts_with('[');
  for (int line = from - 1; line > 0; --line) {
    const std::string_view earlier = trimmed(source.line(line));
    if (is_header ? head_of(earlier) == head
                  : earlier.find('=') != std::string_view::npos && head_of(earlier) == head)
      return line;
    if (!is_header && earlier.starts_with('[')) return 0;
  }
  return 0;
}

// "cannot redefine existing integer 'a.b' as table"
std::optional<TomlMessage> explain_duplicate(std::string_view description, const Place& at) {
  constexpr std::string_view prefix = "cannot redefine existing ";
  const auto found = description.find(prefix);
  if (found == std::string_view::npos) return std::nullopt;
  const std::string_view what = description.substr(found + prefix.size());
  const bool was_list = what.starts_with("array"), was_table = what.starts_with("table");
  const auto open = what.find('\''), close = what.rfind('\'');
  const std::string_view line = at.source->line(at.line), head = head_of(line);
  const bool is_header = description.find("table header") < found;
  TomlMessage message{at, {}, {}};
  if (open == std::string_view::npos || close <= open) {
    message.problem = "a part of this key has a value already";
    return message;
  }
  const std::string_view raw = what.substr(open + 1, close - open - 1);
  const std::string name = excerpt(raw);
  if (is_header || head == raw) {  // else the key is inside { }, or is dotted or quoted
    message.place.column =
        count_characters(line.substr(0, static_cast<std::size_t>(head.data() - line.data()))) + 1;
    message.place.length = count_characters(head);
    if (const int first = earlier_line(*at.source, at.line, head); first > 0) {
      message.problem = fmt::format("`{}` is given twice", excerpt(head));
      message.suggestion = fmt::format("first in line {}", first);
      return message;
    }
  }
  if (is_header && head.starts_with("[["))
    message.problem = fmt::format("`{}` is not a list of tables", name);
  else if (is_header && was_list)
    message.problem = fmt::format("`{}` is a list already", name);
  else if (is_header && !was_table)
    message.problem = fmt::format("`{}` has a value already, and cannot be a table", name);
  else
    message.problem = fmt::format("`{}` is given twice", name);
  if (is_header && was_list) message.suggestion = fmt::format("write [[{}]]", name);
  return message;
}

}  // namespace

TomlMessage explain_toml(std::string_view description, const Place& place) {
  if (auto message = explain_duplicate(description, place)) return *message;
  // at the end of the text toml++ only reports the end
  if (description.ends_with("key-value pair: encountered end-of-file")) {
    const bool has_equals_sign = place.source->line(place.line).find('=') != std::string_view::npos;
    description = has_equals_sign ? "pair: expected value" : "pair: expected '='";
  }
  for (const Explanation& explanation : table)
    if (description.find(explanation.pattern) != std::string_view::npos)
      return {explanation.is_of_number ? number_before(place) : place,
              std::string(explanation.problem), std::string(explanation.suggestion)};
  constexpr std::string_view head = "Error while parsing ";
  if (description.starts_with(head)) description.remove_prefix(head.size());
  return {place, replace_controls(description), {}};
}

}  // namespace gsim::config_detail
