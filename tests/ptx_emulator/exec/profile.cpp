#include "exec/profile.hpp"

#include <bit>
#include <set>
#include <tuple>

#include "exec/address.hpp"

namespace ptxemu {
namespace {

/// Number of blocks whose L1 caches are kept: more than are resident at a time, except where
/// blocks wait for others.
constexpr std::size_t max_l1_caches = 16;

bool writes_first_operand(const Instruction& in) {
  static const std::set<std::string> others = {"st",   "red",  "bra",     "brx",   "call",  "ret",
                                               "exit", "trap", "barrier", "fence", "membar"};
  return others.count(in.opcode) == 0 && in.opcode != "bar";
}

/// Finds which instructions depend on loads and on the instruction before them. It follows the
/// order of the code, not that of execution, and PTX, which ptxas reorders.
class DependenceScan {
 public:
  void next(const Instruction& in, CountedInstruction& counted) {
    const bool writes = writes_first_operand(in) && !in.operands.empty();
    bool waits = false, depends = false;
    const auto read = [&](int reg) {
      waits = waits || loaded_.count(reg) != 0;
      depends = depends || previous_.count(reg) != 0;
    };
    if (in.guard >= 0) read(in.guard);
    for (std::size_t n = writes ? 1 : 0; n < in.operands.size(); ++n)
      each_register(in.operands[n], read);
    counted.waits_for_load = waits;
    counted.depends_on_previous = depends && !waits;
    if (waits) loaded_.clear();
    previous_.clear();
    if (writes)
      each_register(in.operands[0], [&](int reg) {
        loaded_.erase(reg);
        if ((in.opcode == "ld" && counted.access) || in.opcode == "atom")
          loaded_.insert(reg);
        else
          previous_.insert(reg);
      });
  }

