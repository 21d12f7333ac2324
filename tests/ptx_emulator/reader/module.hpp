#pragma once
// A parsed PTX module: variables, functions and their instructions, with registers resolved to
// numbers, and variables, functions and labels as names.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reader/types.hpp"

namespace ptxemu {

/// One operand of an instruction.
struct Operand {
  enum class Kind : std::uint8_t {
    reg,      ///< a register of the function: `reg` is its number
    special,  ///< a special register: `name`, such as "%tid.x"
    integer,  ///< an integer constant: `bits`
    f32,      ///< a constant of 32 bits: `bits`
    f64,      ///< a constant of 64 bits: `bits`
    name,     ///< a variable, function or label: `name` plus `offset`
    address,  ///< in brackets: `reg` or `name` or neither, plus `offset`
    vector,   ///< in braces: `elements`
    list,     ///< in parentheses, of a call: `elements`
    sink      ///< "_", an unused result
  };
  Kind kind = Kind::sink;
  int reg = -1;
  bool negated = false;  ///< "!p"
  int second = -1;       ///< of "p|q": the number of q
  std::uint64_t bits = 0;
  std::int64_t offset = 0;
  std::string name;
  std::vector<Operand> elements;
};

/// One instruction: the opcode, its suffixes without dots, the guard predicate and the operands.
struct Instruction {
  std::string opcode;
  std::vector<std::string> suffixes;
  int guard = -1;  ///< register number of the guard predicate; -1: none
  bool guard_negated = false;
  std::vector<Operand> operands;
  int line = 0;
};

/// Calls f(register) for all registers of an operand.
template <class F>
void each_register(const Operand& operand, const F& f) {
  if (operand.reg >= 0) f(operand.reg);
  if (operand.second >= 0) f(operand.second);
  for (const Operand& element : operand.elements) each_register(element, f);
}
inline bool has_suffix(const Instruction& instruction, std::string_view suffix) {
  return std::find(instruction.suffixes.begin(), instruction.suffixes.end(), suffix) !=
         instruction.suffixes.end();
}

/// A value of an initialiser: constant bytes, or the address of a variable or function.
struct Initialiser {
  std::uint64_t bits = 0;
  std::string name;      ///< empty: `bits` is the value
  bool generic = false;  ///< the generic address of `name`, not that in its state space
};

/// A variable outside registers. `size` counts bytes and is 0 for arrays without a length, which is
/// dynamic shared memory.
struct Variable {
  std::string name;
  Space space = Space::global;
  Type type = Type::none;
  std::uint64_t size = 0, align = 1;
  bool external = false;
  std::vector<Initialiser> values;  ///< one per element from the start; the rest is zero
};

struct Register {
  std::string name;
  Type type = Type::none;
};

/// A kernel or device function. For a declaration without body `defined` is false.
struct Function {
  std::string name;
  bool entry = false;  ///< whether it is a kernel
  bool defined = false;
  std::vector<Variable> parameters, results;
  std::vector<Register> registers;
  std::vector<Variable> variables;  ///< .local, .shared and .param variables of the body
  std::vector<Instruction> body;
  std::unordered_map<std::string, int> labels;  ///< to the index of the instruction that follows
  /// labels in each list of .branchtargets, by the label of the list
  std::unordered_map<std::string, std::vector<std::string>> branch_targets;
  int max_threads = 0;                  ///< product of .maxntid or .reqntid, or 0
  int required_threads[3] = {0, 0, 0};  ///< .reqntid, or zeros
  bool cluster = false;                 ///< .explicitcluster or .reqnctapercluster
};

struct Module {
  std::string version, target;
  std::vector<Variable> variables;
  std::vector<Function> functions;
};

/// Parses the text of a module. Throws PtxError with the line and what was expected there.
Module parse(std::string_view text);

/// The instruction as PTX text, for messages.
std::string to_string(const Instruction& instruction, const Function& function);

}  // namespace ptxemu
