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
  if (block.launch().checks.initialised) local_state_ = std::make_unique<LocalState>();
  Frame* const frame = new_frame(*block.launch().kernel);
  if (local_state_ != nullptr)
    local_state_->begin_function(lanes, 0, block.launch().kernel->local_bytes);
  new_group(lanes, 0, frame, nullptr);
}

bool Warp::wait_for_lanes(std::uint32_t needed) {
  Group& group = *group_;
  needed &= live_;
  if ((needed & ~group.mask) == 0) return true;
  std::uint32_t arrived_lanes = group.mask;
  const std::uint32_t pc = group.pc - 1;
  for (const Group* other : active_)
    if (other != &group && other->state == Group::State::warp_sync && other->pc == pc &&
        other->frame == group.frame)
      arrived_lanes |= other->mask;
  if ((needed & ~arrived_lanes) != 0) {
    group.state = Group::State::warp_sync;
    group.sync_mask = needed;
    group.pc = pc;
    stop_ = true;
    return false;
  }
  mask = arrived_lanes;
  for (Group* other : active_)
    if (other != &group && other->state == Group::State::warp_sync && other->pc == pc &&
        other->frame == group.frame) {
      other->state = Group::State::running;
      ++other->pc;
    }
  merge_groups_here();
  return true;
}

void Warp::warp_barrier(std::uint32_t needed) {
  Group& group = *group_;
  needed &= live_;
  std::uint32_t arrived_lanes = group.mask;
  const Handler handler = group.frame->code->ops[group.pc - 1].run;
  const auto waits_here = [&](const Group& other) {
    return &other != &group && other.state == Group::State::warp_sync &&
           other.sync_mask == needed && other.frame->code->ops[other.pc].run == handler;
  };
  for (const Group* other : active_)
    if (waits_here(*other)) arrived_lanes |= other->mask;
  if ((needed & ~arrived_lanes) != 0) {
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
  merge_groups_here();
}

/// Makes one group of the current one and of those that continue at the same instruction up to the
/// same reconvergence point. Lanes that a device synchronises converge, too. Since none of them
/// waits for another one, no lanes need to be released soon.
void Warp::merge_groups_here() {
  Group& group = *group_;
  for (std::size_t n = active_.size(); n-- > 0;) {
    Group& other = *active_[n];
    if (&other == &group || other.state != Group::State::running || other.pc != group.pc ||
        other.frame != group.frame || other.join != group.join)
      continue;
    group.mask |= other.mask;
    if (other.join != nullptr) --other.join->pending;
    end_group(other);
  }
  forget_turns_if_converged(group.mask);
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

Group* Warp::choose_group() {
  for (std::size_t n = 0; n < active_.size(); ++n) {
    Group* const group = active_[(turn_ + n) % active_.size()];
    if (group->state != Group::State::running) continue;
    turn_ = (turn_ + n) % active_.size();
    return group;
  }
  return nullptr;
}

void Warp::make_current(Group& group) {
  group_ = &group;
  ops_ = group.frame->code->ops.data();
  base_[0] = group.frame->registers;
  base_[1] =
      reinterpret_cast<std::byte*>(const_cast<std::uint64_t*>(group.frame->code->constants.data()));
}

void Warp::run(int max_instructions) {
  int remaining = max_instructions;
  turn_ended_ = false;
  while (remaining > 0 && !turn_ended_) {
    Group* const group = choose_group();
    if (group == nullptr) return;
    make_current(*group);
    // Several groups share the instructions in short turns.
    int turn = active_.size() > 1 ? std::min(remaining, 512) : remaining;
    remaining -= turn;
    execute(turn);
    remaining += turn;
    if (turn == 0 && group_ != nullptr) release_waiting(*group_);
    ++turn_;
  }
}

/// Lanes that wait at a reconvergence point continue alone if the others repeatedly use up their
/// turns, because these may wait for an action of the waiting lanes. The first release needs many
/// expired turns, because a long loop expires turns, too; each later one needs half as many.
void Warp::release_waiting(const Group& group) {
  std::uint32_t waiting = 0;
  for (const Join* join = group.join; join != nullptr; join = join->parent)
    waiting |= join->arrived;
  if (waiting == 0 || ++expired_turns_ < max_expired_turns_) return;
  expired_turns_ = 0;
  max_expired_turns_ = std::max(1, max_expired_turns_ / 2);
  for (Join* join = group.join; join != nullptr; join = join->parent) {
    if (join->arrived == 0) continue;
    new_group(join->arrived, join->pc, join->frame, join->parent);
    if (join->parent != nullptr) ++join->parent->pending;
    join->arrived = 0;
  }
}

void Warp::execute(int& remaining) {
  stop_ = false;
  while (remaining > 0 && !stop_) {
    --remaining;
    Group& group = *group_;
    const Op& op = ops_[group.pc++];
    mask = group.mask;
    if (op.guarded) mask &= op.guard_negated ? ~predicate(op.guard) : predicate(op.guard);
    ++counts.warp_instructions;
    counts.units[op.unit] += static_cast<unsigned>(std::popcount(mask));
    if (mask == 0) continue;
    try {
      op.run(*this, op);
    } catch (const Fault& fault) {
      throw_with_location(fault, op);
    }
  }
}

void Warp::throw_with_location(const Fault& fault, const Op& op) const {
  throw Fault(fault.kind(), location(op) + ": " + fault.what());
}

std::string Warp::location(const Op& op) const {
  const Code& code = *group_->frame->code;
  const bool has_text = op.source < code.function->body.size();
  const Instruction none;
  const Instruction& instruction = has_text ? code.function->body[op.source] : none;
  const auto triple = [](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return '(' + std::to_string(x) + ',' + std::to_string(y) + ',' + std::to_string(z) + ')';
  };
  const auto n = static_cast<unsigned>(lane);
  return "kernel " + block_.launch().kernel->function->name +
         (has_text ? ", PTX line " + std::to_string(instruction.line) + ", '" +
                         to_string(instruction, *code.function) + "'"
                   : ", function " + code.function->name) +
         ", block " + triple(block_.coordinate(0), block_.coordinate(1), block_.coordinate(2)) +
         ", thread " + triple(thread[0][n], thread[1][n], thread[2][n]);
}

std::byte* Warp::shared(std::uint64_t offset, std::uint64_t size, bool write) {
  return block_.shared(offset, size, write);
}

Warp::LocalMemory Warp::local_memory() {
  const Frame& current = *group_->frame;
  return {local_.data(), local_stride_, current.local_base + current.code->local_bytes};
}

std::byte* Warp::local(int at_lane, std::uint64_t offset, std::uint64_t size) {
  const std::uint32_t end = group_->frame->local_base + group_->frame->code->local_bytes;
  if (size > end || offset > end - size)
    throw Fault(Fault::Kind::illegal_address, "byte " + std::to_string(offset) +
                                                  " of local memory; the thread has " +
                                                  std::to_string(end) + " bytes");
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
