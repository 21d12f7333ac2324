#include "convert.hpp"

#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/config/input/cell.hpp"
#include "toml_text.hpp"

namespace gsim::config_detail {
namespace {

// "`spot`", or "each element of `times`" for elements of a list.
std::string subject(const Node& node) {
  if (node.parent != nullptr && node.parent->kind == Kind::array) {
    const Node* list = node.parent;
    while (list->parent != nullptr && list->parent->kind == Kind::array) list = list->parent;
    return fmt::format("each element of `{}`", excerpt(list->key));
  }
  return fmt::format("`{}`", excerpt(node.from_csv ? node.path() : node.key));
}

std::string unit_text(const KeyInfo& info) {
  return info.unit.empty() ? "" : fmt::format(" ({})", info.unit);
}

// A description of the input's value.
std::string value_text(const Node& node) {
  switch (node.kind) {
    case Kind::date:
      return node.text.empty() ? std::string(kind_name(node)) : "the date " + node.text;
    case Kind::integer:
      return std::to_string(node.integer);
    case Kind::real:
      return plain_number(node.real);
    case Kind::cell:
    case Kind::text:
      if (node.text.size() <= 40) return fmt::format("\"{}\"", excerpt(node.text));
      [[fallthrough]];
    default:
      return std::string(kind_name(node));
  }
}

std::string number_text(double value) { return plain_number(value); }
std::string number_text(Index value) { return std::to_string(value); }

std::string a_number(const KeyInfo& info) {
  return (info.is_date ? "a number, a date or a length of time" : "a number") + unit_text(info);
}

// Whether `node` may be a date or a length of time, which its configuration converts to `years`.
bool read_date(const Node& node, const KeyInfo& info, double& years) {
  const bool is_text =
      node.kind == Kind::text || node.kind == Kind::cell || node.kind == Kind::date;
  const DateReader* reader = node.root().date_reader.get();
  if (!info.is_date || !is_text || node.text.empty() || reader == nullptr) return false;
  try {
    years = (*reader)(node.text);
  } catch (const InputError& error) {
    fail_at(node, fmt::format("{}: {}", subject(node), error.what()));
  }
  return true;
}

template <class T>
void check_range(const Node& node, const KeyInfo& info, T value) {
  if (acceptable(value, info)) return;
  const auto number = static_cast<double>(value);
  if (std::isnan(number) || (std::isinf(number) && !info.allow_infinity))
    fail_at(node,
            fmt::format("{} must be a {}number{}, not {}", subject(node),
                        info.allow_infinity ? "" : "finite ", unit_text(info), number_text(value)));
  fail_at(node, fmt::format("{} must be {}{}, not {}", subject(node), range_text(info),
                            unit_text(info), number_text(value)));
}

void check_size(const Node& node, const KeyInfo& info, std::size_t size) {
  const auto n = static_cast<Index>(size);
  if (n >= info.min_size && n <= info.max_size) return;
  const auto elements = [](Index count) {
    return fmt::format("{} {}", count, count == 1 ? "element" : "elements");
  };
  const bool bounded = info.max_size < std::numeric_limits<Index>::max();
  const std::string required_size =
      info.min_size == info.max_size ? elements(info.min_size)
      : !bounded                     ? "at least " + elements(info.min_size)
      : info.min_size == 0           ? "at most " + elements(info.max_size)
                           : fmt::format("{} to {}", info.min_size, elements(info.max_size));
  fail_at(node, fmt::format("`{}` must have {}, not {}", excerpt(node.key), required_size, n));
}

// Converts a list node, or a CSV cell, which is first split into its parts: rows if `rows` is true,
// else elements.
template <class T>
void convert_list(const Node& node, const KeyInfo& info, std::string_view what, bool rows,
                  std::vector<T>& list) {
  Node parts;
  if (node.kind == Kind::cell) split_cell(node, rows, parts);
  const Node& from = node.kind == Kind::cell ? parts : node;
  if (from.kind != Kind::array) {
    const bool scalar = from.kind != Kind::table && from.kind != Kind::date;
    fail_kind(node, what, scalar ? std::string("put it in [ ]") : std::string());
  }
  check_size(from, info, from.children.size());
  list.clear();
  list.reserve(from.children.size());
  KeyInfo element = info;
  element.min_size = 0;
  element.max_size = std::numeric_limits<Index>::max();
  for (const auto& child : from.children) {
    T value{};
    convert(*child, element, value);
    list.push_back(std::move(value));
  }
}

}  // namespace

void fail_at(const Node& node, const std::string& problem, const std::string& suggestion) {
  throw ConfigError(node.place.location(), problem, suggestion);
}

void fail_kind(const Node& node, std::string_view what, const std::string& suggestion) {
  fail_at(node, fmt::format("{} must be {}, not {}", subject(node), what, value_text(node)),
          suggestion);
}

bool acceptable(double value, const KeyInfo& info) {
  if (std::isnan(value) || (std::isinf(value) && !info.allow_infinity)) return false;
  return (info.exclusive_minimum ? value > info.minimum : value >= info.minimum) &&
         (info.exclusive_maximum ? value < info.maximum : value <= info.maximum);
}

bool acceptable(Index value, const KeyInfo& info) {
  return acceptable(static_cast<double>(value), info);
}

void convert(const Node& node, const KeyInfo& info, double& value) {
  double number = 0;
  if (node.kind == Kind::integer)
    number = static_cast<double>(node.integer);
  else if (node.kind == Kind::real)
    number = node.real;
  else if ((node.kind != Kind::cell || !cell_number(node.text, number)) &&
           !read_date(node, info, number))
    fail_kind(node, a_number(info));
  check_range(node, info, number);
  value = number;
}

void convert(const Node& node, const KeyInfo& info, Index& value) {
  Index number = 0;
  double real = node.real;
  if (node.kind == Kind::integer) {
    number = node.integer;
  } else if (node.kind == Kind::real ||
             (node.kind == Kind::cell && !cell_integer(node.text, number) &&
              cell_number(node.text, real))) {
    // 1e6 is accepted as an integer; 2^63 is the first that Index cannot hold
    if (!(std::abs(real) < 9223372036854775808.0) || real != std::trunc(real))
      fail_kind(node, "an integer" + unit_text(info));
    number = static_cast<Index>(real);
  } else if (node.kind != Kind::cell || !cell_integer(node.text, number)) {
    fail_kind(node, "an integer" + unit_text(info));
  }
  check_range(node, info, number);
  value = number;
}

void convert(const Node& node, const KeyInfo&, bool& value) {
  if (node.kind == Kind::boolean)
    value = node.boolean;
  else if (node.kind != Kind::cell || !cell_boolean(node.text, value))
    fail_kind(node, "true or false");
}

void convert(const Node& node, const KeyInfo& info, std::string& value) {
  const bool is_date = info.is_date && node.kind == Kind::date && !node.text.empty();
  if (node.kind != Kind::text && node.kind != Kind::cell && !is_date)
    fail_kind(node, "a string",
              node.kind == Kind::table || node.kind == Kind::array ? "" : "put it in \" \"");
  value = node.text;
}

void convert(const Node& node, const KeyInfo& info, std::vector<double>& value) {
  convert_list(
      node, info,
      (info.is_date ? "a list of numbers, dates or lengths of time" : "a list of numbers") +
          unit_text(info),
      false, value);
}

void convert(const Node& node, const KeyInfo& info, std::vector<Index>& value) {
  convert_list(node, info, "a list of integers" + unit_text(info), false, value);
}

void convert(const Node& node, const KeyInfo& info, std::vector<std::string>& value) {
  convert_list(node, info, "a list of strings", false, value);
}

void convert(const Node& node, const KeyInfo& info, std::vector<std::vector<double>>& value) {
  convert_list(node, info, "a list of rows, each a list of numbers", true, value);
}

std::string word_list(std::span<const std::string_view> words) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    list += i == 0 ? "" : i + 1 == words.size() ? " or " : ", ";
    list += fmt::format("\"{}\"", words[i]);
  }
  return list;
}

KeyInfo with_words(const KeyInfo& info, std::span<const std::string_view> words) {
  KeyInfo result = info;
  result.doc += fmt::format("{}{}", info.doc.empty() ? "" : ": ", word_list(words));
  return result;
}

void convert_word(const Node& node, std::span<const std::string_view> words, int& position) {
  for (std::size_t i = 0; i < words.size(); ++i)
    if ((node.kind == Kind::text || node.kind == Kind::cell) && node.text == words[i]) {
      position = static_cast<int>(i);
      return;
    }
  std::string closest;
  if (node.kind == Kind::text || node.kind == Kind::cell) {
    const std::vector<std::string> known(words.begin(), words.end());
    closest = did_you_mean(node.text, known);
  }
  fail_kind(node, word_list(words),
            closest.empty() ? "" : fmt::format("did you mean \"{}\"?", closest));
}

}  // namespace gsim::config_detail
