// Regions: the grammar of expressions, and evaluation by steps compared with direct evaluation.

#include <doctest/doctest.h>

#include "src/modules/transport/geometry/cells/region.hpp"
#include "tests/unit/transport/geometry/geometry_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

const std::vector<std::string> names{"a", "b", "c", "d", "box"};

/// Parses a region of the surfaces above, numbered 0 to 3, and of a box. Half-space 2 s is the
/// negative side of surface s, half-space 2 s + 1 the positive side.
Region parse(const std::string& text) {
  static const std::vector<Region> single{Region::of(0), Region::of(2), Region::of(4),
                                          Region::of(6)};
  static const Region box{Region::Kind::intersection, -1, {Region::of(8), Region::of(11)}};
  return parse_region(
      text,
      [](std::string_view name) -> const Region* {
        if (name == "box") return &box;
        return name.size() == 1 && name[0] >= 'a' && name[0] <= 'd'
                   ? &single[static_cast<std::size_t>(name[0] - 'a')]
                   : nullptr;
      },
      names);
}

/// Evaluates steps for sides given as bits: bit s is set on the positive side of surface s.
bool is_inside_region(const Region& region, unsigned sides) {
  const auto steps = steps_of(region, 0);
  std::int32_t step_index = 0;
  while (step_index >= 0) {
    const RegionStep& step = steps[static_cast<std::size_t>(step_index)];
    const bool is_positive = (sides >> (step.half_space >> 1) & 1) != 0;
    const std::int32_t next =
        is_positive == ((step.half_space & 1) != 0) ? step.if_true : step.if_false;
    REQUIRE((next < 0 || next > step_index));
    step_index = next;
  }
  return step_index == RegionStep::inside;
}

/// A random expression as text, and its value.
std::string random_text(TestRandom& random, int depth, unsigned sides, bool& value) {
  if (depth == 0 || random.uniform() < 0.2) {
    const int s = random.below(4);
    const bool is_negative = random.uniform() < 0.5, is_positive = (sides >> s & 1) != 0;
    value = is_positive != is_negative;
    return (is_negative              ? "-"
            : random.uniform() < 0.5 ? "+"
                                     : "") +
           names[static_cast<std::size_t>(s)];
  }
  bool value_of_a = false, value_of_b = false;
  const int kind = random.below(3);
  const std::string a = random_text(random, depth - 1, sides, value_of_a);
  if (kind == 0) {
    value = !value_of_a;
    return "~(" + a + ")";
  }
  const std::string b = random_text(random, depth - 1, sides, value_of_b);
  value = kind == 1 ? value_of_a && value_of_b : value_of_a || value_of_b;
  // Intersections have precedence: a union within one needs parentheses.
  return kind == 1 ? "(" + a + ")" + (random.uniform() < 0.5 ? " & " : " ") + "(" + b + ")"
                   : a + "|" + b;
}

void check_refused(const std::string& text, const std::string& expected, std::size_t column) {
  CAPTURE(text);
  try {
    parse(text);
    FAIL("no RegionFault was thrown");
  } catch (const RegionFault& fault) {
    CHECK((fault.problem + fault.suggestion).find(expected) != std::string::npos);
    CHECK(fault.column == column);
  }
}

}  // namespace

TEST_CASE("geometry regions: operators, precedence and complements of expressions") {
  CHECK(half_spaces_of(parse("-a +b -c d")) == std::vector<std::int32_t>{0, 3, 4, 7});
  CHECK(is_intersection(parse("-a +b & (-c d)")));
  CHECK(is_intersection(parse("~(a | -b)")));
  CHECK(is_intersection(parse("-box")));
  CHECK_FALSE(is_intersection(parse("+box")));
  CHECK(is_intersection(parse("")));
  CHECK(parse("  \n ").parts.empty());
  for (unsigned sides = 0; sides < 16; ++sides) {
    const bool a = sides & 1, b = sides & 2, c = sides & 4, d = sides & 8;
    CHECK(is_inside_region(parse("-a b | c -d"), sides) == ((!a && b) || (c && !d)));
    CHECK(is_inside_region(parse("-a (b | c) -d"), sides) == (!a && (b || c) && !d));
    CHECK(is_inside_region(parse("~a ~(~b | (c d))"), sides) == (!a && !(!b || (c && d))));
    CHECK(is_inside_region(parse("~~a"), sides) == a);
  }
}

TEST_CASE(
    "geometry regions: random expressions and their complements have the value of direct "
    "evaluation") {
  TestRandom random(11);
  for (int n = 0; n < 3000; ++n) {
    const unsigned sides = static_cast<unsigned>(random.below(16));
    bool value = false;
    const std::string text = random_text(random, 5, sides, value);
    CAPTURE(text);
    REQUIRE(is_inside_region(parse(text), sides) == value);
    REQUIRE(is_inside_region(complement(parse(text)), sides) == !value);
  }
}

TEST_CASE("geometry regions: errors in expressions are reported with their column") {
  check_refused("-a -e", "no surface or box `e`", 4);
  check_refused("-a (b | c", "not closed", 3);
  check_refused("-a b)", "closes nothing", 4);
  check_refused("-a |", "ends where a half-space", 4);
  check_refused("-a # b", "`#`", 3);
  check_refused("-a - ", "ends where", 5);
  check_refused("-boxx", "did you mean `box`", 1);
  check_refused(std::string(300, '('), "too deeply", 200);
}
