#include "checks/instrument.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "checks/findings.hpp"
#include "checks/race_check.hpp"
#include "checks/register_check.hpp"
#include "exec/address.hpp"
#include "exec/block.hpp"
#include "exec/instructions/control.hpp"

namespace ptxemu {
namespace {

const CheckedInstruction& checked_instruction(Warp& warp, const Op& op) {
  const Code& code = *warp.frame().code;
  return code.checked[static_cast<std::size_t>(&op - code.ops.data())];
}

/// The current value of bytes in shared or global memory; false if they may not be read.
bool read_value(Warp& warp, std::uint64_t address, std::size_t size,
                std::array<std::byte, 32>& value) {
  try {
    const bool shared = address / window_size == shared_window / window_size;
    const std::byte* const from = shared ? warp.shared(address - shared_window, size, false)
                                         : warp.memory().access(address, size, false);
    std::copy_n(from, size, value.begin());
    return true;
  } catch (const Fault&) {
    return false;
  }
}

const char* name_of(Race::Kind kind) {
  switch (kind) {
    case Race::Kind::read_after_write:
      return "read after write";
    case Race::Kind::write_after_read:
      return "write after read";
    default:
      return "write after write";
  }
}

/// Reports a race of the current instruction, as a message or a fault.
void report(Warp& warp, const Op& op, int lane, const Race& race) {
  Block& block = warp.block();
  warp.lane = lane;
  const auto text = [&] {
    const bool shared = race.address / window_size == shared_window / window_size;
    const std::string place =
        shared ? "byte " + std::to_string(race.address - shared_window) + " of shared memory"
               : warp.memory().describe(race.address);
    return "race, " + std::string(name_of(race.kind)) + ": " + place +
           ", without an order by barriers or by release and acquire after " +
           block.races()->describe(race.earlier);
  };
  if (block.launch().checks.races == Checks::Races::faults) throw Fault(Fault::Kind::race, text());
  const Code& code = *warp.frame().code;
  const std::string place = code.function->name + ' ' + std::to_string(&op - code.ops.data()) +
                            ' ' +
                            std::to_string(reinterpret_cast<std::uintptr_t>(race.earlier.op)) +
                            ' ' + std::to_string(static_cast<int>(race.kind));
  if (Findings::instance().add_at("races", place))
    Findings::print(warp.location(op) + ": " + text());
}

/// Whether a tracked register is uninitialised, and sets whether it is.
bool is_uninitialised(Warp& warp, int tracked, int lane) {
  return tracked >= 0 &&
         ((warp.frame().uninitialised[static_cast<unsigned>(tracked)] >> lane) & 1u) != 0;
}
void set_uninitialised(Warp& warp, int tracked, int lane, bool uninitialised) {
  std::uint32_t& lanes = warp.frame().uninitialised[static_cast<unsigned>(tracked)];
  lanes = uninitialised ? lanes | (1u << lane) : lanes & ~(1u << lane);
}

/// Local memory: writes are recorded, and reads of bytes that have not been written are faults,
/// except in copies, which are uninitialised afterwards.
void check_local(Warp& warp, int lane, std::uint64_t offset,
                 const CheckedInstruction& instruction) {
  LocalState* const state = warp.local_state();
  if (state == nullptr) return;
  const unsigned size = instruction.element_bytes;
  for (unsigned n = 0; n * size < instruction.bytes; ++n) {
    const std::uint64_t at = offset + n * size;
    const int tracked = instruction.values.empty() ? -1 : instruction.values[n];
    if (instruction.writes) {
      state->write(lane, at, size, !is_uninitialised(warp, tracked, lane));
    } else if (const bool written = state->any_written(lane, at, size); tracked >= 0) {
      set_uninitialised(warp, tracked, lane, !written);
    } else if (!written) {
      warp.lane = lane;
      throw Fault(Fault::Kind::uninitialised_read,
                  "byte " + std::to_string(at) + " of local memory has not been written");
    }
  }
}

/// Other memory: a load initialises registers of copies, and the store of a register that has not
/// been written is a fault.
void check_values(Warp& warp, int lane, const CheckedInstruction& instruction) {
  if (warp.local_state() == nullptr) return;
  for (const int tracked : instruction.values) {
    if (tracked < 0) continue;
    if (!instruction.writes)
      set_uninitialised(warp, tracked, lane, false);
    else if (tracked < static_cast<int>(warp.frame().code->unwritten))
      require_initialised(warp, tracked, 1u << lane);
  }
}

/// Executes a store lane by lane, and reports the races of lanes that change the value.
void store_in_turn(Warp& warp, const Op& op, const CheckedInstruction& instruction,
                   const std::uint64_t* addresses, const Race* races) {
  const std::uint32_t mask = warp.mask;
  for (std::uint32_t lanes = mask; lanes != 0; lanes &= lanes - 1) {
    const int n = std::countr_zero(lanes);
    std::array<std::byte, 32> before{}, after{};
    const bool candidate = races[n].kind != Race::Kind::none;
    const bool known = candidate && read_value(warp, addresses[n], instruction.bytes, before);
    warp.mask = 1u << n;
    instruction.run(warp, op);
    if (!candidate) continue;
    if (known && read_value(warp, addresses[n], instruction.bytes, after) && before == after) {
      if (warp.block().launch().checks.races == Checks::Races::reported)
        Findings::instance().add("unordered writes of the same value");
    } else {
      report(warp, op, n, races[n]);
    }
  }
  warp.mask = mask;
}

/// ld, st, atom and red.
void run_access(Warp& warp, const Op& op) {
  const CheckedInstruction& instruction = checked_instruction(warp, op);
  std::uint64_t addresses[warp_size];
  generic_addresses(warp, op, addresses);
  Block& block = warp.block();
  RaceCheck* const races = block.races();
  if (races != nullptr) races->begin_instruction();
  std::array<Race, warp_size> writes;  // whether they race depends on the values
  bool any_write = false;
  for (std::uint32_t lanes = warp.mask; lanes != 0; lanes &= lanes - 1) {
    const int n = std::countr_zero(lanes);
    const std::uint64_t address = addresses[n], window = address / window_size;
    if (address % instruction.bytes != 0) break;  // the handler throws the fault
    if (window == local_window / window_size) {
      check_local(warp, n, address - local_window, instruction);
      continue;
    }
    check_values(warp, n, instruction);
    if (races == nullptr || window == param_window / window_size) continue;
    const Race race = races->access(*block.ordering(), warp.index(), n, address,
                                    window == shared_window / window_size, instruction, op);
    if (race.kind == Race::Kind::none) continue;
    if (race.kind == Race::Kind::write_after_write && !instruction.reads)
      writes[static_cast<unsigned>(n)] = race, any_write = true;
    else
      report(warp, op, n, race);
  }
  if (any_write)
    store_in_turn(warp, op, instruction, addresses, writes.data());
  else
    instruction.run(warp, op);
}

void run_fence(Warp& warp, const Op& op) {
  const CheckedInstruction& instruction = checked_instruction(warp, op);
  if (BlockOrdering* const ordering = warp.block().ordering())
    ordering->fence(warp.index(), warp.mask, instruction.device_wide);
  instruction.run(warp, op);
}

void run_warp_barrier(Warp& warp, const Op& op) {
  const std::uint32_t lanes =
      warp.at<std::uint32_t>(op.a)[std::countr_zero(warp.mask)] & warp.live();
  Group& group = warp.group();
  checked_instruction(warp, op).run(warp, op);
  BlockOrdering* const ordering = warp.block().ordering();
  if (ordering != nullptr && group.state == Group::State::running)
    ordering->warp_barrier(warp.index(), lanes);
}

void run_block_barrier(Warp& warp, const Op& op) {
  const CheckedInstruction& instruction = checked_instruction(warp, op);
  BlockOrdering* const ordering = warp.block().ordering();
  const std::uint32_t number = warp.at<std::uint32_t>(op.a)[std::countr_zero(warp.mask)];
  // bar.red is executed a second time for its result.
  if (ordering != nullptr && number < 16 && !warp.group().result_pending)
    ordering->arrive(static_cast<int>(number), warp.index(), warp.mask, instruction.waits);
  instruction.run(warp, op);
}

/// By element: the tracked number of a register that a load of a copy writes, or that a store
/// reads, except that arguments of functions count as initialised unless they are copies; -1 for
/// others.
std::vector<int> tracked_values(const Instruction& in, const Code& code,
                                const std::vector<bool>& copies) {
  if (in.opcode != "ld" && in.opcode != "st") return {};
  const bool load = in.opcode == "ld";
  const bool only_copies = load || has_suffix(in, "param") || has_suffix(in, "param::func");
  const Operand& values = in.operands[load ? 0 : 1];
  std::vector<int> result;
  const auto add = [&](const Operand& value) {
    const bool counts = value.kind == Operand::Kind::reg &&
                        (!only_copies || copies[static_cast<unsigned>(value.reg)]);
    result.push_back(counts ? code.tracked_number[static_cast<unsigned>(value.reg)] : -1);
  };
  if (values.kind == Operand::Kind::vector)
    for (const Operand& element : values.elements) add(element);
  else
    add(values);
  const bool any =
      std::any_of(result.begin(), result.end(), [](int tracked) { return tracked >= 0; });
  return any ? result : std::vector<int>{};
}

/// Describes an access; false if the checks need not see it.
bool describe_access(const Instruction& in, const Op& op, CheckedInstruction& checked) {
  const bool atomic = in.opcode == "atom" || in.opcode == "red";
  checked.reads = atomic || in.opcode == "ld" || in.opcode == "ldu";
  checked.writes = atomic || in.opcode == "st";
  const bool kernel_parameter =
      (op.option & (AddressMode::indexed | AddressMode::in_frame)) == 0 &&
      static_cast<std::uint64_t>(op.immediate) / window_size == param_window / window_size;
  if ((!checked.reads && !checked.writes) || kernel_parameter) return false;
  int size = 0, count = 1;
  for (const std::string& suffix : in.suffixes) {
    if (const auto type = type_of(suffix)) size = size_of(*type);
    if (suffix == "v2" || suffix == "v4" || suffix == "v8") count = suffix[1] - '0';
  }
  checked.element_bytes = static_cast<std::uint8_t>(size);
  checked.bytes = static_cast<std::uint8_t>(size * count);
  checked.acquire = has_suffix(in, "acquire") || has_suffix(in, "acq_rel");
  checked.release = has_suffix(in, "release") || has_suffix(in, "acq_rel");
  checked.strong = atomic || checked.acquire || checked.release || has_suffix(in, "relaxed") ||
                   has_suffix(in, "volatile") || has_suffix(in, "mmio");
  checked.device_wide = !has_suffix(in, "cta") && !has_suffix(in, "cluster");
  checked.run = run_access;
  return size != 0;
}

/// Selects the checking handler of an instruction as `checked.run`; false if it needs none.
bool describe(const Instruction& in, const Op& op, CheckedInstruction& checked) {
  const auto unit = static_cast<Unit>(op.unit);
  if (unit == Unit::memory) return describe_access(in, op, checked);
  if ((in.opcode == "membar" || in.opcode == "fence") && unit == Unit::control) {
    checked.device_wide = !has_suffix(in, "cta") && !has_suffix(in, "cluster");
    checked.run = run_fence;
    return !has_suffix(in, "proxy");
  }
  if ((in.opcode == "bar" || in.opcode == "barrier") && unit == Unit::warp &&
      op.run != run_reconvergence) {
    checked.waits = !has_suffix(in, "arrive");
    checked.run = has_suffix(in, "warp") ? run_warp_barrier : run_block_barrier;
    return true;
  }
  return false;
}

}  // namespace

void instrument(Code& code) {
  code.checked.resize(code.ops.size());
  const std::vector<bool> copies = registers_of_copies(*code.function);
  for (std::size_t n = 0; n < code.ops.size(); ++n) {
    Op& op = code.ops[n];
    if (code.function->body.empty()) continue;
    const Instruction& in = code.function->body[op.source];
    CheckedInstruction checked;
    if (!describe(in, op, checked)) continue;
    if (checked.bytes != 0) checked.values = tracked_values(in, code, copies);
    std::swap(checked.run, op.run);
    code.checked[n] = std::move(checked);
  }
}

}  // namespace ptxemu
