// Translation of functions: instructions, reconvergence points, and branch targets.

#include <set>

#include "checks/register_check.hpp"
#include "exec/instructions/control.hpp"
#include "program/control_flow.hpp"
#include "program/lowering.hpp"

namespace ptxemu {

/// Translates the instructions of one function.
class FunctionLowering {
 public:
  FunctionLowering(const Function& function, const Symbols& symbols, Code& code,
                   bool checks_registers)
      : function_(function),
        code_(code),
        lowering_(code, symbols),
        checks_registers_(checks_registers) {}

  void run() {
    code_.function = &function_;
    flow_ = analyse(function_);
    lowering_.prepare(flow_);
    if (checks_registers_) find_tracked_registers(code_);
    find_reconvergence_points();
    pc_of_.assign(function_.body.size() + 1, no_pc);
    for (std::uint32_t n = 0; n < function_.body.size(); ++n) emit(n);
    // A function without ret at its end returns there.
    pc_of_[function_.body.size()] = static_cast<std::uint32_t>(code_.ops.size());
    if (function_.body.empty() || function_.body.back().opcode != "ret") {
      Op op;
      op.run = run_return;
      op.unit = static_cast<std::uint8_t>(Unit::control);
      op.source =
          static_cast<std::uint32_t>(function_.body.empty() ? 0 : function_.body.size() - 1);
      code_.ops.push_back(op);
    }
    resolve();
  }

 private:
  const BasicBlock& block_of(std::uint32_t instruction) const {
    return flow_.blocks[static_cast<unsigned>(flow_.block_of[instruction])];
  }

  /// Blocks that are reconvergence points of a branch.
  void find_reconvergence_points() {
    for (const BasicBlock& block : flow_.blocks) {
      const Instruction& last = function_.body[block.end - 1];
      if ((last.guard >= 0 || last.opcode == "brx") && block.post_dominator >= 0)
        reconvergence_points_.insert(
            flow_.blocks[static_cast<unsigned>(block.post_dominator)].first);
    }
  }

  std::uint32_t reconvergence_point_of(std::uint32_t instruction) const {
    const BasicBlock& block = block_of(instruction);
    if (block.end != instruction + 1 || block.post_dominator < 0) return no_pc;
    return flow_.blocks[static_cast<unsigned>(block.post_dominator)].first;
  }

  void emit(std::uint32_t n) {
    pc_of_[n] = static_cast<std::uint32_t>(code_.ops.size());
    if (reconvergence_points_.count(n) != 0) {
      Op op;
      op.run = run_reconvergence;
      op.unit = static_cast<std::uint8_t>(Unit::warp);
      op.source = n;
      code_.ops.push_back(op);
    }
    const Instruction& in = function_.body[n];
    lowering_.begin(n);
    select_handler(lowering_);
    lowering_.end();
    Op op = lowering_.op;
    if (checks_registers_)
      if (Op check = register_check(lowering_); check.run != nullptr) {
        check.source = n;
        code_.ops.push_back(check);
      }
    op.reconverge = reconvergence_point_of(n);
    if (op.guarded && guarded_by_branch(in)) {
      Op skip;  // branches around the instruction where the guard is false
      skip.run = run_branch;
      skip.unit = static_cast<std::uint8_t>(Unit::control);
      skip.source = n;
      skip.guarded = true;
      skip.guard = op.guard;
      skip.guard_negated = !op.guard_negated;
      skip.target = n + 1;
      skip.reconverge = op.reconverge;
      code_.ops.push_back(skip);
      op.guarded = false;
    }
    code_.ops.push_back(op);
  }

  /// Replaces instruction numbers by program counters.
  void resolve() {
    for (Op& op : code_.ops) {
      if (op.target != no_pc && op.run != run_call) op.target = pc_of_[op.target];
      if (op.reconverge != no_pc) op.reconverge = pc_of_[op.reconverge];
    }
    for (std::uint32_t& target : code_.targets) target = pc_of_[target];
  }

  const Function& function_;
  Code& code_;
  Lowering lowering_;
  bool checks_registers_;
  ControlFlow flow_;
  std::set<std::uint32_t> reconvergence_points_;
  std::vector<std::uint32_t> pc_of_;
};

void lower(const Function& function, const Symbols& symbols, Code& code, bool checks_registers) {
  FunctionLowering(function, symbols, code, checks_registers).run();
}

}  // namespace ptxemu
