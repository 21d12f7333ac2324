#include "memory/free_list.hpp"

#include <iterator>

namespace ptxemu {

std::uint64_t FreeList::take(std::uint64_t size, std::uint64_t alignment) {
  for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
    const std::uint64_t offset = (gap->first + alignment - 1) / alignment * alignment;
    const std::uint64_t before = offset - gap->first;
    if (gap->second < before || gap->second - before < size) continue;
    const std::uint64_t after = gap->second - before - size;
    if (before != 0)
      gap->second = before;
    else
      gaps_.erase(gap);
    if (after != 0) gaps_[offset + size] = after;
    return offset;
  }
  return none;
}

void FreeList::give_back(std::uint64_t offset, std::uint64_t size) {
  auto gap = gaps_.emplace(offset, size).first;
  if (const auto next = std::next(gap); next != gaps_.end() && offset + size == next->first) {
    gap->second += next->second;
    gaps_.erase(next);
  }
  if (gap == gaps_.begin()) return;
  const auto before = std::prev(gap);
  if (before->first + before->second != gap->first) return;
  before->second += gap->second;
  gaps_.erase(gap);
}

}  // namespace ptxemu
