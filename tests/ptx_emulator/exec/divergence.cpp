// Divergence of a warp: groups of lanes, their activations of functions, and reconvergence.

#include <algorithm>
#include <bit>
#include <cstring>

#include "exec/warp.hpp"

namespace ptxemu {

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
  for (const SlotRange& range : code.initial_zeros)
    std::memset(frame->registers + range.slot, 0, range.bytes);
  frame->uninitialised.assign(local_state_ != nullptr ? code.tracked.size() : 0, 0);
  if (local_state_ != nullptr)
    std::fill_n(frame->uninitialised.begin(), code.live_at_entry.size(), all_lanes);
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
      forget_turns_if_converged(join->arrived);
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
  forget_turns_if_converged(group.mask);
  --group.pc;  // the lanes may reconverge with others at the same instruction
}

void Warp::call(const Code& callee, const CallSite& site) {
  Group& group = *group_;
  Join* const join = new_join(group.pc, group.frame, group.join);
  join->pending = 1;
  Frame* const frame = new_frame(callee);
  join->callee = frame;
  frame->call = &site;
  if (local_state_ != nullptr) {
    local_state_->begin_function(group.mask, frame->local_base, callee.local_bytes);
    for (std::size_t n = 0; n < site.arguments.size() && n < callee.parameters.size(); ++n)
      local_state_->copy(group.mask, frame->local_base + callee.parameters[n].offset,
                         group.frame->local_base + site.arguments[n], callee.parameters[n].size);
  }
  for (std::size_t n = 0; n < site.arguments.size() && n < callee.parameters.size(); ++n)
    for (std::uint32_t lanes = group.mask; lanes != 0; lanes &= lanes - 1) {
      const auto at_lane = static_cast<std::size_t>(std::countr_zero(lanes));
      std::byte* const memory = &local_[at_lane * local_stride_];
      std::memcpy(memory + frame->local_base + callee.parameters[n].offset,
                  memory + group.frame->local_base + site.arguments[n], callee.parameters[n].size);
    }
  group.join = join;
  group.frame = frame;
  group.pc = 0;
  make_current(group);
}

void Warp::return_lanes() {
  Group& group = *group_;
  Frame* const frame = group.frame;
  if (frame->caller == nullptr) return exit_lanes();
  const Code& code = *frame->code;
  if (local_state_ != nullptr)
    for (std::size_t n = 0; n < frame->call->results.size() && n < code.results.size(); ++n)
      local_state_->copy(group.mask, frame->caller->local_base + frame->call->results[n],
                         frame->local_base + code.results[n].offset, code.results[n].size);
  for (std::size_t n = 0; n < frame->call->results.size() && n < code.results.size(); ++n)
    for (std::uint32_t lanes = group.mask; lanes != 0; lanes &= lanes - 1) {
      const auto at_lane = static_cast<std::size_t>(std::countr_zero(lanes));
      std::byte* const memory = &local_[at_lane * local_stride_];
      std::memcpy(memory + frame->caller->local_base + frame->call->results[n],
                  memory + frame->local_base + code.results[n].offset, code.results[n].size);
    }
  Join* join = group.join;
  while (join->frame == frame) {  // the lanes returned before the reconvergence point
    Join* const parent = join->parent;
    // `parent` counts `join` as one pending group; it now counts this group instead or as well.
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
  forget_turns_if_converged(group.mask);
  make_current(group);
}

void Warp::exit_lanes() {
  Group& group = *group_;
  live_ &= ~mask;
  group.mask &= ~mask;
  for (Group* other : active_)  // a group may wait only for lanes that have exited now
    if (other->state == Group::State::warp_sync) other->state = Group::State::running;
  if (group.mask != 0) return;
  Join* const join = group.join;
  end_group(group);
  if (join != nullptr) {
    --join->pending;
    continue_after(join);
  }
}

}  // namespace ptxemu
