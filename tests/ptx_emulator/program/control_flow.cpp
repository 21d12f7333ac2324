#include "program/control_flow.hpp"

#include <algorithm>

#include "reader/error.hpp"

namespace ptxemu {
namespace {

bool is_branch(const Instruction& in) { return in.opcode == "bra" || in.opcode == "brx"; }
bool ends_thread(const Instruction& in) {
  return in.opcode == "ret" || in.opcode == "exit" || in.opcode == "trap";
}

std::uint32_t find_label(const Function& function, const Instruction& in,
                         const std::string& label) {
  const auto found = function.labels.find(label);
  if (found == function.labels.end())
    throw PtxError("PTX line " + std::to_string(in.line) + ", " + function.name + ": no label " +
                   label);
  return static_cast<std::uint32_t>(found->second);
}

void find_blocks(const Function& function, ControlFlow& flow) {
  const std::size_t count = function.body.size();
  std::vector<bool> leader(count + 1, false);
  leader[0] = true;
  for (std::size_t n = 0; n < count; ++n) {
    const Instruction& in = function.body[n];
    for (const std::uint32_t target : branch_targets(function, in)) leader[target] = true;
    if (is_branch(in) || ends_thread(in) || (in.guard >= 0 && guarded_by_branch(in)))
      leader[n + 1] = true;
  }
  flow.block_of.resize(count);
  for (std::size_t n = 0; n < count; ++n) {
    if (leader[n]) flow.blocks.push_back({static_cast<std::uint32_t>(n), 0, {}, -1});
    flow.block_of[n] = static_cast<int>(flow.blocks.size()) - 1;
    flow.blocks.back().end = static_cast<std::uint32_t>(n + 1);
  }
}

void connect(const Function& function, ControlFlow& flow) {
  const std::size_t count = function.body.size();
  const auto block_at = [&](std::size_t n) { return n < count ? flow.block_of[n] : -1; };
  for (BasicBlock& block : flow.blocks) {
    const Instruction& last = function.body[block.end - 1];
    for (const std::uint32_t target : branch_targets(function, last))
      block.successors.push_back(block_at(target));
    if (ends_thread(last)) block.successors.push_back(-1);
    if (last.guard >= 0 || !(is_branch(last) || ends_thread(last)))
      block.successors.push_back(block_at(block.end));
  }
}

/// Block numbers in post-order of a depth-first search of the reversed graph from the node `exit`,
/// which is the end of the function and has the last number.
std::vector<int> post_order_of_reversed_graph(const std::vector<std::vector<int>>& predecessors,
                                              int exit) {
  std::vector<int> order;
  std::vector<std::size_t> next(predecessors.size(), 0);
  std::vector<bool> seen(predecessors.size(), false);
  std::vector<int> stack{exit};
  seen[static_cast<unsigned>(exit)] = true;
  while (!stack.empty()) {
    const auto node = static_cast<unsigned>(stack.back());
    if (next[node] == predecessors[node].size()) {
      order.push_back(stack.back());
      stack.pop_back();
      continue;
    }
    const int to = predecessors[node][next[node]++];
    if (seen[static_cast<unsigned>(to)]) continue;
    seen[static_cast<unsigned>(to)] = true;
    stack.push_back(to);
  }
  return order;
}

void find_post_dominators(ControlFlow& flow) {
  const int exit = static_cast<int>(flow.blocks.size());
  std::vector<std::vector<int>> predecessors(flow.blocks.size() + 1);
  for (int n = 0; n < exit; ++n)
    for (const int successor : flow.blocks[static_cast<unsigned>(n)].successors)
      predecessors[static_cast<unsigned>(successor < 0 ? exit : successor)].push_back(n);
  const std::vector<int> order = post_order_of_reversed_graph(predecessors, exit);
  std::vector<int> number(flow.blocks.size() + 1, -1), dominator(flow.blocks.size() + 1, -1);
  for (std::size_t n = 0; n < order.size(); ++n)
    number[static_cast<unsigned>(order[n])] = static_cast<int>(n);
  dominator[static_cast<unsigned>(exit)] = exit;
  const auto common_dominator = [&](int a, int b) {
    while (a != b) {
      while (number[static_cast<unsigned>(a)] < number[static_cast<unsigned>(b)])
        a = dominator[static_cast<unsigned>(a)];
      while (number[static_cast<unsigned>(b)] < number[static_cast<unsigned>(a)])
        b = dominator[static_cast<unsigned>(b)];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto node = order.rbegin() + 1; node != order.rend(); ++node) {
      int best = -1;
      for (const int successor : flow.blocks[static_cast<unsigned>(*node)].successors) {
        const int to = successor < 0 ? exit : successor;
        if (dominator[static_cast<unsigned>(to)] < 0) continue;
        best = best < 0 ? to : common_dominator(best, to);
      }
      if (best == dominator[static_cast<unsigned>(*node)]) continue;
      dominator[static_cast<unsigned>(*node)] = best;
      changed = true;
    }
  }
  for (int n = 0; n < exit; ++n) {
    const int found = dominator[static_cast<unsigned>(n)];
    flow.blocks[static_cast<unsigned>(n)].post_dominator = found == exit ? -1 : found;
  }
}

}  // namespace

bool guarded_by_branch(const Instruction& in) {
  return in.opcode == "call" || in.opcode == "ret" || in.opcode == "bar" ||
         in.opcode == "barrier" || in.opcode == "brx";
}

std::vector<std::uint32_t> branch_targets(const Function& function, const Instruction& in) {
  std::vector<std::uint32_t> targets;
  if (in.opcode == "bra") {
    if (in.operands.empty())
      throw PtxError("PTX line " + std::to_string(in.line) + ": bra without a target");
    targets.push_back(find_label(function, in, in.operands[0].name));
  } else if (in.opcode == "brx" && in.operands.size() == 2) {
    const auto list = function.branch_targets.find(in.operands[1].name);
    if (list != function.branch_targets.end())
      for (const std::string& label : list->second)
        targets.push_back(find_label(function, in, label));
  }
  return targets;
}

ControlFlow analyse(const Function& function) {
  ControlFlow flow;
  if (function.body.empty()) return flow;
  find_blocks(function, flow);
  connect(function, flow);
  find_post_dominators(flow);
  return flow;
}

}  // namespace ptxemu
