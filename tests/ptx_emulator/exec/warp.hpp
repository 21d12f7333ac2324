#pragma once
// A warp: 32 lanes that execute one instruction together, and the state of divergence.
//
// Lanes with the same program counter form a group. A divergent branch splits a group; the parts
// reconverge at the immediate post-dominator of the branch, which a Join represents. The groups of
// a warp are executed in turn, so that lanes that wait for others of their warp make progress.

#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <vector>

#include "checks/local_state.hpp"
#include "exec/code.hpp"
#include "memory/device_memory.hpp"
#include "memory/fault.hpp"

namespace ptxemu {

class Block;

/// Starts of the windows of state spaces in the generic address space; the upper bits of an address
/// tell the window.
constexpr std::uint64_t shared_window = 0x010000000000u;
constexpr std::uint64_t local_window = 0x020000000000u;
constexpr std::uint64_t param_window = 0x030000000000u;
/// Addresses of functions: 16 times the number of the function in its module, above this value.
constexpr std::uint64_t code_window = 0x040000000000u;
constexpr std::uint64_t window_size = 0x010000000000u;

/// Registers of one activation of a function.
struct Frame {
  const Code* code = nullptr;
  Frame* caller = nullptr;
  std::uint32_t local_base = 0;    ///< offset of its variables in the local memory of each thread
  const CallSite* call = nullptr;  ///< the call that it executes; null for the kernel
  std::unique_ptr<std::uint64_t[]> storage;
  std::size_t capacity = 0;        ///< size of `storage` in words of 8 bytes
  std::byte* registers = nullptr;  ///< first multiple of 64 bytes in `storage`
  /// [tracked register]: the lanes in which it is uninitialised; empty if that is not checked
  std::vector<std::uint32_t> uninitialised;
};

/// A reconvergence point of groups of lanes: at `pc` of `frame`.
struct Join {
  std::uint32_t pc = no_pc;
  Frame* frame = nullptr;
  int pending = 0;            ///< number of groups that have not arrived
  std::uint32_t arrived = 0;  ///< mask of lanes that have arrived
  Join* parent = nullptr;     ///< the enclosing reconvergence point
  Frame* callee = nullptr;    ///< the activation that ends when all lanes have returned
};

struct Group {
  /// warp_sync: waits for lanes of its warp; block_barrier: waits at a barrier of the block
  enum class State : std::uint8_t { running, warp_sync, block_barrier, ended };
  std::uint32_t mask = 0;
  std::uint32_t pc = 0;
  Frame* frame = nullptr;
  Join* join = nullptr;
  State state = State::running;
  std::uint32_t sync_mask = 0;  ///< mask of lanes that the instruction waits for
  int barrier = 0;              ///< number of the barrier of the block that the group waits at
  /// for bar.red: the group has arrived at the barrier, and has yet to read the result
  bool result_pending = false;
};

/// Statistics of one launch.
struct Counts {
  std::uint64_t warp_instructions = 0;
  std::uint64_t lane_instructions = 0;  ///< sum of the active lanes over all instructions
  std::uint64_t divergent_branches = 0;
  std::uint64_t units[static_cast<int>(Unit::count)] = {};  ///< lane_instructions by unit
  void add(const Counts& other);
};

class Warp {
 public:
  Warp(Block& block, int index, std::uint32_t lanes);

  /// Executes up to `max_instructions` instructions, fewer if all groups wait. Throws Fault with
  /// instruction, kernel and thread in the message.
  void run(int max_instructions);

  /// Whether all lanes have exited.
  bool ended() const { return live_ == 0; }
  /// Whether no group can continue without another warp.
  bool waits() const;
  /// Mask of the lanes that have not exited.
  std::uint32_t live() const { return live_; }

  // For instruction handlers.
  /// The values of all lanes in a slot.
  template <class T>
  T* at(Slot slot) {
    return reinterpret_cast<T*>(base_[slot >> 31] + (slot & ~constant_slot));
  }
  std::uint32_t& predicate(Slot slot) { return *at<std::uint32_t>(slot); }
  /// The host address of `size` bytes at a generic address, or at an offset in the shared or local
  /// memory or the kernel parameters. Throws Fault if the bytes may not be accessed.
  template <int size, bool write>
  std::byte* generic(int lane, std::uint64_t address);
  std::byte* shared(std::uint64_t offset, std::uint64_t size, bool write);
  std::byte* local(int lane, std::uint64_t offset, std::uint64_t size);
  /// The local memory of all threads: that of lane n starts at start + n * stride, and `end` bytes
  /// of it are in use.
  struct LocalMemory {
    std::byte* start;
    std::uint32_t stride, end;
  };
  LocalMemory local_memory();
  std::byte* param(std::uint64_t offset, std::uint64_t size);
  DeviceMemory& memory() { return memory_; }
  Block& block() { return block_; }
  /// Which bytes of local memory have been written; null if that is not checked.
  LocalState* local_state() { return local_state_.get(); }
  /// Kernel, instruction, block and thread of the current access, for messages.
  std::string location(const Op& op) const;
  Frame& frame() { return *group_->frame; }
  Group& group() { return *group_; }

