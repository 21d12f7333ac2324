#include "src/modules/transport/geometry/cells/region.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/text.hpp"

namespace gsim::transport {
namespace {

using Kind = Region::Kind;

/// Joins parts into one node of `kind`; parts of the same kind are replaced by their parts.
Region joined(Kind kind, std::vector<Region> parts) {
  Region node;
  node.kind = kind;
  for (Region& part : parts) {
    if (part.kind == kind)
      node.parts.insert(node.parts.end(), part.parts.begin(), part.parts.end());
    else
      node.parts.push_back(std::move(part));
  }
  if (node.parts.size() != 1) return node;
  Region only = std::move(node.parts.front());
  return only;
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.';
}

/// Recursive descent over the grammar
///   union = intersection { "|" intersection };  intersection = term { ["&"] term };
///   term = "~" term | "(" union ")" | ["-" | "+"] name.
class RegionParser {
 public:
  RegionParser(std::string_view text, const RegionNames& names,
               const std::vector<std::string>& known)
      : text_(text), names_(names), known_(known) {}

  Region parse() {
    skip_spaces();
    if (at_ == text_.size()) return {};
    Region region = parse_union();
    if (at_ < text_.size()) fail(text_[at_] == ')' ? "this `)` closes nothing" : unexpected());
    return region;
  }

 private:
  /// Largest number of nested parentheses and complements, to bound the recursion.
  static constexpr int max_depth = 200;

  [[noreturn]] void fail(const std::string& problem, const std::string& suggestion = {}) const {
    throw RegionFault{problem, suggestion, at_, 1};
  }
  std::string unexpected() const {
    if (at_ == text_.size()) return "the expression ends where a half-space is expected";
    return fmt::format("`{}` where a half-space is expected", text_[at_]);
  }
  void skip_spaces() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }
  /// Skips the character c and spaces after it. False: another character comes next.
  bool take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    skip_spaces();
    return true;
  }

  Region parse_union() {
    std::vector<Region> parts{parse_intersection()};
    while (take('|')) parts.push_back(parse_intersection());
    return joined(Kind::either, std::move(parts));
  }

  Region parse_intersection() {
    std::vector<Region> parts{parse_term()};
    while (at_ < text_.size() && text_[at_] != '|' && text_[at_] != ')') {
      take('&');
      parts.push_back(parse_term());
    }
    return joined(Kind::intersection, std::move(parts));
  }

  Region parse_term() {
    if (++depth_ > max_depth) fail("the expression is nested too deeply");
    Region region;
    const std::size_t opening = at_;
    if (take('~')) {
      region = complement(parse_term());
    } else if (take('(')) {
      region = parse_union();
      if (!take(')')) throw RegionFault{"this `(` is not closed", "add `)`", opening, 1};
    } else {
      region = parse_half_space();
    }
    --depth_;
    return region;
  }

  Region parse_half_space() {
    const bool is_negative = at_ < text_.size() && text_[at_] == '-';
    if (is_negative || (at_ < text_.size() && text_[at_] == '+')) {
      ++at_;
      skip_spaces();
    }
    const std::size_t first = at_;
    while (at_ < text_.size() && is_name_character(text_[at_])) ++at_;
    const std::string_view name = text_.substr(first, at_ - first);
    if (name.empty())
      fail(unexpected(),
           "write -name or +name, a space between them for the intersection, | for "
           "the union, ~ for the complement");
    const Region* found = names_(name);
    if (found == nullptr) {
      throw RegionFault{fmt::format("there is no surface or box `{}`", excerpt(name)),
                        suggest_known(name, known_, "there are"), first, name.size()};
    }
    skip_spaces();
    return is_negative ? *found : complement(*found);
  }

