// Lengths of time: a number of seconds, or "90 s", "10 min", "1.5 h", "2 d", "1 h 30 min".

#include <algorithm>
#include <array>
#include <string>

#include "convert.hpp"
#include "src/config/input/cell.hpp"

namespace gsim::config_detail {
namespace {

struct Unit {
  std::string_view name;
  double seconds;
};
constexpr std::array units = {Unit{"s", 1},        Unit{"sec", 1},        Unit{"second", 1},
                              Unit{"seconds", 1},  Unit{"min", 60},       Unit{"minute", 60},
                              Unit{"minutes", 60}, Unit{"h", 3600},       Unit{"hour", 3600},
                              Unit{"hours", 3600}, Unit{"d", 86400},      Unit{"day", 86400},
                              Unit{"days", 86400}, Unit{"ms", 1.0 / 1000}};

void skip_spaces(std::string_view& text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
}

bool parse(std::string_view text, double& seconds) {
  double sum = 0;
  bool has_amount = false;
  for (skip_spaces(text); !text.empty(); skip_spaces(text)) {
    const auto digits = std::min(text.find_first_not_of("0123456789.+-"), text.size());
    double amount = 0;
    if (!cell_number(text.substr(0, digits), amount)) return false;
    text.remove_prefix(digits);
    skip_spaces(text);
    const auto letters = std::min(text.find_first_of(" 0123456789.+-"), text.size());
    const auto unit = std::find_if(units.begin(), units.end(), [&](const Unit& candidate) {
      return candidate.name == text.substr(0, letters);
    });
    if (unit == units.end()) return false;
    sum += amount * unit->seconds;
    text.remove_prefix(letters);
    has_amount = true;
  }
  seconds = sum;
  return has_amount;
}

}  // namespace

void convert_duration(const Node& node, const KeyInfo& info, double& seconds) {
  double number = 0;
  const bool is_text = node.kind == Kind::text || node.kind == Kind::cell;
  if (!is_text || cell_number(node.text, number)) {
    if (node.kind == Kind::integer || node.kind == Kind::real || node.kind == Kind::cell)
      return convert(node, info, seconds);
  } else if (parse(node.text, number)) {
    Node in_seconds;  // the same place, so that a range error shows the input
    in_seconds.kind = Kind::real;
    in_seconds.real = number;
    in_seconds.key = node.key;
    in_seconds.place = node.place;
    return convert(in_seconds, info, seconds);
  }
  fail_kind(node, "a length of time", "write seconds, or \"90 s\", \"10 min\", \"1.5 h\", \"2 d\"");
}

}  // namespace gsim::config_detail