  /// Branches to `target` with `mask`; the other lanes of the group continue with the next
  /// instruction.
  void branch(std::uint32_t target, std::uint32_t reconverge);
  /// Splits `lanes` off the group and branches to `target` with them.
  void split(std::uint32_t lanes, std::uint32_t target, std::uint32_t reconverge);
  void jump(std::uint32_t target) { group_->pc = target; }
  /// Makes the group wait for the others of its reconvergence point, or continue with them if it is
  /// the last one.
  void arrive();
  void call(const Code& callee, const CallSite& site);
  void return_lanes();
  void exit_lanes();
  /// Returns whether the lanes `needed` have arrived at the instruction; `mask` then contains the
  /// lanes of all groups that wait at it. Otherwise the group repeats the instruction later.
  bool wait_for_lanes(std::uint32_t needed);
  /// Whether the lanes `needed` that have not exited are among `arrived`.
  bool have_arrived(std::uint32_t needed, std::uint32_t arrived) const {
    return (needed & live_ & ~arrived) == 0;
  }
  /// As wait_for_lanes(), for a warp barrier, which groups may reach at different instructions.
  void warp_barrier(std::uint32_t needed);
  /// Makes the group wait at barrier `number` of the block.
  void block_barrier(int number);
  void release_barrier(int number);
  /// Ends the turn of this warp.
  void yield() { stop_ = turn_ended_ = true; }

  std::uint32_t mask = 0;  ///< mask of lanes that execute the current instruction
  int lane = 0;            ///< lane of the current memory access, for messages
  /// [axis][lane] coordinates of the threads in the block
  std::uint32_t thread[3][warp_size] = {};
  int index() const { return index_; }
  Counts counts;

 private:
  /// The next group in turn that can run; null: all groups wait.
  Group* choose_group();
  void execute(int& remaining);
  void merge_groups_here();
  void end_group(Group& group);
  Join* new_join(std::uint32_t pc, Frame* frame, Join* parent);
  void release_join(Join* join);
  void continue_after(Join* join);
  Group& new_group(std::uint32_t mask, std::uint32_t pc, Frame* frame, Join* join);
  Frame* new_frame(const Code& code);
  /// Throws `fault` again with kernel, instruction, block and thread in the message.
  [[noreturn]] void throw_with_location(const Fault& fault, const Op& op) const;
  /// Lets `group` execute the next instructions.
  void make_current(Group& group);
  void release_waiting(const Group& group);
  /// Counts expired turns from 0 again if `lanes` are all lanes: none waits for another one.
  void forget_turns_if_converged(std::uint32_t lanes) {
    if (lanes != live_) return;
    expired_turns_ = 0;
    max_expired_turns_ = first_expired_turns;
  }

  Block& block_;
  DeviceMemory& memory_;
  int index_;
  std::uint32_t live_;                       ///< mask of lanes that have not exited
  std::byte* base_[2] = {nullptr, nullptr};  ///< registers and constants of the current group
  Group* group_ = nullptr;                   ///< the current group
  const Op* ops_ = nullptr;                  ///< the instructions of its function
  bool stop_ = false;        ///< whether execute() returns, because the group waits or ended
  bool turn_ended_ = false;  ///< whether the warp gives up the rest of its turn
  std::deque<Group> groups_;
  std::vector<Group*> active_;        ///< groups that have not ended
  std::vector<Group*> spare_groups_;  ///< for reuse, as the other spare objects
  std::deque<Join> joins_;
  std::vector<Join*> spare_joins_;
  std::deque<Frame> frames_;
  std::vector<Frame*> spare_frames_;
  std::vector<std::byte> local_;  ///< local memory of all lanes
  std::unique_ptr<LocalState> local_state_;
  std::uint32_t local_stride_ = 0;  ///< bytes of local memory of each lane
  std::size_t turn_ = 0;            ///< index in active_ of the group whose turn it is
  /// Turns that groups have used up while lanes wait at reconvergence points, and the number after
  /// which these lanes continue alone.
  static constexpr int first_expired_turns = 32;
  int expired_turns_ = 0, max_expired_turns_ = first_expired_turns;
};

template <int size, bool write>
inline std::byte* Warp::generic(int at_lane, std::uint64_t address) {
  lane = at_lane;
  if (memory_.in_device(address)) {
    if ((address & (size - 1)) != 0)
      throw Fault(Fault::Kind::misaligned_address,
                  "the address is not a multiple of the size of the access");
    return memory_.access<size, write>(address);
  }
  if ((address & (size - 1)) != 0)
    throw Fault(Fault::Kind::misaligned_address,
                "the address is not a multiple of the size of the access");
  switch (address / window_size) {
    case shared_window / window_size:
      return shared(address - shared_window, size, write);
    case local_window / window_size:
      return local(at_lane, address - local_window, size);
    case param_window / window_size:
      return param(address - param_window, size);
    default:
      return memory_.access(address, size, write);
  }
}

}  // namespace ptxemu