  std::string_view text_;
  const RegionNames& names_;
  const std::vector<std::string>& known_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

void collect(const Region& region, std::vector<std::int32_t>& found) {
  if (region.kind == Kind::half_space &&
      std::find(found.begin(), found.end(), region.half_space) == found.end())
    found.push_back(region.half_space);
  for (const Region& part : region.parts) collect(part, found);
}

std::int32_t count_steps(const Region& region) {
  if (region.kind == Kind::half_space) return 1;
  std::int32_t count = 0;
  for (const Region& part : region.parts) count += count_steps(part);
  return count;
}

/// Appends the steps that evaluate `region` and continue at if_true or if_false; `first` is the
/// index of the first one.
void append_steps(const Region& region, std::int32_t first, std::int32_t if_true,
                  std::int32_t if_false, std::vector<RegionStep>& steps) {
  if (region.kind == Kind::half_space) {
    steps.push_back({region.half_space, if_true, if_false});
    return;
  }
  std::int32_t at = first;
  for (std::size_t i = 0; i < region.parts.size(); ++i) {
    const std::int32_t next = at + count_steps(region.parts[i]);
    const bool is_last = i + 1 == region.parts.size();
    const bool is_intersection_node = region.kind == Kind::intersection;
    append_steps(region.parts[i], at, is_intersection_node && !is_last ? next : if_true,
                 !is_intersection_node && !is_last ? next : if_false, steps);
    at = next;
  }
}

/// The location of `fault` in the file; the value may span several lines.
SourceLocation location_of(const RegionFault& fault, std::string_view text, SourceLocation value) {
  if (value.line == 0) return value;
  value.length = static_cast<int>(fault.length);
  const std::string_view before = text.substr(0, fault.column);
  const auto breaks = std::count(before.begin(), before.end(), '\n');
  const auto at = value.column > 0 ? static_cast<std::size_t>(value.column - 1) : 0;
  const bool is_multiline =
      value.text.compare(at, 3, "\"\"\"") == 0 || value.text.compare(at, 3, "'''") == 0;
  const auto column = static_cast<int>(fault.column);
  if (breaks == 0 && !is_multiline) {
    value.column += 1 + column;  // after the opening quote
    return value;
  }
  // A line break after the opening quotes is not part of the value.
  const bool is_skipped = value.text.size() <= at + 3;
  const std::size_t line_start = breaks == 0 ? 0 : before.rfind('\n') + 1;
  if (breaks == 0 && !is_skipped) {
    value.column += 3 + column;  // after three opening quotes
    return value;
  }
  value.line += static_cast<int>(breaks) + (is_skipped ? 1 : 0);
  value.column = static_cast<int>(fault.column - line_start) + 1;
  value.text = std::string(text.substr(line_start, text.find('\n', line_start) - line_start));
  return value;
}

}  // namespace

Region complement(const Region& region) {
  Region result;
  if (region.kind == Kind::half_space) return Region::of(region.half_space ^ 1);
  result.kind = region.kind == Kind::intersection ? Kind::either : Kind::intersection;
  for (const Region& part : region.parts) result.parts.push_back(complement(part));
  return result;
}

Region parse_region(std::string_view text, const RegionNames& names,
                    const std::vector<std::string>& known) {
  return RegionParser(text, names, known).parse();
}

Region parse_region(std::string_view text, const RegionNames& names,
                    const std::vector<std::string>& known, const SourceLocation& value) {
  try {
    return parse_region(text, names, known);
  } catch (const RegionFault& fault) {
    throw ConfigError(location_of(fault, text, value), fault.problem, fault.suggestion);
  }
}

std::vector<std::int32_t> half_spaces_of(const Region& region) {
  std::vector<std::int32_t> found;
  collect(region, found);
  return found;
}

bool is_intersection(const Region& region) {
  return region.kind == Kind::half_space ||
         (region.kind == Kind::intersection &&
          std::all_of(region.parts.begin(), region.parts.end(),
                      [](const Region& part) { return part.kind == Kind::half_space; }));
}

std::vector<RegionStep> steps_of(const Region& region, std::int32_t first) {
  std::vector<RegionStep> steps;
  append_steps(region, first, RegionStep::inside, RegionStep::outside, steps);
  return steps;
}

}  // namespace gsim::transport
