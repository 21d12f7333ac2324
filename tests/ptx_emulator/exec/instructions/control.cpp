#include "exec/instructions/control.hpp"

#include <algorithm>

#include "exec/block.hpp"
#include "exec/lanes.hpp"
#include "program/control_flow.hpp"
#include "program/families.hpp"

namespace ptxemu {

void run_branch(Warp& warp, const Op& op) { warp.branch(op.target, op.reconverge); }
void run_reconvergence(Warp& warp, const Op&) { warp.arrive(); }
void run_return(Warp& warp, const Op&) { warp.return_lanes(); }
void run_call(Warp& warp, const Op& op) {
  const CallSite& site = warp.frame().code->calls[op.extra];
  const Code* callee = site.callee;
  if (callee == nullptr) {  // indirect call: the lanes with the same target as the first one
                            // continue together
    const std::uint64_t* const to = warp.at<std::uint64_t>(op.a);
    const auto& functions = *warp.block().launch().functions;
    warp.lane = std::countr_zero(warp.mask);
    const std::uint64_t first = to[warp.lane];
    const std::uint64_t number = (first - code_window) / 16;
    if (first < code_window || number >= functions.size() || first % 16 != 0)
      throw Fault(Fault::Kind::illegal_instruction,
                  "a call of an address that is not the address of a function");
    std::uint32_t same_target = 0;
    each_lane(warp, [&](int n) { same_target |= to[n] == first ? 1u << n : 0u; });
    if (same_target != warp.mask)
      warp.split(warp.mask & ~same_target, warp.group().pc - 1, warp.group().pc);
    callee = functions[number].get();
  }
  warp.call(*callee, site);
}

namespace {

void run_exit(Warp& warp, const Op&) { warp.exit_lanes(); }
void run_nothing(Warp&, const Op&) {}
void run_yield(Warp& warp, const Op&) { warp.yield(); }

void run_trap(Warp& warp, const Op&) {
  warp.lane = std::countr_zero(warp.mask);
  throw Fault(Fault::Kind::trap, "the kernel executed trap");
}

void run_branch_indexed(Warp& warp, const Op& op) {
  const std::uint32_t* const index = warp.at<std::uint32_t>(op.a);
  const std::vector<std::uint32_t>& targets = warp.frame().code->targets;
  const std::uint32_t first = op.extra, count = static_cast<std::uint32_t>(op.immediate);
  std::uint32_t remaining = warp.mask;
  while (remaining != 0) {
    const int n = std::countr_zero(remaining);
    if (index[n] >= count) {
      warp.lane = n;
      throw Fault(Fault::Kind::illegal_instruction, "the index is outside of the list of targets");
    }
    std::uint32_t same_target = 0;
    for (int k = n; k < warp_size; ++k)
      if (((remaining >> k) & 1u) != 0 && index[k] == index[n]) same_target |= 1u << k;
    remaining &= ~same_target;
    if (remaining == 0) return warp.jump(targets[first + index[n]]);
    warp.split(same_target, targets[first + index[n]], op.reconverge);
  }
}

/// bar.sync, bar.arrive and bar.red: a is the number of the barrier, b the number of threads if
/// Op::option is set. `reduction` is 0 for bar.sync and bar.arrive, otherwise as for
/// run_barrier_result().
template <bool waits, int reduction>
void run_barrier(Warp& warp, const Op& op) {
  warp.lane = std::countr_zero(warp.mask);
  const int number = static_cast<int>(warp.at<std::uint32_t>(op.a)[warp.lane]);
  if (number < 0 || number > 15)
    throw Fault(Fault::Kind::illegal_instruction,
                "the number of the barrier is not between 0 and 15");
  Block::Barrier& barrier = warp.block().barrier(number);
  const int before = barrier.expected;
  barrier.expected = op.option != 0 ? static_cast<int>(warp.at<std::uint32_t>(op.b)[warp.lane]) : 0;
  if (barrier.arrived != 0 && before != barrier.expected)
    throw Fault(Fault::Kind::illegal_instruction,
                "threads of one barrier give different numbers of threads");
  barrier.arrived += std::popcount(warp.mask);
  if constexpr (reduction != 0) {
    const std::uint32_t p = warp.predicate(op.c) ^ (op.immediate != 0 ? all_lanes : 0u);
    barrier.reduction += std::popcount(p & warp.mask);
  }
  if constexpr (waits) warp.block_barrier(number);
  const int needed = barrier.expected != 0 ? barrier.expected : warp.block().live_threads();
  if (barrier.arrived >= needed) warp.block().complete_barrier(number);
}

/// The result of bar.red after its barrier. reduction: 1 popc, 2 and, 3 or.
template <int reduction>
void run_barrier_result(Warp& warp, const Op& op) {
  const int number = static_cast<int>(warp.at<std::uint32_t>(op.a)[std::countr_zero(warp.mask)]);
  const int true_count = warp.block().barrier(number).last_reduction;
  if constexpr (reduction == 1) {
    std::uint32_t* const d = warp.at<std::uint32_t>(op.d);
    each_lane(warp, [&](int n) { d[n] = static_cast<std::uint32_t>(true_count); });
  } else {
    const int threads =
        op.option != 0 ? static_cast<int>(warp.at<std::uint32_t>(op.b)[std::countr_zero(warp.mask)])
                       : static_cast<int>(warp.block().launch().block.count());
    const bool value = reduction == 2 ? true_count == threads : true_count != 0;
    store_predicate(warp.predicate(op.d), value ? all_lanes : 0u, warp.mask);
  }
}

/// bar.red is executed twice: first it waits at the barrier, then it reads the result.
template <int reduction>
void run_barrier_reduce(Warp& warp, const Op& op) {
  Group& group = warp.group();
  if (group.result_pending) {
    group.result_pending = false;
    return run_barrier_result<reduction>(warp, op);
  }
  --group.pc;
  group.result_pending = true;
  run_barrier<true, reduction>(warp, op);
}

void select_barrier(Lowering& in) {
  in.op.unit = static_cast<std::uint8_t>(Unit::warp);
  in.take("cta");
  in.take("aligned");
  if (in.take("warp")) {
    if (!in.take("sync")) in.unsupported();
    in.op.a = in.source(0, 4);
    in.op.run = [](Warp& warp, const Op& op) {
      warp.lane = std::countr_zero(warp.mask);
      warp.warp_barrier(warp.at<std::uint32_t>(op.a)[warp.lane]);
    };
    return;
  }
  const bool reduce = in.take("red");
  const std::size_t first = reduce ? 1 : 0, predicates = reduce ? 1 : 0;
  in.op.a = in.source(first, 4);
  if (in.operand_count() > first + 1 + predicates) {
    in.op.option = 1;
    in.op.b = in.source(first + 1, 4);
  }
  if (!reduce) {
    if (in.take("sync"))
      in.op.run = run_barrier<true, 0>;
    else if (in.take("arrive"))
      in.op.run = run_barrier<false, 0>;
    return;
  }
  bool negated = false;
  in.op.c = in.predicate(in.operand(in.operand_count() - 1), negated);
  in.op.immediate = negated ? 1 : 0;
  if (in.take("popc")) {
    in.parse_type();
    in.op.d = in.result(0, 4);
    in.op.run = run_barrier_reduce<1>;
    return;
  }
  in.op.d = in.predicate(in.operand(0), negated);
  const bool all = in.take("and");
  if (!all && !in.take("or")) in.unsupported();
  in.parse_type();
  in.op.run = all ? run_barrier_reduce<2> : run_barrier_reduce<3>;
}

void select_call(Lowering& in) {
  in.take("uni");
  CallSite site;
  std::size_t n = 0;
  const auto variables = [&](const Operand& list, std::vector<std::uint32_t>& offsets) {
    for (const Operand& each : list.elements) {
      const std::int64_t offset = in.local_offset(each.name);
      if (offset < 0) in.unsupported("arguments must be variables in .param");
      offsets.push_back(static_cast<std::uint32_t>(offset));
    }
  };
  if (in.operand(0).kind == Operand::Kind::list) variables(in.operand(n++), site.results);
  const Operand& callee = in.operand(n++);
  if (n < in.operand_count() && in.operand(n).kind == Operand::Kind::list)
    variables(in.operand(n), site.arguments);
  if (callee.kind == Operand::Kind::reg) {
    in.op.a = in.source(callee, 8);
  } else {
    const auto found = in.symbols().find(callee.name);
    if (found == in.symbols().end() || found->second.function < 0)
      in.unsupported("the function " + callee.name + " is not defined");
    in.op.target = static_cast<std::uint32_t>(found->second.function);
  }
  in.op.extra = static_cast<std::uint32_t>(in.code().calls.size());
  in.code().calls.push_back(std::move(site));
  in.op.run = run_call;
}

void select_branch(Lowering& in) {
  in.take("uni");
  const auto targets = branch_targets(*in.code().function, in.instruction());
  if (in.instruction().opcode == "bra") {
    in.op.target = targets.front();
    in.op.run = run_branch;
    return;
  }
  if (!in.take("idx") || targets.empty()) in.unsupported();
  in.op.a = in.source(0, 4);
  in.op.extra = static_cast<std::uint32_t>(in.code().targets.size());
  in.op.immediate = static_cast<std::int64_t>(targets.size());
  in.code().targets.insert(in.code().targets.end(), targets.begin(), targets.end());
  in.op.run = run_branch_indexed;
}

/// Memory is sequentially consistent here: one instruction of one warp is executed at a time.
void select_fence(Lowering& in) {
  for (const char* suffix :
       {"cta", "gl", "sys", "gpu", "cluster", "acq_rel", "sc", "acquire", "release", "proxy",
        "alias", "async", "async::global", "async::shared::cta", "sync_restrict::shared::cta",
        "sync_restrict::shared::cluster", "mbarrier_init"})
    in.take(suffix);
  in.op.run = run_nothing;
}

}  // namespace

void select_control(Lowering& in) {
  const std::string& opcode = in.instruction().opcode;
  in.op.unit = static_cast<std::uint8_t>(Unit::control);
  if (opcode == "bra" || opcode == "brx") return select_branch(in);
  if (opcode == "call") return select_call(in);
  if (opcode == "bar" || opcode == "barrier") return select_barrier(in);
  if (opcode == "membar" || opcode == "fence") return select_fence(in);
  if (opcode == "ret") {
    in.take("uni");
    in.op.run = run_return;
  } else if (opcode == "exit") {
    in.op.run = run_exit;
  } else if (opcode == "trap" || opcode == "brkpt") {
    in.op.run = run_trap;
  } else if (opcode == "nanosleep") {
    in.take("u32");
    in.op.run = run_yield;
  } else if (opcode == "griddepcontrol") {  // a kernel starts after those before it have ended
    if (!in.take("wait")) in.take("launch_dependents");
    in.op.run = run_nothing;
  } else if (opcode == "pmevent" || opcode == "setmaxnreg") {
    in.unsupported();
  }
}

}  // namespace ptxemu
