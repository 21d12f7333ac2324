#include "exec/warp.hpp"

#include <algorithm>
#include <bit>

#include "exec/block.hpp"

namespace ptxemu {

void Counts::add(const Counts& other) {
  warp_instructions += other.warp_instructions;
  lane_instructions += other.lane_instructions;
  divergent_branches += other.divergent_branches;
  for (int n = 0; n < static_cast<int>(Unit::count); ++n) units[n] += other.units[n];
}

Warp::Warp(Block& block, int index, std::uint32_t lanes)
    : block_(block), memory_(*block.launch().memory), index_(index), live_(lanes) {
  const Extent& extent = block.launch().block;
  for (std::uint32_t n = 0; n < warp_size; ++n) {
    const std::uint32_t number = static_cast<std::uint32_t>(index) * warp_size + n;
    thread[0][n] = number % extent.x;
    thread[1][n] = number / extent.x % extent.y;
    thread[2][n] = number / extent.x / extent.y;
  }
  Frame* const frame = new_frame(*block.launch().kernel);
  new_group(lanes, 0, frame, nullptr);
}

Frame* Warp::new_frame(const Code& code) {
  Frame* frame = nullptr;
  const std::size_t words = code.register_bytes / 8 + 8;
  for (auto spare = spare_frames_.begin(); spare != spare_frames_.end(); ++spare)
    if ((*spare)->capacity >= words) {
      frame = *spare;
      spare_frames_.erase(spare);
      break;
    }
  if (frame == nullptr) frame = &frames_.emplace_back();
  if (frame->capacity < words) {
    frame->storage = std::make_unique<std::uint64_t[]>(words);
    frame->capacity = words;
    const auto start = reinterpret_cast<std::uintptr_t>(frame->storage.get());
    frame->registers = reinterpret_cast<std::byte*>((start + 63) / 64 * 64);
  }
  frame->code = &code;
  frame->caller = group_ != nullptr ? group_->frame : nullptr;
  frame->local_base = 0;
  frame->call = nullptr;
  if (frame->caller != nullptr)
    frame->local_base = frame->caller->local_base + frame->caller->code->local_bytes;
  const std::uint32_t needed = frame->local_base + code.local_bytes;
  if (needed > local_stride_) {
    const std::uint32_t stride = std::max(needed, 2 * local_stride_);
    std::vector<std::byte> larger(std::size_t{stride} * warp_size);
    for (std::size_t n = 0; n < warp_size && local_stride_ != 0; ++n)
      std::memcpy(&larger[n * stride], &local_[n * local_stride_], local_stride_);
    local_ = std::move(larger);
    local_stride_ = stride;
  }
  return frame;
}

Group& Warp::new_group(std::uint32_t lanes, std::uint32_t pc, Frame* frame, Join* join) {
  Group* group = nullptr;
  if (spare_groups_.empty()) {
    group = &groups_.emplace_back();
  } else {
    group = spare_groups_.back();
    spare_groups_.pop_back();
  }
  *group = Group{};
  group->mask = lanes;
  group->pc = pc;
  group->frame = frame;
  group->join = join;
  active_.push_back(group);
  return *group;
}

Join* Warp::new_join(std::uint32_t pc, Frame* frame, Join* parent) {
  Join* join = nullptr;
  if (spare_joins_.empty()) {
    join = &joins_.emplace_back();
  } else {
    join = spare_joins_.back();
    spare_joins_.pop_back();
  }
  *join = Join{pc, frame, 0, 0, parent, nullptr};
  return join;
}

void Warp::release_join(Join* join) {
  if (join->callee != nullptr) spare_frames_.push_back(join->callee);
  spare_joins_.push_back(join);
}

void Warp::end_group(Group& group) {
  group.state = Group::State::ended;
  std::erase(active_, &group);
  spare_groups_.push_back(&group);
  if (&group == group_) {
    group_ = nullptr;
    stop_ = true;
  }
}

void Warp::split(std::uint32_t lanes, std::uint32_t target, std::uint32_t reconverge) {
  ++counts.divergent_branches;
  Group& from = *group_;
  Join* join = from.join;
  if (reconverge != no_pc &&
      (join == nullptr || join->pc != reconverge || join->frame != from.frame)) {
    join = new_join(reconverge, from.frame, from.join);
    join->pending = 1;
    from.join = join;
  }
  from.mask &= ~lanes;
  if (join != nullptr && target == join->pc && from.frame == join->frame) {
    join->arrived |= lanes;
    return;
  }
  if (join != nullptr) ++join->pending;
  new_group(lanes, target, from.frame, join);
}

void Warp::branch(std::uint32_t target, std::uint32_t reconverge) {
  Group& from = *group_;
  if (mask == from.mask) {
    from.pc = target;
    return;
  }
  // The group keeps the lanes that do not branch; those that branch form a group of their own,
  // unless their target is where the remaining lanes continue, too.
  if (target != from.pc) split(mask, target, reconverge);
}

/// If all groups of `join` have arrived or ended, the arrived lanes continue as one group.
void Warp::continue_after(Join* join) {
  while (join != nullptr && join->pending == 0) {
    Join* const parent = join->parent;
    if (join->arrived != 0) {
      new_group(join->arrived, join->pc, join->frame, parent);
      release_join(join);
      return;
    }
    release_join(join);
    if (parent != nullptr) --parent->pending;
    join = parent;
  }
}

void Warp::arrive() {
  Group& group = *group_;
  Join* join = group.join;
  const std::uint32_t here = group.pc - 1;
  if (join == nullptr || join->pc != here || join->frame != group.frame) return;
  join->arrived |= group.mask;
  if (--join->pending > 0) return end_group(group);
  group.mask = join->arrived;
  group.join = join->parent;
  release_join(join);
  --group.pc;  // the lanes may reconverge with others at the same instruction
}

void Warp::call(const Code& callee, const CallSite& site) {
  Group& group = *group_;
  Join* const join = new_join(group.pc, group.frame, group.join);
  join->pending = 1;
  Frame* const frame = new_frame(callee);
  join->callee = frame;
  frame->call = &site;
  for (std::size_t n = 0; n < site.arguments.size() && n < callee.parameters.size(); ++n)
    for (std::uint32_t lanes = group.mask; lanes != 0; lanes &= lanes - 1) {
      const auto at_lane = static_cast<std::size_t>(std::countr_zero(lanes));
      std::byte* const memory = &local_[at_lane * local_stride_];
      std::memcpy(memory + frame->local_base + callee.parameters[n].callee,
                  memory + group.frame->local_base + site.arguments[n], callee.parameters[n].size);
    }
  group.join = join;
  group.frame = frame;
  group.pc = 0;
  use(group);
}

void Warp::return_lanes() {
  Group& group = *group_;
  Frame* const frame = group.frame;
  if (frame->caller == nullptr) return exit_lanes();
  const Code& code = *frame->code;
  for (std::size_t n = 0; n < frame->call->results.size() && n < code.results.size(); ++n)
    for (std::uint32_t lanes = group.mask; lanes != 0; lanes &= lanes - 1) {
      const auto at_lane = static_cast<std::size_t>(std::countr_zero(lanes));
      std::byte* const memory = &local_[at_lane * local_stride_];
      std::memcpy(memory + frame->caller->local_base + frame->call->results[n],
                  memory + frame->local_base + code.results[n].callee, code.results[n].size);
    }
  Join* join = group.join;
  while (join->frame == frame) {  // the lanes returned before the reconvergence point
    Join* const parent = join->parent;
    if (--join->pending == 0 && join->arrived == 0) {
      release_join(join);
    } else {
      ++parent->pending;
      if (join->pending == 0) continue_after(join);
    }
    join = parent;
  }
  group.join = join;
  group.frame = join->frame;
  group.pc = join->pc;
  join->arrived |= group.mask;
  if (--join->pending > 0) return end_group(group);
  group.mask = join->arrived;
  group.join = join->parent;
  release_join(join);
  use(group);
}

void Warp::exit_lanes() {
  Group& group = *group_;
  live_ &= ~mask;
  group.mask &= ~mask;
  for (Group* other : active_)  // the lanes that groups wait for may all have arrived
    if (other->state == Group::State::warp_sync) other->state = Group::State::running;
  if (group.mask != 0) return;
  Join* const join = group.join;
  end_group(group);
  if (join != nullptr) {
    --join->pending;
    continue_after(join);
  }
}

bool Warp::wait_for_lanes(std::uint32_t needed) {
  Group& group = *group_;
  needed &= live_;
  if ((needed & ~group.mask) == 0) return true;
  std::uint32_t there = group.mask;
  const std::uint32_t pc = group.pc - 1;
  for (const Group* other : active_)
    if (other != &group && other->state == Group::State::warp_sync && other->pc == pc &&
        other->frame == group.frame)
      there |= other->mask;
  if ((needed & ~there) != 0) {
    group.state = Group::State::warp_sync;
    group.sync_mask = needed;
    group.pc = pc;
    stop_ = true;
    return false;
  }
  mask = there;
  for (Group* other : active_)
    if (other != &group && other->state == Group::State::warp_sync && other->pc == pc &&
        other->frame == group.frame) {
      other->state = Group::State::running;
      ++other->pc;
    }
  return true;
}

void Warp::warp_barrier(std::uint32_t needed) {
  Group& group = *group_;
  needed &= live_;
  std::uint32_t there = group.mask;
  const Handler handler = group.frame->code->ops[group.pc - 1].run;
  const auto waits_here = [&](const Group& other) {
    return &other != &group && other.state == Group::State::warp_sync &&
           other.sync_mask == needed && other.frame->code->ops[other.pc].run == handler;
  };
  for (const Group* other : active_)
    if (waits_here(*other)) there |= other->mask;
  if ((needed & ~there) != 0) {
    group.state = Group::State::warp_sync;
    group.sync_mask = needed;
    --group.pc;
    stop_ = true;
    return;
  }
  for (Group* other : active_)
    if (waits_here(*other)) {
      other->state = Group::State::running;
      ++other->pc;
    }
}

void Warp::block_barrier(int number) {
  group_->state = Group::State::block_barrier;
  group_->barrier = number;
  stop_ = true;
}

void Warp::release_barrier(int number) {
  const Group* first = nullptr;
  for (Group* group : active_) {
    if (group->state != Group::State::block_barrier || group->barrier != number) continue;
    group->state = Group::State::running;
    if (first == nullptr) first = group;
    if (group->pc != first->pc || group->frame->code != first->frame->code)
      throw Fault(Fault::Kind::divergent_barrier, "threads of one warp reached barrier " +
                                                      std::to_string(number) +
                                                      " at different instructions");
  }
}

bool Warp::waits() const {
  for (const Group* group : active_)
    if (group->state == Group::State::running) return false;
  return true;
}

Group* Warp::choose() {
  for (std::size_t n = 0; n < active_.size(); ++n) {
    Group* const group = active_[(turn_ + n) % active_.size()];
    if (group->state != Group::State::running) continue;
    turn_ = (turn_ + n) % active_.size();
    return group;
  }
  return nullptr;
}

void Warp::use(Group& group) {
  group_ = &group;
  base_[0] = group.frame->registers;
  base_[1] =
      reinterpret_cast<std::byte*>(const_cast<std::uint64_t*>(group.frame->code->constants.data()));
}

void Warp::run(int quantum) {
  turn_ended_ = false;
  while (quantum > 0 && !turn_ended_) {
    Group* const group = choose();
    if (group == nullptr) return;
    use(*group);
    // Several groups share the quantum in short turns.
    int turn = active_.size() > 1 ? std::min(quantum, 512) : quantum;
    quantum -= turn;
    execute(turn);
    quantum += turn;
    if (turn == 0 && group_ != nullptr) release_waiting(*group_);
    ++turn_;
  }
}

/// Lanes that wait at a reconvergence point continue alone if the others repeatedly use up their
/// turns, because these may wait for an action of the waiting lanes. The first time this takes many
/// turns, since there may simply be a long loop; later it takes fewer.
void Warp::release_waiting(const Group& group) {
  std::uint32_t waiting = 0;
  for (const Join* join = group.join; join != nullptr; join = join->parent)
    waiting |= join->arrived;
  if (waiting == 0 || ++expired_turns_ < patience_) return;
  expired_turns_ = 0;
  patience_ = std::max(1, patience_ / 2);
  for (Join* join = group.join; join != nullptr; join = join->parent) {
    if (join->arrived == 0) continue;
    new_group(join->arrived, join->pc, join->frame, join->parent);
    if (join->parent != nullptr) ++join->parent->pending;
    join->arrived = 0;
  }
}

void Warp::execute(int& quantum) {
  stop_ = false;
  while (quantum > 0 && !stop_) {
    --quantum;
    Group& group = *group_;
    const Op& op = group.frame->code->ops[group.pc++];
    mask = group.mask;
    if (op.guarded) mask &= op.guard_negated ? ~predicate(op.guard) : predicate(op.guard);
    ++counts.warp_instructions;
    const auto lanes = static_cast<unsigned>(std::popcount(mask));
    counts.lane_instructions += lanes;
    counts.units[op.unit] += lanes;
    if (mask == 0) continue;
    try {
      op.run(*this, op);
    } catch (const Fault& fault) {
      report(fault, op);
    }
  }
}

void Warp::report(const Fault& fault, const Op& op) const {
  const Code& code = *group_->frame->code;
  const Instruction& instruction = code.function->body[op.source];
  const auto triple = [](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return '(' + std::to_string(x) + ',' + std::to_string(y) + ',' + std::to_string(z) + ')';
  };
  const auto n = static_cast<unsigned>(lane);
  throw Fault(
      fault.kind(),
      "kernel " + block_.launch().kernel->function->name + ", PTX line " +
          std::to_string(instruction.line) + ", '" + to_string(instruction, *code.function) +
          "', block " + triple(block_.coordinate(0), block_.coordinate(1), block_.coordinate(2)) +
          ", thread " + triple(thread[0][n], thread[1][n], thread[2][n]) + ": " + fault.what());
}

std::byte* Warp::shared(std::uint64_t offset, std::uint64_t size, bool write) {
  return block_.shared(offset, size, write);
}

std::byte* Warp::local(int at_lane, std::uint64_t offset, std::uint64_t size) {
  const std::uint32_t end = group_->frame->local_base + group_->frame->code->local_bytes;
  if (size > end || offset > end - size)
    throw Fault(Fault::Kind::illegal_address, "byte " + std::to_string(offset) +
                                                  " of local memory, of which the thread uses " +
                                                  std::to_string(end));
  return &local_[static_cast<std::size_t>(at_lane) * local_stride_ + offset];
}

std::byte* Warp::param(std::uint64_t offset, std::uint64_t size) {
  const auto& parameters = block_.launch().parameters;
  if (size > parameters.size() || offset > parameters.size() - size)
    throw Fault(Fault::Kind::illegal_address, "byte " + std::to_string(offset) +
                                                  " of kernel parameters, which take " +
                                                  std::to_string(parameters.size()) + " bytes");
  return const_cast<std::byte*>(&parameters[offset]);
}

}  // namespace ptxemu
