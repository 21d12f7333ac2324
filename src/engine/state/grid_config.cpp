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

constexpr std::array<const char*, 2> sides{"lower", "upper"};

using Faces = std::array<FaceCondition, 2>;  // of the lower and the upper end of an axis

/// An absent value is NaN until validate_faces().
void describe_faces(Section& s, Faces& faces) {
  for (std::size_t side = 0; side < 2; ++side) {
    int rule = 0;
    double value = std::numeric_limits<double>::quiet_NaN();
    s.optional_word(sides[side], rule, rules,
                    {.doc = "boundary condition: no flux, or a fixed value on the face or at the "
                            "centres of the ghost cells"});
    s.optional(std::string(sides[side]) + "_value", value, {.doc = "fixed value; default 0"});
    faces[side] = {rule_of[static_cast<std::size_t>(rule)], value};
  }
}

void validate_faces(const Section& s, Faces& faces) {
  for (std::size_t side = 0; side < 2; ++side) {
    if (std::isnan(faces[side].value))
      faces[side].value = 0;
    else if (faces[side].rule == FaceRule::zero_gradient)
      s.fail(std::string(sides[side]) + "_value", "a face without flux has no fixed value",
             std::string("write ") + sides[side] + " = \"fixed\"");
  }
}

}  // namespace

void GridConfig::describe(Section& top) {
  top.required_table(
      "grid",
      [this](Section& s) {
        s.required("cells", cells, {.doc = "number of cells along x, y, z", .minimum = 1});
        s.optional("spacing", spacing,
                   {.doc = "edge lengths of a cell", .minimum = 0, .exclusive_minimum = true});
        s.optional("origin", origin, {.doc = "lower corner of the first cell"});
        s.optional("length_unit", length_unit,
                   {.doc = "unit of spacing and origin as a label in pictures and files; no number "
                           "is converted"});
        for (std::size_t a = 0; a < 3; ++a) {
          const auto describe = [&](Section& axis) { describe_faces(axis, faces[a]); };
          const auto validate = [&](const Section& axis) { validate_faces(axis, faces[a]); };
          const bool is_open = s.optional_table(
              std::string(1, "xyz"[a]), validated(describe, validate),
              "boundary conditions at both ends of this axis; without this table it is periodic");
          boundaries[a] = is_open ? Boundary::open : Boundary::periodic;
        }
      },
      "the grid and its boundary conditions");
}

void GridConfig::set_conditions(FieldBoundary& boundary) const {
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t side = 0; side < 2 && boundaries[a] == Boundary::open; ++side)
      boundary.set(static_cast<int>(a), static_cast<int>(side), faces[a][side]);
}

}  // namespace gsim
