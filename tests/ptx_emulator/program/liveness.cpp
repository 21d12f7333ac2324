#include "program/liveness.hpp"

#include <algorithm>
#include <bit>

#include "program/families.hpp"

namespace ptxemu {
namespace {

/// One access of an instruction to a register. `overwrites`: the instruction writes the register of
/// each lane that executes it, and does not read it.
struct RegisterAccess {
  int reg = -1;
  bool overwrites = false;
};

void add_accesses(const Operand& operand, bool overwrites, std::vector<RegisterAccess>& accesses) {
  const bool written = overwrites && operand.kind != Operand::Kind::address;
  if (operand.reg >= 0) accesses.push_back({operand.reg, written});
  if (operand.second >= 0) accesses.push_back({operand.second, written});
  for (const Operand& element : operand.elements) add_accesses(element, written, accesses);
}

/// The accesses of an instruction to registers. A guarded write
/// leaves the register of the other lanes unchanged and does not count as overwriting.
std::vector<RegisterAccess> accesses_of(const Instruction& in) {
  std::vector<RegisterAccess> accesses;
  const bool overwrites = in.guard < 0 && overwrites_first_operand(in);
  for (std::size_t n = 0; n < in.operands.size(); ++n)
    add_accesses(in.operands[n], n == 0 && overwrites, accesses);
  if (in.guard >= 0) accesses.push_back({in.guard, false});
  return accesses;
}

/// A set of numbers below a bound.
class Set {
 public:
  explicit Set(std::size_t size = 0) : words_((size + 63) / 64) {}
  void insert(int n) { words_[index(n)] |= bit(n); }
  void erase(int n) { words_[index(n)] &= ~bit(n); }
  bool contains(int n) const { return (words_[index(n)] & bit(n)) != 0; }
  void add(const Set& other) {
    for (std::size_t n = 0; n < words_.size(); ++n) words_[n] |= other.words_[n];
  }
  /// Adds the members of `from` that are not in `without`; returns whether the set has grown.
  bool add_difference(const Set& from, const Set& without) {
    std::uint64_t grown = 0;
    for (std::size_t n = 0; n < words_.size(); ++n) {
      const std::uint64_t added = from.words_[n] & ~without.words_[n] & ~words_[n];
      words_[n] |= added;
      grown |= added;
    }
    return grown != 0;
  }
  template <class F>
  void each(const F& f) const {
    for (std::size_t n = 0; n < words_.size(); ++n)
      for (std::uint64_t word = words_[n]; word != 0; word &= word - 1)
        f(static_cast<int>(64 * n) + std::countr_zero(word));
  }

 private:
  static std::size_t index(int n) { return static_cast<std::size_t>(n) / 64; }
  static std::uint64_t bit(int n) { return std::uint64_t{1} << (static_cast<unsigned>(n) % 64); }
  std::vector<std::uint64_t> words_;
};

/// Computes live ranges. Only the registers that are live between blocks, which are usually few,
/// take part in the data flow; they are numbered consecutively.
class Analysis {
 public:
  Analysis(const Function& function, const ControlFlow& flow) : function_(function), flow_(flow) {
    for (const Instruction& in : function.body) accesses_.push_back(accesses_of(in));
    number_registers();
    find_live_sets();
  }

  LiveRanges run() {
    LiveRanges ranges;
    ranges.busy.resize(function_.registers.size());
    for (std::size_t n = flow_.blocks.size(); n-- > 0;) add_ranges(n, ranges);
    for (auto& busy : ranges.busy) std::reverse(busy.begin(), busy.end());
    if (!live_in_.empty())
      live_in_[0].each([&](int n) { ranges.live_at_entry.push_back(registers_[index(n)]); });
    return ranges;
  }

 private:
  static std::size_t index(int n) { return static_cast<std::size_t>(n); }

