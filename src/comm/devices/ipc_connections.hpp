#pragma once
// Which ranks write into each other's device memory, and what of it is open where. A receiver names
// its memory to the senders (handle), each of them opens it at first sight, and keeps it open. When
// the receiver's buffer lets it go, as when it grows, the memory stays until all senders have
// closed it: only then is it freed.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/exec/peer_memory.hpp"
#include "src/comm/control_messages.hpp"

namespace gsim::detail {

/// What ranks tell each other about device memory.
struct IpcControl {
  enum class Kind : std::int64_t {
    buffer,         ///< receiver to sender: write `bytes` bytes at `offset` of `memory`
    delivered,      ///< sender to receiver: they are there; another number of `bytes` is not
    close_request,  ///< owner to whoever may have opened `memory`: close it
    closed,         ///< the answer
  };
  Kind kind = Kind::buffer;
  std::uint64_t bytes = 0, offset = 0;
  MemoryHandle memory = {};
};

/// Another rank's memory, open for as long as this lives. In the rank's own process it is its
/// address: a process cannot open what is its own.
class OpenedMemory {
 public:
  OpenedMemory(PeerMemory& memory, const MemoryHandle& handle);
  ~OpenedMemory();
  OpenedMemory(const OpenedMemory&) = delete;
  OpenedMemory& operator=(const OpenedMemory&) = delete;
  void* base() const { return base_; }

 private:
  PeerMemory& memory_;
  bool is_own_;
  void* base_;
};

/// Something under way that moves on when the rank looks after it.
class IpcTransfer {
 public:
  virtual ~IpcTransfer() = default;
  /// Does what can be done without waiting. Errors are kept for later.
  virtual void advance() = 0;
  /// Whether it has messages of `tag` from or to `peer`.
  virtual bool uses(int peer, int tag) const = 0;
};

class IpcConnections {
 public:
  /// connected[r]: this rank and rank r write into each other's memory.
  IpcConnections(ControlMessages& control, std::shared_ptr<PeerMemory> memory,
                 std::vector<bool> connected);
  ~IpcConnections();
  IpcConnections(const IpcConnections&) = delete;
  IpcConnections& operator=(const IpcConnections&) = delete;

  bool reaches(int peer) const { return connected_[static_cast<std::size_t>(peer)]; }
  PeerMemory& memory() { return *memory_; }
  void send(int peer, int channel, const IpcControl& message);
  /// The next message of the channel from `peer`, if there is one yet.
  bool take(int peer, int channel, IpcControl& message);
  void expect(int peer, int channel) { control_.check_sender(peer, channel); }

  /// The message that offers `bytes` bytes at `data` (memory of an ShareableBuffer) to `peer`.
  IpcControl export_memory(int peer, const void* data, std::size_t bytes);
  /// Where this process sees the room that `peer` offers; opens its memory if need be.
  void* import_address(int peer, const IpcControl& room);

  /// What is under way, in order. All of it moves on while any of it is waited for, so that ranks
  /// may finish in different orders.
  void join(IpcTransfer* user) { users_.push_back(user); }
  void leave(IpcTransfer* user) { std::erase(users_, user); }
  void advance() {
    for (IpcTransfer* const user : users_) user->advance();
  }
  /// Whether anything under way has messages of `tag` from or to `peer`.
  bool has_transfer(int peer, int tag) const {
    return std::any_of(users_.begin(), users_.end(),
                       [&](const IpcTransfer* user) { return user->uses(peer, tag); });
  }
  /// Closes what others want closed, and asks others to close what is not used any more.
  void release_unused();

  /// Memory of this rank that others may have open, and of others that this rank has open.
  std::size_t exports() const { return exports_.size(); }
  std::size_t imports() const { return imports_.size(); }
  /// The end: closes what is open of others, waits until all others have done so, too, and lets
  /// go of its own. Collective, with nothing under way.
  void end(const Communicator& communicator);

 private:
  struct Export {
    std::shared_ptr<ShareableMemory> memory;
    MemoryHandle handle;
    std::set<int> opened_by;
    bool is_close_requested = false;
  };
  void request_close(int peer, IpcControl::Kind kind, const MemoryHandle& memory);
  /// Answers one message about what shall be closed, if there is one.
  bool receive_close(int peer);

  ControlMessages& control_;
  std::shared_ptr<PeerMemory> memory_;
  std::vector<bool> connected_;
  std::vector<std::int64_t> closes_sent_, closes_received_;        // by rank
  std::map<std::uint64_t, Export> exports_;                        // by the memory's number
  std::map<std::pair<int, std::uint64_t>, OpenedMemory> imports_;  // by rank and number
  std::vector<IpcTransfer*> users_;
};

}  // namespace gsim::detail
