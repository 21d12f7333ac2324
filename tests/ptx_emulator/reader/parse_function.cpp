#include "reader/parse_function.hpp"

#include "reader/parse_variable.hpp"

namespace ptxemu {
namespace {

/// Names declared in one scope.
struct Scope {
  std::unordered_map<std::string, int> registers;  ///< number in the function of each register
  /// unique name in the function of each declared variable
  std::unordered_map<std::string, std::string> variables;
  /// unique label in the function of each declared label
  std::unordered_map<std::string, std::string> labels;
  std::size_t first_instruction = 0;
};

class BodyParser {
 public:
  BodyParser(Cursor& cursor, Function& function) : cursor_(cursor), function_(function) {}

  void run() {
    cursor_.expect("{");
    open_scope();
    while (!scopes_.empty()) {
      if (cursor_.at_end()) cursor_.fail("the body of " + function_.name + " has no end");
      statement();
    }
  }

 private:
  void open_scope() {
    scopes_.emplace_back();
    scopes_.back().first_instruction = function_.body.size();
  }

  /// Renames branch targets of the scope to the unique labels.
  void close_scope() {
    const Scope& scope = scopes_.back();
    for (std::size_t n = scope.first_instruction; n < function_.body.size(); ++n)
      for (Operand& operand : function_.body[n].operands)
        if (operand.kind == Operand::Kind::name)
          if (const auto found = scope.labels.find(operand.name); found != scope.labels.end())
            operand.name = found->second;
    scopes_.pop_back();
  }

  void statement() {
    if (cursor_.accept("{")) return open_scope();
    if (cursor_.accept("}")) return close_scope();
    if (cursor_.accept(";")) return;
    if (cursor_.peek().kind == Token::Kind::word && cursor_.is(":", 1)) return label();
    if (!cursor_.is("@") && cursor_.peek().text.starts_with('.')) return directive();
    instruction();
  }

  /// A label, or a list of targets or a prototype with a label.
  void label() {
    const std::string name(cursor_.word());
    cursor_.expect(":");
    if (cursor_.accept(".branchtargets")) {
      std::vector<std::string>& targets = function_.branch_targets[name];
      do {
        targets.emplace_back(cursor_.word());
      } while (cursor_.accept(","));
      return cursor_.expect(";");
    }
    if (cursor_.is(".callprototype")) return cursor_.skip_past(";");
    std::string unique = name;
    if (scopes_.size() > 1) {
      unique += '@' + std::to_string(unique_names_++);
      scopes_.back().labels[name] = unique;
    }
    if (!function_.labels.emplace(unique, static_cast<int>(function_.body.size())).second)
      cursor_.fail("the label " + name + " is defined twice");
  }

  void directive() {
    const std::string_view name = cursor_.take().text;
    if (name == ".reg") return registers();
    if (const Space space = variable_space(name); space != Space::reg) return variables(space);
    if (name == ".loc") return location();
    if (name == ".pragma") return cursor_.skip_past(";");
    cursor_.fail("the directive " + std::string(name) + " is not known in a function");
  }

  /// `.loc file line column[, function_name label[+offset], inlined_at file line column]`
  void location() {
    for (int n = 0; n < 3; ++n) cursor_.integer();
    if (!cursor_.is(",") || !cursor_.is("function_name", 1)) return;
    cursor_.take(), cursor_.take(), cursor_.take();
    if (cursor_.accept("+")) cursor_.integer();
    cursor_.expect(",");
    cursor_.expect("inlined_at");
    for (int n = 0; n < 3; ++n) cursor_.integer();
  }

  void declare_register(const std::string& name, Type type) {
    scopes_.back().registers[name] = static_cast<int>(function_.registers.size());
    function_.registers.push_back({name, type});
  }

  void registers() {
    const std::string_view suffix = cursor_.word();
    const auto type = type_of(suffix.substr(1));
    if (!type) cursor_.fail("registers of an unknown type " + std::string(suffix));
    do {
      const std::string name(cursor_.word());
      if (!cursor_.accept("<")) {
        declare_register(name, *type);
        continue;
      }
      const std::uint64_t count = cursor_.integer();
      cursor_.expect(">");
      for (std::uint64_t n = 0; n < count; ++n) declare_register(name + std::to_string(n), *type);
    } while (cursor_.accept(","));
    cursor_.expect(";");
  }

  void variables(Space space) {
    for (Variable& variable : parse_variables(cursor_, space, true)) {
      if (scopes_.size() > 1) {
        const std::string unique = variable.name + '@' + std::to_string(unique_names_++);
        scopes_.back().variables[variable.name] = unique;
        variable.name = unique;
      }
      function_.variables.push_back(std::move(variable));
    }
    cursor_.expect(";");
  }