 private:
  std::set<int> loaded_;    ///< registers with the results of loads that were not yet read
  std::set<int> previous_;  ///< registers that the instruction before wrote
};

CountedInstruction describe(const Instruction& in, Handler run) {
  CountedInstruction counted;
  counted.run = run;
  const bool load = in.opcode == "ld" || in.opcode == "ldu", store = in.opcode == "st";
  const bool atomic = in.opcode == "atom" || in.opcode == "red";
  bool param = false;
  for (const char* name : {"param", "param::entry", "param::func"})
    param = param || has_suffix(in, name);
  counted.access = (load || store || atomic) && !param;
  if (!counted.access) return counted;
  counted.kind = atomic ? AccessKind::atomic : store ? AccessKind::store : AccessKind::load;
  for (const char* name : {"volatile", "relaxed", "acquire", "mmio", "cg", "cv"})
    counted.skips_l1 = counted.skips_l1 || has_suffix(in, name);
  int elements = 1, bytes = 0;
  for (const std::string& suffix : in.suffixes) {
    if (suffix == "v2" || suffix == "v4" || suffix == "v8") elements = suffix[1] - '0';
    const bool type =
        suffix.size() > 1 && suffix.find_first_not_of("0123456789", 1) == std::string::npos;
    if (type && std::string("busf").find(suffix[0]) != std::string::npos)
      bytes = std::stoi(suffix.substr(1)) / 8;
  }
  counted.bytes = static_cast<std::uint8_t>(elements * bytes);
  return counted;
}

void run_counted(Warp& warp, const Op& op) {
  const Code& code = *warp.frame().code;
  const auto number = static_cast<std::size_t>(&op - code.ops.data());
  if (KernelProfile* const profile = warp.block().launch().profile; profile != nullptr)
    profile->record(warp, op, number);
  code.counted[number].run(warp, op);
}

/// Distinct values of `values`, ascending; returns their number.
int distinct(std::uint64_t* values, int count) {
  std::sort(values, values + count);
  return static_cast<int>(std::unique(values, values + count) - values);
}

/// Passes over the 32 banks of 4 bytes that lanes with `addresses` need, which access `bytes`
/// bytes each: the largest number of distinct words in one bank. Atomics on one word are
/// executed one after another.
int wavefronts(const std::uint64_t* addresses, int lanes, int bytes, bool atomic) {
  std::uint64_t words[warp_size * 4];
  int count = 0;
  const int words_of_lane = std::max(1, bytes / 4);
  for (int n = 0; n < lanes; ++n)
    for (int k = 0; k < words_of_lane; ++k)
      words[count++] = addresses[n] / 4 + static_cast<std::uint64_t>(k);
  if (!atomic) count = distinct(words, count);
  int in_bank[32] = {}, most = 0;
  for (int n = 0; n < count; ++n) most = std::max(most, ++in_bank[words[n] % 32]);
  return atomic ? (most + words_of_lane - 1) / words_of_lane : most;
}

void count_shared(AccessCounts& counts, const std::uint64_t* addresses, const int* lanes, int count,
                  const CountedInstruction& instruction) {
  ++counts.requests;
  counts.bytes += static_cast<std::uint64_t>(count) * instruction.bytes;
  // Accesses of 8 bytes are executed by half warps, those of 16 by quarter warps.
  const int size = std::min(16, std::max<int>(4, instruction.bytes)), group = 32 * 4 / size;
  for (int first = 0; first < count;) {
    int end = first;
    while (end < count && lanes[end] / group == lanes[first] / group) ++end;
    const int passes =
        wavefronts(addresses + first, end - first, std::min<int>(16, instruction.bytes),
                   instruction.kind == AccessKind::atomic);
    counts.parts += static_cast<std::uint64_t>(passes);
    counts.extra += static_cast<std::uint64_t>(passes - 1);
    first = end;
  }
}

}  // namespace

void count_instructions(Code& code) {
  code.counted.resize(code.ops.size());
  DependenceScan scan;
  for (std::size_t n = 0; n < code.ops.size(); ++n) {
    Op& op = code.ops[n];
    if (op.source >= code.function->body.size()) continue;
    const Instruction& in = code.function->body[op.source];
    code.counted[n] = describe(in, op.run);
    scan.next(in, code.counted[n]);
    const auto unit = static_cast<Unit>(op.unit);
    // Handlers of control flow and of exchanges between lanes are compared by address and may be
    // repeated.
    if (unit != Unit::control && unit != Unit::warp) op.run = run_counted;
  }
}

bool LaunchShape::operator<(const LaunchShape& other) const {
  return std::tie(blocks, threads, dynamic_shared) <
         std::tie(other.blocks, other.threads, other.dynamic_shared);
}

void KernelProfile::begin_launch(const Launch& launch, std::uint64_t l1_bytes, SectorCache& l2) {
  l2_ = &l2;
  ++shapes[{launch.grid.count(), launch.block.count(), launch.dynamic_shared}];
  l1_bytes_ = l1_bytes;
  l1_.clear();
  on_address_.clear();
}

void KernelProfile::end_launch() {
  l1_.clear();
  traffic.addresses += on_address_.size();
  for (const auto& [address, count] : on_address_)
    traffic.max_on_address = std::max(traffic.max_on_address, count);
  on_address_.clear();
}

void KernelProfile::record(Warp& warp, const Op& op, std::size_t number) {
  const Code& code = *warp.frame().code;
  if (&code != last_code_) {
    last_code_ = &code;
    last_executions_ = &executions_[&code];
    last_executions_->resize(code.ops.size(), 0);
  }
  ++(*last_executions_)[number];
  const CountedInstruction& instruction = code.counted[number];
  if (instruction.access) count_access(warp, op, instruction);
}

void KernelProfile::count_access(Warp& warp, const Op& op, const CountedInstruction& instruction) {
  std::uint64_t addresses[warp_size];
  generic_addresses(warp, op, addresses);
  std::uint64_t parts[static_cast<int>(Memory::count)][warp_size];
  int lanes[static_cast<int>(Memory::count)][warp_size];
  int count[static_cast<int>(Memory::count)] = {};
  each_lane(warp, [&](int n) {
    const std::uint64_t address = addresses[n], window = address / window_size;
    Memory memory = Memory::host;
    std::uint64_t part = address / sector_bytes;
    if (warp.memory().in_device(address)) {
      memory = Memory::global;
      if (instruction.kind == AccessKind::atomic) ++on_address_[address];
    } else if (window == shared_window / window_size) {
      memory = Memory::shared;
      part = address - shared_window;
    } else if (window == local_window / window_size) {
      // Consecutive words of 4 bytes of a thread are 128 bytes apart, with those of the other
      // lanes between them.
      memory = Memory::local;
      part = ((address - local_window) / 4 * warp_size * 4 + static_cast<unsigned>(n) * 4) /
                 sector_bytes +
             (std::uint64_t{1} << 50) + (static_cast<std::uint64_t>(warp.index()) << 40);
    } else if (window == param_window / window_size) {
      return;
    }
    const int m = static_cast<int>(memory);
    lanes[m][count[m]] = n;
    parts[m][count[m]++] = part;
  });
  for (int m = 0; m < static_cast<int>(Memory::count); ++m) {
    if (count[m] == 0) continue;
    AccessCounts& counts = traffic.accesses[m][static_cast<int>(instruction.kind)];
    if (static_cast<Memory>(m) == Memory::shared)
      count_shared(counts, parts[m], lanes[m], count[m], instruction);
    else
      count_sectors(warp.block(), counts, parts[m], count[m], static_cast<Memory>(m), instruction);
  }
}

void KernelProfile::count_sectors(const Block& block, AccessCounts& counts,
                                  const std::uint64_t* sectors, int count, Memory memory,
                                  const CountedInstruction& instruction) {
  std::uint64_t unique[warp_size * 4];
  int number = 0;
  // Words of 4 bytes of a thread's local memory are in different sectors.
  const int words = memory == Memory::local ? std::max(1, instruction.bytes / 4) : 1;
  for (int n = 0; n < count; ++n)
    for (int k = 0; k < std::min(words, 4); ++k)
      unique[number++] =
          sectors[n] + static_cast<std::uint64_t>(k) * (warp_size * 4 / sector_bytes);
  number = distinct(unique, number);
  ++counts.requests;
  counts.bytes += static_cast<std::uint64_t>(count) * instruction.bytes;
  counts.parts += static_cast<std::uint64_t>(number);
  if (memory == Memory::host) return;
  const bool write = instruction.kind != AccessKind::load;
  if (instruction.kind == AccessKind::atomic) traffic.atomics += static_cast<std::uint64_t>(count);
  for (int n = 0; n < number; ++n) {
    if (memory == Memory::local) {  // kept in L1 until it is replaced
      const SectorCache::Result result = l1_of(block).access(unique[n], write);
      traffic.l2_reads += !result.hit && !write;
      traffic.l2_writes += result.evicted_dirty;
    } else if (instruction.kind == AccessKind::atomic) {
      ++traffic.l2_atomics;
      access_l2(unique[n], true);
    } else if (write) {  // L1 writes through
      ++traffic.l2_writes;
      access_l2(unique[n], true);
    } else if (instruction.skips_l1 || !l1_of(block).access(unique[n], false).hit) {
      ++traffic.l2_reads;
      access_l2(unique[n], false);
    }
  }
}

void KernelProfile::access_l2(std::uint64_t sector, bool write) {
  const SectorCache::Result result = l2_->access(sector, write);
  traffic.dram_reads += !result.hit && !write;
  traffic.dram_writes += result.evicted_dirty;
}

SectorCache& KernelProfile::l1_of(const Block& block) {
  const Extent& grid = block.launch().grid;
  const std::uint64_t number =
      block.coordinate(0) +
      grid.x * (block.coordinate(1) + std::uint64_t{grid.y} * block.coordinate(2));
  for (std::size_t n = l1_.size(); n-- > 0;)
    if (l1_[n].first == number) return l1_[n].second;
  if (l1_.size() >= max_l1_caches) l1_.pop_front();
  l1_.emplace_back(number, SectorCache(l1_bytes_));
  return l1_.back().second;
}

std::map<std::string, std::uint64_t> KernelProfile::opcodes() const {
  std::map<std::string, std::uint64_t> sums;
  for (const auto& [code, executions] : executions_)
    for (std::size_t n = 0; n < executions.size(); ++n) {
      if (executions[n] == 0) continue;
      const Instruction& in = code->function->body[code->ops[n].source];
      std::string name = in.opcode;
      for (const std::string& suffix : in.suffixes) name += '.' + suffix;
      sums[name] += executions[n];
    }
  return sums;
}

KernelProfile::Dependences KernelProfile::dependences() const {
  Dependences sums;
  for (const auto& [code, executions] : executions_)
    for (std::size_t n = 0; n < executions.size(); ++n) {
      const CountedInstruction& instruction = code->counted[n];
      if (instruction.waits_for_load) sums.waits_for_loads += executions[n];
      if (instruction.depends_on_previous) sums.on_previous[code->ops[n].unit] += executions[n];
    }
  return sums;
}

}  // namespace ptxemu
