// Module directives and function headers.

#include "reader/cursor.hpp"
#include "reader/module.hpp"
#include "reader/parse_function.hpp"
#include "reader/parse_variable.hpp"

namespace ptxemu {
namespace {

class ModuleParser {
 public:
  explicit ModuleParser(Cursor& cursor) : cursor_(cursor) {}

  Module run() {
    while (!cursor_.at_end()) directive();
    if (module_.version.empty()) cursor_.fail("the module has no .version");
    return std::move(module_);
  }

 private:
  void directive() {
    const std::string_view name = cursor_.word();
    if (name == ".version") {
      module_.version = std::string(cursor_.take().text);
    } else if (name == ".target") {
      module_.target = std::string(cursor_.word());
      while (cursor_.accept(",")) cursor_.word();
    } else if (name == ".address_size") {
      if (cursor_.integer() != 64) cursor_.fail("only addresses of 64 bits are implemented");
    } else if (name == ".file") {
      file();
    } else if (name == ".section") {
      cursor_.word();
      cursor_.skip_past("}");
    } else if (name == ".pragma" || name == ".alias") {
      cursor_.skip_past(";");
    } else {
      declaration(name);
    }
  }

  /// `.file number "name"[, time, size]`
  void file() {
    cursor_.integer();
    if (cursor_.take().kind != Token::Kind::string) cursor_.fail("expected the name of a file");
    while (cursor_.accept(",")) cursor_.integer();
  }

  /// A variable or function with its linkage.
  void declaration(std::string_view name) {
    bool external = false;
    while (name == ".visible" || name == ".extern" || name == ".weak" || name == ".common") {
      external = external || name == ".extern";
      name = cursor_.word();
    }
    if (name == ".entry" || name == ".func") return function(name == ".entry");
    const Space space = variable_space(name);
    if (space == Space::reg) cursor_.fail("unknown directive " + std::string(name));
    for (Variable& variable : parse_variables(cursor_, space, true)) {
      variable.external = external;
      module_.variables.push_back(std::move(variable));
    }
    cursor_.expect(";");
  }

  std::vector<Variable> parameters() {
    std::vector<Variable> list;
    cursor_.expect("(");
    while (!cursor_.is(")")) {
      if (!cursor_.accept(".param")) cursor_.fail("only parameters in .param are implemented");
      list.push_back(parse_variables(cursor_, Space::param, false).front());
      if (!cursor_.accept(",")) break;
    }
    cursor_.expect(")");
    return list;
  }

  void function(bool entry) {
    Function parsed;
    parsed.entry = entry;
    if (cursor_.is("(")) parsed.results = parameters();
    parsed.name = std::string(cursor_.word());
    if (cursor_.is("(")) parsed.parameters = parameters();
    while (!cursor_.is("{") && !cursor_.is(";")) performance_directive(parsed);
    parsed.defined = cursor_.is("{");
    if (parsed.defined)
      parse_body(cursor_, parsed);
    else
      cursor_.expect(";");
    add(std::move(parsed));
  }

  void performance_directive(Function& parsed) {
    const std::string_view name = cursor_.word();
    if (name == ".maxntid" || name == ".reqntid") {
      int total = 1;
      for (int n = 0; n == 0 || (n < 3 && cursor_.accept(",")); ++n) {
        const int extent = static_cast<int>(cursor_.integer());
        total *= extent;
        if (name == ".reqntid") parsed.required_threads[n] = extent;
      }
      for (int& extent : parsed.required_threads)
        if (name == ".reqntid" && extent == 0) extent = 1;
      parsed.max_threads = total;
    } else if (name == ".minnctapersm" || name == ".maxnreg" || name == ".maxclusterrank") {
      cursor_.integer();
    } else if (name == ".explicitcluster" || name == ".reqnctapercluster") {
      parsed.cluster = true;
      while (cursor_.peek().kind == Token::Kind::integer || cursor_.is(",")) cursor_.take();
    } else if (name == ".pragma") {
      cursor_.skip_past(";");
    } else if (name != ".noreturn") {
      cursor_.fail("unknown directive " + std::string(name) + " of a function");
    }
  }

  /// A definition replaces its declaration.
  void add(Function parsed) {
    for (Function& existing : module_.functions)
      if (existing.name == parsed.name) {
        if (existing.defined && parsed.defined) cursor_.fail(parsed.name + " is defined twice");
        if (parsed.defined) existing = std::move(parsed);
        return;
      }
    module_.functions.push_back(std::move(parsed));
  }

  Cursor& cursor_;
  Module module_;
};

void print(std::string& text, const Operand& operand, const Function& function);

void print_list(std::string& text, const Operand& operand, const Function& function, char open,
                char close) {
  text += open;
  for (std::size_t n = 0; n < operand.elements.size(); ++n) {
    if (n != 0) text += ", ";
    print(text, operand.elements[n], function);
  }
  text += close;
}

void print(std::string& text, const Operand& operand, const Function& function) {
  const auto base = [&] {
    return operand.reg >= 0 ? function.registers[static_cast<unsigned>(operand.reg)].name
                            : operand.name;
  };
  switch (operand.kind) {
    case Operand::Kind::vector:
      return print_list(text, operand, function, '{', '}');
    case Operand::Kind::list:
      return print_list(text, operand, function, '(', ')');
    case Operand::Kind::sink:
      text += '_';
      return;
    case Operand::Kind::integer:
      text += std::to_string(static_cast<std::int64_t>(operand.bits));
      return;
    case Operand::Kind::f32:
    case Operand::Kind::f64:
      text += "bits " + std::to_string(operand.bits);
      return;
    case Operand::Kind::address:
      text += '[' + base() + (operand.offset < 0 ? "" : "+") + std::to_string(operand.offset) + ']';
      return;
    default:
      text += (operand.negated ? "!" : "") + base();
      if (operand.second >= 0)
        text += '|' + function.registers[static_cast<unsigned>(operand.second)].name;
  }
}

}  // namespace

Module parse(std::string_view text) {
  const std::vector<Token> tokens = tokenize(text);
  Cursor cursor(tokens);
  return ModuleParser(cursor).run();
}

std::string to_string(const Instruction& instruction, const Function& function) {
  std::string text;
  if (instruction.guard >= 0)
    text += (instruction.guard_negated ? "@!" : "@") +
            function.registers[static_cast<unsigned>(instruction.guard)].name + ' ';
  text += instruction.opcode;
  for (const std::string& suffix : instruction.suffixes) text += '.' + suffix;
  for (std::size_t n = 0; n < instruction.operands.size(); ++n) {
    text += n == 0 ? " " : ", ";
    print(text, instruction.operands[n], function);
  }
  return text;
}

}  // namespace ptxemu
