// Comparisons and selections, from the text of the PTX ISA manual.

#include <doctest/doctest.h>

#include "oracle/forms.hpp"

using namespace ptxemu::oracle;

namespace {
struct Relation {
  std::string name;
  bool less, equal, greater, unordered;  ///< results for operands in each order
};
const std::vector<Relation> ordered = {
    {"eq", false, true, false, false}, {"ne", true, false, true, false},
    {"lt", true, false, false, false}, {"le", true, true, false, false},
    {"gt", false, false, true, false}, {"ge", false, true, true, false}};
const std::vector<Relation> of_unsigned = {{"lo", true, false, false, false},
                                           {"ls", true, true, false, false},
                                           {"hi", false, false, true, false},
                                           {"hs", false, true, true, false}};
const std::vector<Relation> of_floats = {
    {"equ", false, true, false, true}, {"neu", true, false, true, true},
    {"ltu", true, false, false, true}, {"leu", true, true, false, true},
    {"gtu", false, false, true, true}, {"geu", false, true, true, true},
    {"num", true, true, true, false},  {"nan", false, false, false, true}};

bool holds(const Relation& relation, const std::string& type, bool ftz, U64 a, U64 b) {
  int order = 0;
  if (type[0] == 'f') {
    const Format f = format_of(type);
    if (ftz) a = flushed(a, f), b = flushed(b, f);
    const Number x = decode(a, f), y = decode(b, f);
    if (x.is_nan() || y.is_nan()) return relation.unordered;
    order = compare(x, y);
  } else {
    const __int128 x = value_of(a, type), y = value_of(b, type);
    order = x < y ? -1 : x > y ? 1 : 0;
  }
  return order < 0 ? relation.less : order > 0 ? relation.greater : relation.equal;
}

std::vector<Relation> relations_of(const std::string& type) {
  std::vector<Relation> list = ordered;
  if (type[0] == 'b') list.resize(2);
  const auto append = [&](const std::vector<Relation>& more) {
    list.insert(list.end(), more.begin(), more.end());
  };
  if (type[0] == 'u') append(of_unsigned);
  if (type[0] == 'f') append(of_floats);
  return list;
}

std::string register_type(const std::string& type) {
  return type[0] == 'f' ? type : std::string("b").append(type.substr(1));
}

const std::vector<std::string> types = {"b16", "b32", "b64", "u16", "u32", "u64",
                                        "s16", "s32", "s64", "f32", "f64"};
}  // namespace

TEST_CASE("setp with both results, combined with a predicate") {
  for (const std::string& t : types)
    for (const Relation& relation : relations_of(t))
      for (const std::string ftz : {"", ".ftz"}) {
        if (!ftz.empty() && t != "f32") continue;
        const std::string r = register_type(t);
        const std::string both = "selp.b32 d, 1, 0, x; @y add.u32 d, d, 2; }";
        const auto bits = [](bool x, bool y) { return U64{x} + 2 * U64{y}; };
        check({"{ .reg .pred x, y; setp." + relation.name + ftz + "." + t + " x|y, a, b; " + both,
               r, r, "b32", "b32"},
              [&](const Operands& o) {
                const bool x = holds(relation, t, !ftz.empty(), o.a, o.b);
                return bits(x, !x);
              });
        const std::string operation = relation.equal ? "and" : relation.greater ? "or" : "xor";
        check({"{ .reg .pred x, y, z; setp.lt.s32 z, c, 40; setp." + relation.name + "." +
                   operation + ftz + "." + t + " x|y, a, b, !z; " + both,
               r, r, "b32", "b32"},
              [&](const Operands& o) {
                const bool value = holds(relation, t, !ftz.empty(), o.a, o.b);
                const bool z = value_of(o.c, "s32") >= 40;
                const auto combine = [&](bool v) {
                  return operation == "and" ? v && z : operation == "or" ? v || z : v != z;
                };
                return bits(combine(value), combine(!value));
              });
      }
}

TEST_CASE("set gives all bits or 1.0") {
  for (const std::string& t : types)
    for (const Relation& relation : relations_of(t))
      for (const std::string out : {"u32", "s32", "f32"}) {
        const std::string r = register_type(t);
        const U64 yes = out == "f32" ? 0x3f800000u : 0xffffffffu;
        check({"set." + relation.name + "." + out + "." + t + " d, a, b;", r, r, "b32",
               register_type(out)},
              [&](const Operands& o) { return holds(relation, t, false, o.a, o.b) ? yes : 0; });
        if (out != "u32" || relation.name != "lt") continue;
        check(
            {"{ .reg .pred z; setp.lt.s32 z, c, 40; set.lt.or." + out + "." + t + " d, a, b, z; }",
             r, r, "b32", register_type(out)},
            [&](const Operands& o) {
              return holds(relation, t, false, o.a, o.b) || value_of(o.c, "s32") < 40 ? yes : 0;
            });
      }
}

TEST_CASE("selp and slct") {
  for (const std::string& t : types) {
    const std::string r = register_type(t);
    for (const std::string negation : {"", "!"})
      check({"{ .reg .pred z; setp.lt.s32 z, c, 40; selp." + t + " d, a, b, " + negation + "z; }",
             r, r, "b32", r},
            [&](const Operands& o) {
              return (value_of(o.c, "s32") < 40) == negation.empty() ? o.a : o.b;
            });
    check({"slct." + t + ".s32 d, a, b, c;", r, r, "b32", r},
          [&](const Operands& o) { return value_of(o.c, "s32") >= 0 ? o.a : o.b; });
    for (const std::string ftz : {"", ".ftz"})
      check({"slct" + ftz + "." + t + ".f32 d, a, b, c;", r, r, "f32", r}, [&](const Operands& o) {
        const Number c = decode(ftz.empty() ? o.c : flushed(o.c, single), single);
        return !c.is_nan() && (c.is_zero() || !c.negative) ? o.a : o.b;
      });
  }
}

TEST_CASE("testp and copysign") {
  const char* const properties[] = {"finite",     "infinite", "number",
                                    "notanumber", "normal",   "subnormal"};
  for (const std::string t : {"f32", "f64"}) {
    const Format f = format_of(t);
    for (int n = 0; n < 6; ++n)
      check({"{ .reg .pred x; testp." + std::string(properties[n]) + "." + t +
                 " x, a; selp.b32 d, 1, 0, x; }",
             t, t, t, "b32"},
            [&](const Operands& o) {
              const Number a = decode(o.a, f);
              const bool finite = a.kind == Number::Kind::finite;
              const bool subnormal = finite && !a.is_zero() && flushed(o.a, f) != o.a;
              const bool results[] = {finite,     a.kind == Number::Kind::infinite,     !a.is_nan(),
                                      a.is_nan(), finite && !a.is_zero() && !subnormal, subnormal};
              return U64{results[n]};
            });
    const U64 sign = U64{1} << (f.bits() - 1);
    check({"copysign." + t + " d, a, b;", t, t, t, t},
          [&](const Operands& o) { return (o.a & sign) | (o.b & ~sign); });
  }
}