  int find_register(std::string_view name) const {
    const std::string key(name);
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
      if (const auto found = scope->registers.find(key); found != scope->registers.end())
        return found->second;
    return -1;
  }

  std::string find_variable(std::string_view name) const {
    const std::string key(name);
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
      if (const auto found = scope->variables.find(key); found != scope->variables.end())
        return found->second;
    return key;
  }

  int predicate() {
    const int reg = find_register(cursor_.peek().text);
    if (reg < 0) cursor_.fail("expected a predicate register");
    cursor_.take();
    return reg;
  }

  void instruction() {
    Instruction parsed;
    parsed.line = cursor_.peek().line;
    if (cursor_.accept("@")) {
      parsed.guard_negated = cursor_.accept("!");
      parsed.guard = predicate();
    }
    std::string_view opcode = cursor_.word();
    while (!opcode.empty()) {
      std::size_t dot = opcode.find('.');
      if (dot == std::string_view::npos) dot = opcode.size();
      if (parsed.opcode.empty())
        parsed.opcode = std::string(opcode.substr(0, dot));
      else
        parsed.suffixes.emplace_back(opcode.substr(0, dot));
      opcode.remove_prefix(dot < opcode.size() ? dot + 1 : dot);
    }
    while (!cursor_.is(";")) {
      parsed.operands.push_back(operand());
      if (!cursor_.accept(",")) break;
    }
    cursor_.expect(";");
    function_.body.push_back(std::move(parsed));
  }

  /// Operands in braces or parentheses; the current token opens them.
  Operand group(Operand::Kind kind, std::string_view end) {
    Operand parsed;
    parsed.kind = kind;
    cursor_.take();
    while (!cursor_.is(end)) {
      parsed.elements.push_back(operand());
      if (!cursor_.accept(",")) break;
    }
    cursor_.expect(end);
    return parsed;
  }

  Operand address() {
    cursor_.take();
    Operand parsed = operand();
    if (parsed.kind == Operand::Kind::integer)
      parsed.offset = static_cast<std::int64_t>(parsed.bits);
    parsed.kind = Operand::Kind::address;
    if (cursor_.is(",")) cursor_.fail("texture and tensor addresses are not implemented");
    cursor_.expect("]");
    return parsed;
  }

  Operand constant(bool negative) {
    Operand parsed;
    const Token& token = cursor_.take();
    parsed.bits = token.bits;
    if (token.kind == Token::Kind::integer) {
      parsed.kind = Operand::Kind::integer;
      if (negative) parsed.bits = 0 - parsed.bits;
      return parsed;
    }
    parsed.kind = token.kind == Token::Kind::f32 ? Operand::Kind::f32 : Operand::Kind::f64;
    if (negative)
      parsed.bits ^= parsed.kind == Operand::Kind::f32 ? 0x80000000u : 0x8000000000000000u;
    return parsed;
  }

  Operand operand() {
    if (cursor_.is("{")) return group(Operand::Kind::vector, "}");
    if (cursor_.is("(")) return group(Operand::Kind::list, ")");
    if (cursor_.is("[")) return address();
    const bool negated = cursor_.accept("!");
    const bool negative = cursor_.accept("-");
    switch (cursor_.peek().kind) {
      case Token::Kind::integer:
      case Token::Kind::f32:
      case Token::Kind::f64:
        return constant(negative);
      case Token::Kind::word:
        break;
      default:
        cursor_.fail("expected an operand");
    }
    Operand parsed = named();
    parsed.negated = negated;
    if (cursor_.accept("|")) parsed.second = cursor_.accept("_") ? -1 : predicate();
    if (cursor_.accept("+"))
      parsed.offset = static_cast<std::int64_t>(cursor_.integer());
    else if (cursor_.accept("-"))
      parsed.offset = -static_cast<std::int64_t>(cursor_.integer());
    return parsed;
  }

  Operand named() {
    Operand parsed;
    const std::string_view name = cursor_.word();
    if (name == "_") return parsed;
    parsed.reg = find_register(name);
    if (parsed.reg >= 0) {
      parsed.kind = Operand::Kind::reg;
    } else if (name.front() == '%') {
      parsed.kind = Operand::Kind::special;
      parsed.name = std::string(name);
    } else if (name == "WARP_SZ") {
      parsed.kind = Operand::Kind::integer;
      parsed.bits = 32;
    } else {
      parsed.kind = Operand::Kind::name;
      parsed.name = find_variable(name);
    }
    return parsed;
  }

  Cursor& cursor_;
  Function& function_;
  std::vector<Scope> scopes_;
  int unique_names_ = 0;
};

}  // namespace

void parse_body(Cursor& cursor, Function& function) { BodyParser(cursor, function).run(); }

}  // namespace ptxemu
