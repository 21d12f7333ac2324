#include "checks/race_check.hpp"

#include <algorithm>
#include <bit>

#include "exec/block.hpp"

namespace ptxemu {
namespace {

/// Number of reads that a cell holds one by one; with more of them it holds one of each block, of
/// at most half as many blocks.
constexpr std::size_t max_reads = 64;

bool both_strong(const Access& a, const Access& b, bool same_block) {
  return a.strong && b.strong && (same_block || (a.device_wide && b.device_wide));
}

std::string triple(std::uint64_t n, const Extent& extent) {
  return '(' + std::to_string(n % extent.x) + ',' + std::to_string(n / extent.x % extent.y) + ',' +
         std::to_string(n / extent.x / extent.y) + ')';
}

}  // namespace

RaceCheck::RaceCheck(const Launch& launch)
    : launch_(launch), warps_per_block_((launch.block.count() + warp_size - 1) / warp_size) {}

BlockOrdering RaceCheck::block(std::uint64_t index) {
  return BlockOrdering(index, launch_.block.count(), now_, releases_);
}

bool RaceCheck::conflict(const BlockOrdering& block, int warp, int lane, const Access& earlier,
                         const Access& later) const {
  if (earlier.op == nullptr) return false;
  const bool same_block = earlier.warp / warps_per_block_ == block.block();
  return !both_strong(earlier, later, same_block) && !block.happens_before(earlier, warp, lane);
}

const Access* RaceCheck::conflicting_read(const BlockOrdering& block, int warp, int lane,
                                          const Cell& cell, const Access& later) const {
  if (conflict(block, warp, lane, cell.read, later)) return &cell.read;
  if (cell.more_reads == nullptr) return nullptr;
  for (const Access& read : *cell.more_reads)
    if (conflict(block, warp, lane, read, later)) return &read;
  return nullptr;
}

void RaceCheck::combine_reads(std::vector<Access>& reads) const {
  std::vector<Access> blocks;
  for (const Access& read : reads) {
    const auto same = std::find_if(blocks.begin(), blocks.end(), [&](const Access& other) {
      return other.warp / warps_per_block_ == read.warp / warps_per_block_ &&
             other.strong == read.strong && other.device_wide == read.device_wide;
    });
    if (same == blocks.end()) {
      blocks.push_back(read);
      continue;
    }
    same->lanes = 0;
    if (read.time < same->time) same->time = read.time, same->op = read.op;
  }
  if (blocks.size() > max_reads / 2) blocks.resize(max_reads / 2);
  reads = std::move(blocks);
}

void RaceCheck::record_read(const BlockOrdering& block, int warp, int lane, Cell& cell,
                            const Access& read) {
  const auto same_instruction = [&](const Access& old) {
    return old.op == read.op && old.time == read.time && old.warp == read.warp;
  };
  const auto weaker_or_same = [&](const Access& old) {
    return !read.strong || (old.strong == read.strong && old.device_wide == read.device_wide);
  };
  const auto replaces = [&](Access& old) {
    if (old.op == nullptr) return true;
    return same_instruction(old) || (weaker_or_same(old) && block.happens_before(old, warp, lane));
  };
  const auto replace = [&](Access& old) {
    const std::uint32_t lanes = same_instruction(old) ? old.lanes | read.lanes : read.lanes;
    old = read;
    old.lanes = lanes;
  };
  if (replaces(cell.read)) return replace(cell.read);
  if (cell.more_reads == nullptr) cell.more_reads = std::make_unique<std::vector<Access>>();
  std::vector<Access>& more = *cell.more_reads;
  if (!more.empty() && same_instruction(more.back())) return replace(more.back());
  for (Access& old : more) {
    if (replaces(old)) return replace(old);
    // A later read of the same thread takes the place of its part of an earlier instruction.
    if (old.warp == read.warp && (old.lanes & read.lanes) != 0 && weaker_or_same(old))
      old.lanes &= ~read.lanes;
    // The threads of the block that `old` combines include this one.
    if (old.lanes == 0 && old.warp / warps_per_block_ == block.block() && weaker_or_same(old) &&
        old.time > block.barrier_time())
      return;
  }
  if (more.size() >= max_reads) combine_reads(more);
  more.push_back(read);
}

Race RaceCheck::access(BlockOrdering& block, int warp, int lane, std::uint64_t address,
                       bool in_shared_memory, const CheckedInstruction& instruction, const Op& op) {
  Access access;
  access.op = &op;
  access.time = now_;
  access.warp = static_cast<std::uint32_t>(block.warp_number(warp));
  access.lanes = 1u << lane;
  access.strong = instruction.strong;
  access.device_wide = instruction.device_wide;
  Race race;
  const auto found = [&](Race::Kind kind, const Access& earlier) {
    if (race.kind == Race::Kind::none) race = {kind, earlier, address};
  };
  ShadowMemory& shadow = in_shared_memory ? block.shared : global_;
  if (instruction.strong) block.synchronise(warp, lane, address, in_shared_memory, instruction);
  const ShadowMemory::Range range = shadow.cells(address, instruction.bytes);
  for (int n = 0; n < range.count; ++n) {
    Cell& cell = range.first[n];
    if (conflict(block, warp, lane, cell.write, access))
      found(instruction.writes ? Race::Kind::write_after_write : Race::Kind::read_after_write,
            cell.write);
    if (!instruction.writes) {
      record_read(block, warp, lane, cell, access);
      continue;
    }
    if (const Access* const read = conflicting_read(block, warp, lane, cell, access))
      found(Race::Kind::write_after_read, *read);
    cell.write = access;
    cell.read = Access{};
    cell.more_reads = nullptr;
  }
  return race;
}

std::string RaceCheck::describe(const Access& access) const {
  const std::uint64_t block = access.warp / warps_per_block_;
  std::string text = "block " + triple(block, launch_.grid);
  if (access.lanes == 0) {
    text += ", several threads";
  } else {
    const auto lane = static_cast<unsigned>(std::countr_zero(access.lanes));
    text += ", thread " + triple(access.warp % warps_per_block_ * warp_size + lane, launch_.block);
  }
  // The instruction belongs to the kernel or to a function that it calls.
  const auto in_code = [&](const Code& code) {
    return !code.ops.empty() && access.op >= code.ops.data() &&
           access.op < code.ops.data() + code.ops.size();
  };
  const Code* code = launch_.kernel;
  if (launch_.functions != nullptr && !in_code(*code))
    for (const auto& function : *launch_.functions)
      if (in_code(*function)) code = function.get();
  if (!in_code(*code)) return text;
  const Instruction& instruction = code->function->body[access.op->source];
  return text + ", PTX line " + std::to_string(instruction.line) + ", '" +
         to_string(instruction, *code->function) + "'";
}

}  // namespace ptxemu
