#include "gsim/engine/grid_config.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <string_view>

namespace gsim {
namespace {

constexpr std::array<std::string_view, 3> rules{"zero_gradient", "fixed", "fixed_ghost"};
constexpr std::array<FaceRule, 3> rule_of{FaceRule::zero_gradient, FaceRule::face_value,
                                          FaceRule::ghost_value};

void describe_face(Section& s, const char* side, FaceCondition& condition) {
  int rule = 0;
  double value = std::numeric_limits<double>::quiet_NaN();  // absent
  const std::string value_key = std::string(side) + "_value";
  s.optional_word(side, rule, rules,
                  {.doc = "no flux, or a fixed value on the face or in the centres of the ghosts"});
  s.optional(value_key, value, {.doc = "the value where it is fixed; default 0"});
  const bool is_given = !std::isnan(value);
  condition = {rule_of[static_cast<std::size_t>(rule)], is_given ? value : 0};
  if (!s.describing() && is_given && condition.rule == FaceRule::zero_gradient)
    s.fail(value_key, "a face without flux has no fixed value",
           std::string("write ") + side + " = \"fixed\"");
}

}  // namespace

void GridConfig::describe(Section& top) {
  top.required_table(
      "grid",
      [this](Section& s) {
        s.required("cells", cells, {.doc = "cells along x, y, z", .minimum = 1});
        s.optional("spacing", spacing,
                   {.doc = "edges of a cell", .minimum = 0, .exclusive_minimum = true});
        s.optional("origin", origin, {.doc = "lower corner of the first cell"});
        s.optional("length_unit", length_unit,
                   {.doc = "of spacing and origin, as pictures and files name it: it changes no "
                           "number"});
        for (std::size_t a = 0; a < 3; ++a) {
          const bool is_open = s.optional_table(
              std::string(1, "xyz"[a]),
              [&](Section& axis) {
                describe_face(axis, "lower", faces[a][0]);
                describe_face(axis, "upper", faces[a][1]);
              },
              "what is at the ends of this axis; without this table it is periodic");
          boundaries[a] = is_open ? Boundary::open : Boundary::periodic;
        }
      },
      "the grid and its boundaries");
}

void GridConfig::set_conditions(FieldBoundary& boundary) const {
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t side = 0; side < 2 && boundaries[a] == Boundary::open; ++side)
      boundary.set(static_cast<int>(a), static_cast<int>(side), faces[a][side]);
}

}  // namespace gsim
