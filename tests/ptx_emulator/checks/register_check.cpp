#include "checks/register_check.hpp"

#include <algorithm>
#include <bit>

#include "exec/warp.hpp"
#include "program/families.hpp"

namespace ptxemu {
namespace {

using Rule = RegisterCheck::Rule;

/// Whether the first operand is a result.
bool has_result(const Instruction& in) {
  const bool reduces = (in.opcode == "bar" || in.opcode == "barrier") && has_suffix(in, "red");
  return (overwrites_first_operand(in) || reduces) && !in.operands.empty();
}

/// Whether results take over the state of the operands. They are initialised otherwise: after
/// loads, which are checked themselves, and after exchanges between lanes.
bool computes(const Instruction& in) {
  static const char* const others[] = {"ld",    "ldu",   "atom",  "shfl",      "vote",
                                       "match", "redux", "elect", "activemask"};
  return overwrites_first_operand(in) &&
         std::none_of(std::begin(others), std::end(others),
                      [&](const char* name) { return in.opcode == name; });
}

/// Calls f(register) for the registers whose uninitialised value is a fault, besides the guard.
template <class F>
void each_used_register(const Instruction& in, const F& f) {
  if (computes(in)) return;
  const bool load = in.opcode == "ld" || in.opcode == "ldu", store = in.opcode == "st";
  for (std::size_t n = has_result(in) ? 1 : 0; n < in.operands.size(); ++n) {
    // The stored value is checked with the address (instrument.cpp); a shuffled one is not.
    if ((store && n == 1) || (in.opcode == "shfl" && n == 1)) continue;
    if (load && in.operands[n].kind != Operand::Kind::address) continue;
    each_register(in.operands[n], f);
  }
}

Rule rule_of(const Instruction& in) {
  if (in.opcode == "selp") return Rule::select;
  if (in.opcode == "and" && has_suffix(in, "pred")) return Rule::conjunction;
  if (in.opcode == "or" && has_suffix(in, "pred")) return Rule::disjunction;
  const bool packs =
      in.opcode == "mov" && in.operands.size() == 2 && in.operands[1].kind == Operand::Kind::vector;
  return packs || in.opcode == "prmt" || in.opcode == "bfi" ? Rule::all : Rule::any;
}

/// The lanes in which the result of an instruction is uninitialised.
std::uint32_t uninitialised_result(Warp& warp, const RegisterCheck& check) {
  const Frame& frame = warp.frame();
  const auto state = [&](std::size_t n) {
    const int tracked = check.sources[n];
    return tracked < 0 ? 0u : frame.uninitialised[static_cast<unsigned>(tracked)];
  };
  const auto value = [&](std::size_t n) {
    return warp.predicate(check.values[n]) ^ (check.negated[n] ? all_lanes : 0u);
  };
  switch (check.rule) {
    case Rule::select:
      return state(2) | (value(0) & state(0)) | (~value(0) & state(1));
    case Rule::conjunction:  // initialised where the other operand is known to be false
      return (state(0) & state(1)) | (state(0) & value(1)) | (state(1) & value(0));
    case Rule::disjunction:
      return (state(0) & state(1)) | (state(0) & ~value(1)) | (state(1) & ~value(0));
    default:
      break;
  }
  const bool all = check.rule == Rule::all;
  std::uint32_t lanes = all && !check.sources.empty() ? all_lanes : 0u;
  for (std::size_t n = 0; n < check.sources.size(); ++n)
    lanes = all ? lanes & state(n) : lanes | state(n);
  return lanes;
}

/// Executes a RegisterCheck. Op::a is the predicate that guards the instruction; the operation
/// itself has no guard.
void run_register_check(Warp& warp, const Op& op) {
  Frame& frame = warp.frame();
  if (frame.uninitialised.empty()) return;
  const RegisterCheck& check = frame.code->register_checks[op.extra];
  std::uint32_t lanes = warp.mask;
  if (check.guard >= 0) require_initialised(warp, check.guard, lanes);
  if (op.option != 0) lanes &= op.guard_negated ? ~warp.predicate(op.a) : warp.predicate(op.a);
  for (const int used : check.used) require_initialised(warp, used, lanes);
  if (check.results.empty()) return;
  const std::uint32_t uninitialised = uninitialised_result(warp, check);
  for (const int result : check.results) {
    if (result < 0) continue;
    std::uint32_t& state = frame.uninitialised[static_cast<unsigned>(result)];
    state = (state & ~lanes) | (uninitialised & lanes);
  }
}

}  // namespace

std::vector<bool> registers_of_copies(const Function& function) {
  std::vector<bool> copies(function.registers.size(), true);
  const auto other_use = [&](int reg) { copies[static_cast<unsigned>(reg)] = false; };
  for (const Instruction& in : function.body) {
    if (in.guard >= 0) other_use(in.guard);
    const bool load = in.opcode == "ld", store = in.opcode == "st";
    for (std::size_t n = 0; n < in.operands.size(); ++n)
      if (!(load && n == 0) && !(store && n == 1)) each_register(in.operands[n], other_use);
  }
  return copies;
}

void require_initialised(Warp& warp, int tracked, std::uint32_t lanes) {
  const Frame& frame = warp.frame();
  const std::uint32_t found = frame.uninitialised[static_cast<unsigned>(tracked)] & lanes;
  if (found == 0) return;
  warp.lane = std::countr_zero(found);
  const Code& code = *frame.code;
  const int reg = code.tracked[static_cast<unsigned>(tracked)];
  throw Fault(Fault::Kind::uninitialised_read,
              "the register " + code.function->registers[static_cast<unsigned>(reg)].name +
                  " has not been written, or was computed from a register that has not");
}

void find_tracked_registers(Code& code) {
  const Function& function = *code.function;
  code.tracked_number.assign(function.registers.size(), -1);
  const auto add = [&](int reg) {
    int& number = code.tracked_number[static_cast<unsigned>(reg)];
    if (number >= 0) return false;
    number = static_cast<int>(code.tracked.size());
    code.tracked.push_back(reg);
    return true;
  };
  for (const int reg : code.live_at_entry) add(reg);
  for (bool grown = !code.tracked.empty(); grown;) {
    grown = false;
    for (const Instruction& in : function.body) {
      if (!computes(in)) continue;
      bool reads = false;
      for (std::size_t n = 1; n < in.operands.size(); ++n)
        each_register(in.operands[n], [&](int reg) {
          reads = reads || code.tracked_number[static_cast<unsigned>(reg)] >= 0;
        });
      if (reads) each_register(in.operands[0], [&](int reg) { grown = add(reg) || grown; });
    }
  }
  code.unwritten = static_cast<std::uint32_t>(code.tracked.size());
  const std::vector<bool> copies = registers_of_copies(function);
  for (const Instruction& in : function.body)
    if (in.opcode == "ld" && !in.operands.empty())
      each_register(in.operands[0], [&](int reg) {
        if (copies[static_cast<unsigned>(reg)]) add(reg);
      });
}

Op register_check(Lowering& lowering) {
  const Instruction& in = lowering.instruction();
  Code& code = lowering.code();
  bool is_needed = false;
  const auto number = [&](int reg) {
    const int tracked = reg < 0 ? -1 : code.tracked_number[static_cast<unsigned>(reg)];
    // Copies are tracked by loads and stores themselves.
    if (tracked < 0 || tracked >= static_cast<int>(code.unwritten)) return -1;
    is_needed = true;
    return tracked;
  };
  RegisterCheck check;
  check.guard = number(in.guard);
  each_used_register(in, [&](int reg) {
    if (const int tracked = number(reg); tracked >= 0) check.used.push_back(tracked);
  });
  if (has_result(in))
    each_register(in.operands[0], [&](int reg) { check.results.push_back(number(reg)); });
  if (computes(in)) {
    check.rule = rule_of(in);
    for (std::size_t n = 1; n < in.operands.size(); ++n) {
      const Operand& operand = in.operands[n];
      if (operand.kind == Operand::Kind::vector)
        each_register(operand, [&](int reg) { check.sources.push_back(number(reg)); });
      else
        check.sources.push_back(number(operand.reg));
    }
    const auto add_value = [&](const Operand& operand) {
      bool negated = false;
      check.values.push_back(lowering.predicate(operand, negated));
      check.negated.push_back(negated);
    };
    if (check.rule == Rule::select) add_value(in.operands[3]);
    if (check.rule == Rule::conjunction || check.rule == Rule::disjunction)
      for (std::size_t n = 1; n < 3; ++n) add_value(in.operands[n]);
  }
  Op op;
  if (!is_needed) return op;
  op.run = run_register_check;
  op.unit = static_cast<std::uint8_t>(Unit::control);
  op.option = in.guard >= 0 ? 1 : 0;
  op.guard_negated = in.guard_negated;
  if (in.guard >= 0) op.a = lowering.predicate_register(in.guard);
  op.extra = static_cast<std::uint32_t>(code.register_checks.size());
  code.register_checks.push_back(std::move(check));
  return op;
}

}  // namespace ptxemu
