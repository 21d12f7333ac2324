#include "program/register_slots.hpp"

#include <algorithm>
#include <numeric>

#include "program/liveness.hpp"

namespace ptxemu {
namespace {

/// The instructions at which one slot is in use.
class Occupancy {
 public:
  explicit Occupancy(std::size_t instructions) : words_(instructions / 64 + 1) {}

  bool is_free(const std::vector<InstructionRange>& ranges) const {
    return std::none_of(ranges.begin(), ranges.end(), [&](const InstructionRange& range) {
      bool used = false;
      each_word(range, [&](std::size_t word, std::uint64_t bits) {
        used = (words_[word] & bits) != 0;
        return !used;
      });
      return used;
    });
  }
  void occupy(const std::vector<InstructionRange>& ranges) {
    for (const InstructionRange& range : ranges)
      each_word(range, [&](std::size_t word, std::uint64_t bits) {
        words_[word] |= bits;
        return true;
      });
  }

 private:
  /// Calls f(word, bits) for the words of the range until f returns false.
  template <class F>
  static void each_word(const InstructionRange& range, const F& f) {
    for (std::size_t word = range.first / 64; word <= range.last / 64; ++word) {
      std::uint64_t bits = ~std::uint64_t{0};
      if (word == range.first / 64) bits &= ~std::uint64_t{0} << (range.first % 64);
      if (word == range.last / 64) bits &= ~std::uint64_t{0} >> (63 - range.last % 64);
      if (!f(word, bits)) return;
    }
  }
  std::vector<std::uint64_t> words_;
};

/// Bytes of a slot for registers of a type: a predicate has one bit per lane.
std::uint32_t slot_bytes(Type type) {
  return type == Type::pred ? 4u
                            : std::max(64u, static_cast<std::uint32_t>(size_of(type)) * warp_size);
}

/// Registers that are used, those with long live ranges first, so that short ones fill the gaps.
std::vector<std::size_t> order_of_assignment(const LiveRanges& live) {
  std::vector<std::uint64_t> length(live.busy.size());
  std::vector<std::size_t> order;
  for (std::size_t reg = 0; reg < live.busy.size(); ++reg) {
    if (live.busy[reg].empty()) continue;
    order.push_back(reg);
    for (const InstructionRange& range : live.busy[reg])
      length[reg] += range.last - range.first + 1;
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return length[a] > length[b]; });
  return order;
}

}  // namespace

std::vector<Slot> assign_register_slots(const Function& function, const ControlFlow& flow,
                                        Code& code) {
  const LiveRanges live = find_live_ranges(function, flow);
  const std::vector<std::size_t> order = order_of_assignment(live);
  std::vector<Slot> slots(function.registers.size());
  for (const std::uint32_t bytes : {4u, 64u, 128u, 256u, 512u}) {
    code.register_bytes = (code.register_bytes + 63) / 64 * 64;
    std::vector<Occupancy> occupied;
    for (const std::size_t reg : order) {
      if (slot_bytes(function.registers[reg].type) != bytes) continue;
      const auto found = std::find_if(occupied.begin(), occupied.end(), [&](const Occupancy& slot) {
        return slot.is_free(live.busy[reg]);
      });
      const auto number = static_cast<std::uint32_t>(found - occupied.begin());
      if (found == occupied.end()) occupied.emplace_back(function.body.size());
      occupied[number].occupy(live.busy[reg]);
      slots[reg] = code.register_bytes + number * bytes;
    }
    code.register_bytes += static_cast<std::uint32_t>(occupied.size()) * bytes;
  }
  code.live_at_entry = live.live_at_entry;
  for (const int reg : live.live_at_entry) {
    const auto n = static_cast<std::size_t>(reg);
    code.initial_zeros.push_back({slots[n], slot_bytes(function.registers[n].type)});
  }
  return slots;
}

}  // namespace ptxemu
