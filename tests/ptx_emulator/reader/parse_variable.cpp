#include "reader/parse_variable.hpp"

namespace ptxemu {
namespace {

int vector_length(std::string_view suffix) {
  if (suffix == ".v2") return 2;
  if (suffix == ".v4") return 4;
  if (suffix == ".v8") return 8;
  return 0;
}

Initialiser parse_value(Cursor& cursor, Type type) {
  Initialiser value;
  const bool negative = cursor.accept("-");
  const Token& token = cursor.peek();
  if (token.kind == Token::Kind::integer || token.kind == Token::Kind::f32 ||
      token.kind == Token::Kind::f64) {
    value.bits = token.bits;
    if (token.kind == Token::Kind::integer) {
      if (negative) value.bits = 0 - value.bits;
    } else if (negative) {
      value.bits ^= token.kind == Token::Kind::f32 ? 0x80000000u : 0x8000000000000000u;
    }
    if (token.kind == Token::Kind::f64 && size_of(type) == 4)
      cursor.fail("a constant of 64 bits initialises a variable of 32 bits");
    cursor.take();
    return value;
  }
  std::string_view name = cursor.word();
  if (name == "generic" && cursor.accept("(")) {
    value.generic = true;
    name = cursor.word();
    cursor.expect(")");
  }
  value.name = std::string(name);
  if (cursor.accept("+")) value.bits = cursor.integer();
  return value;
}

void parse_values(Cursor& cursor, Type type, std::vector<Initialiser>& values) {
  if (!cursor.accept("{")) {
    values.push_back(parse_value(cursor, type));
    return;
  }
  while (!cursor.is("}")) {
    parse_values(cursor, type, values);
    if (!cursor.accept(",")) break;
  }
  cursor.expect("}");
}

/// Parses name, lengths and initialiser of one variable with `length` elements of the type.
Variable parse_declarator(Cursor& cursor, Space space, Type type, int length, std::uint64_t align) {
  Variable variable;
  variable.space = space;
  variable.type = type;
  variable.align = align;
  variable.name = std::string(cursor.word());
  variable.size = static_cast<std::uint64_t>(size_of(type)) * static_cast<unsigned>(length);
  while (cursor.accept("[")) {
    const bool is_unsized = cursor.is("]");
    variable.size *= is_unsized ? 0 : cursor.integer();
    cursor.expect("]");
  }
  if (cursor.accept("=")) {
    parse_values(cursor, type, variable.values);
    const std::uint64_t value_bytes = variable.values.size() * static_cast<unsigned>(size_of(type));
    if (variable.size == 0) variable.size = value_bytes;
    if (value_bytes > variable.size) cursor.fail("more values than the variable holds");
  }
  return variable;
}

}  // namespace

Space variable_space(std::string_view directive) {
  if (directive == ".param") return Space::param;
  if (directive == ".global") return Space::global;
  if (directive == ".shared" || directive == ".shared::cta") return Space::shared;
  if (directive == ".local") return Space::local;
  if (directive == ".const") return Space::constant;
  return Space::reg;
}

std::vector<Variable> parse_variables(Cursor& cursor, Space space, bool many) {
  std::uint64_t align = 0;
  int length = 1;
  Type type = Type::none;
  while (cursor.peek().kind == Token::Kind::word && cursor.peek().text.front() == '.') {
    const std::string_view directive = cursor.take().text;
    if (directive == ".align") {
      align = cursor.integer();
    } else if (directive == ".ptr" || variable_space(directive) != Space::reg ||
               directive == ".attribute") {
      if (directive == ".attribute")
        cursor.skip_past(")");  // the attribute of a pointer is not needed
    } else if (const int n = vector_length(directive); n != 0) {
      length = n;
    } else if (const auto named = type_of(directive.substr(1))) {
      type = *named;
    } else {
      cursor.fail("the declaration has an unknown directive " + std::string(directive));
    }
  }
  if (type == Type::none) cursor.fail("the declaration has no type");
  if (align == 0) align = static_cast<unsigned>(size_of(type)) * static_cast<unsigned>(length);
  std::vector<Variable> variables;
  do {
    variables.push_back(parse_declarator(cursor, space, type, length, align));
  } while (many && cursor.accept(","));
  return variables;
}

}  // namespace ptxemu
