#include "checks/vector_clock.hpp"

#include <algorithm>
#include <bit>
#include <set>

namespace ptxemu {
namespace {

using Entries = std::vector<VectorClock::Entry>;

Entries::const_iterator lower_bound(const Entries& entries, std::uint64_t id) {
  return std::lower_bound(
      entries.begin(), entries.end(), id,
      [](const VectorClock::Entry& entry, std::uint64_t value) { return entry.id < value; });
}

Time time_of(const Entries& entries, std::uint64_t id) {
  const auto found = lower_bound(entries, id);
  return found != entries.end() && found->id == id ? found->time : 0;
}

Entries merge(const Entries& a, const Entries& b) {
  Entries result;
  result.reserve(a.size() + b.size());
  auto x = a.begin(), y = b.begin();
  while (x != a.end() || y != b.end()) {
    if (y == b.end() || (x != a.end() && x->id < y->id)) {
      result.push_back(*x++);
    } else if (x == a.end() || y->id < x->id) {
      result.push_back(*y++);
    } else {
      result.push_back({x->id, std::max(x->time, y->time)});
      ++x, ++y;
    }
  }
  return result;
}

/// Whether `a` contains all that `b` contains.
bool dominates(const VectorClock& a, const VectorClock& b, std::uint64_t warps_per_block) {
  for (const auto& entry : b.blocks)
    if (time_of(a.blocks, entry.id) < entry.time) return false;
  for (const auto& entry : b.warps)
    if (std::max(time_of(a.warps, entry.id), time_of(a.blocks, entry.id / warps_per_block)) <
        entry.time)
      return false;
  return std::all_of(b.threads.begin(), b.threads.end(), [&](const auto& entry) {
    return a.covers(entry.id / 32 / warps_per_block, entry.id / 32, 1u << (entry.id % 32),
                    entry.time);
  });
}

}  // namespace

bool VectorClock::covers(std::uint64_t block, std::uint64_t warp, std::uint32_t lanes,
                         Time time) const {
  if (time_of(blocks, block) >= time || time_of(warps, warp) >= time) return true;
  for (; lanes != 0; lanes &= lanes - 1)
    if (time_of(threads, warp * 32 + static_cast<unsigned>(std::countr_zero(lanes))) < time)
      return false;
  return true;
}

bool VectorClock::covers_any(std::uint64_t block, std::uint64_t warps_per_block, Time time) const {
  if (time_of(blocks, block) >= time) return true;
  const auto any = [&](const Entries& entries, std::uint64_t per_block) {
    for (auto entry = lower_bound(entries, block * per_block);
         entry != entries.end() && entry->id < (block + 1) * per_block; ++entry)
      if (entry->time >= time) return true;
    return false;
  };
  return any(warps, warps_per_block) || any(threads, warps_per_block * 32);
}

std::size_t VectorClock::known_blocks(std::uint64_t warps_per_block) const {
  std::set<std::uint64_t> known;
  for (const auto& entry : blocks) known.insert(entry.id);
  for (const auto& entry : warps) known.insert(entry.id / warps_per_block);
  for (const auto& entry : threads) known.insert(entry.id / 32 / warps_per_block);
  return known.size();
}

Clock join(const Clock& a, const Clock& b, std::uint64_t warps_per_block) {
  if (a == b || b == nullptr) return a;
  if (a == nullptr) return b;
  if (dominates(*a, *b, warps_per_block)) return a;
  auto result = std::make_shared<VectorClock>();
  result->blocks = merge(a->blocks, b->blocks);
  result->warps = merge(a->warps, b->warps);
  result->threads = merge(a->threads, b->threads);
  // Entries of warps and threads that the entry of their block or warp contains are not needed.
  std::erase_if(result->warps, [&](const auto& entry) {
    return time_of(result->blocks, entry.id / warps_per_block) >= entry.time;
  });
  std::erase_if(result->threads, [&](const auto& entry) {
    return time_of(result->warps, entry.id / 32) >= entry.time ||
           time_of(result->blocks, entry.id / 32 / warps_per_block) >= entry.time;
  });
  return result;
}

}  // namespace ptxemu