  /// Calls f(register) for each register that is read in a block before the block overwrites it.
  template <class F>
  void each_read_before_write(const BasicBlock& block, std::vector<int>& overwritten_in,
                              int block_number, const F& f) const {
    for (std::uint32_t n = block.first; n < block.end; ++n) {
      for (const RegisterAccess& access : accesses_[n])
        if (!access.overwrites && overwritten_in[index(access.reg)] != block_number) f(access.reg);
      for (const RegisterAccess& access : accesses_[n])
        if (access.overwrites) overwritten_in[index(access.reg)] = block_number;
    }
  }

  void number_registers() {
    number_.assign(function_.registers.size(), -1);
    std::vector<int> overwritten_in(function_.registers.size(), -1);
    for (std::size_t n = 0; n < flow_.blocks.size(); ++n)
      each_read_before_write(flow_.blocks[n], overwritten_in, static_cast<int>(n), [&](int reg) {
        if (number_[index(reg)] >= 0) return;
        number_[index(reg)] = static_cast<int>(registers_.size());
        registers_.push_back(reg);
      });
  }

  void find_live_sets() {
    std::vector<Set> overwritten;
    std::vector<int> overwritten_in(function_.registers.size(), -1);
    for (std::size_t n = 0; n < flow_.blocks.size(); ++n) {
      const BasicBlock& block = flow_.blocks[n];
      live_in_.emplace_back(registers_.size());
      overwritten.emplace_back(registers_.size());
      each_read_before_write(block, overwritten_in, static_cast<int>(n),
                             [&](int reg) { live_in_[n].insert(number_[index(reg)]); });
      for (std::uint32_t k = block.first; k < block.end; ++k)
        for (const RegisterAccess& access : accesses_[k])
          if (access.overwrites && number_[index(access.reg)] >= 0)
            overwritten[n].insert(number_[index(access.reg)]);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t n = flow_.blocks.size(); n-- > 0;)
        for (const int successor : flow_.blocks[n].successors)
          if (successor >= 0 &&
              live_in_[n].add_difference(live_in_[index(successor)], overwritten[n]))
            changed = true;
    }
  }

  /// Adds the ranges within block `n`. Blocks are visited from the last to the first, so that the
  /// ranges of a register are in descending order until run() reverses them.
  void add_ranges(std::size_t n, LiveRanges& ranges) const {
    const BasicBlock& block = flow_.blocks[n];
    Set live_out(registers_.size());
    for (const int successor : block.successors)
      if (successor >= 0) live_out.add(live_in_[index(successor)]);
    live_out.each([&](int k) {
      extend(ranges.busy[index(registers_[index(k)])], block.end - 1, block.end - 1);
    });
    for (std::uint32_t k = block.end; k-- > block.first;)
      for (const RegisterAccess& access : accesses_[k])
        extend_to_access(ranges.busy[index(access.reg)], block, k);
    live_in_[n].each([&](int k) {
      auto& busy = ranges.busy[index(registers_[index(k)])];
      busy.back().first = block.first;
    });
  }

  /// A register is treated as busy from its first access in a block to its last one.
  static void extend_to_access(std::vector<InstructionRange>& busy, const BasicBlock& block,
                               std::uint32_t instruction) {
    if (!busy.empty() && busy.back().first < block.end)
      busy.back().first = instruction;
    else
      extend(busy, instruction, instruction);
  }

  static void extend(std::vector<InstructionRange>& busy, std::uint32_t first, std::uint32_t last) {
    if (!busy.empty() && busy.back().first == last + 1)
      busy.back().first = first;
    else
      busy.push_back({first, last});
  }

  const Function& function_;
  const ControlFlow& flow_;
  std::vector<std::vector<RegisterAccess>> accesses_;  ///< by instruction
  std::vector<int> number_;     ///< [register]: its number among those live between blocks, or -1
  std::vector<int> registers_;  ///< the inverse of number_
  std::vector<Set> live_in_;    ///< by block, of numbers
};

}  // namespace

LiveRanges find_live_ranges(const Function& function, const ControlFlow& flow) {
  return Analysis(function, flow).run();
}

}  // namespace ptxemu
