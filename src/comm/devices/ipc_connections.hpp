#pragma once
// Mappings of other ranks' device memory by CUDA IPC. A receiver sends the handle of its buffer to
// the senders; each of them maps it on first use and keeps the mapping. When the receiver's buffer
// releases the memory, for example to grow, the memory is kept until all senders have closed their
// mappings; only then is it freed.

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

/// A control message about device memory.
struct IpcControl {
  enum class Kind : std::int64_t {
    buffer,  ///< receiver to sender: write `bytes` bytes at `offset` of `memory`
    /// sender to receiver: the bytes have been written; `bytes` is the size that was sent
    delivered,
    close_request,  ///< owner to every rank that may have mapped `memory`: close the mapping
    closed,         ///< reply to close_request: the mapping has been closed
  };
  Kind kind = Kind::buffer;
  std::uint64_t bytes = 0, offset = 0;
  MemoryHandle memory = {};
};

/// A mapping of another rank's memory, closed by the destructor. For memory of the same process it
/// is the plain address, since a process cannot map its own memory.
class OpenedMemory {
 public:
  OpenedMemory(PeerMemory& memory, const MemoryHandle& handle);
  ~OpenedMemory();
  OpenedMemory(const OpenedMemory&) = delete;
  OpenedMemory& operator=(const OpenedMemory&) = delete;
  void* base() const { return base_; }

 private:
  PeerMemory& memory_;
  bool is_own_;  // memory of this process
  void* base_;
};

/// A set of messages that makes progress when advance() is called.
class IpcTransfer {
 public:
  virtual ~IpcTransfer() = default;
  /// Does everything that is possible without waiting. Errors are stored and thrown later.
  virtual void advance() = 0;
  /// Whether the set has messages of `tag` from or to `peer`.
  virtual bool uses(int peer, int tag) const = 0;
};

class IpcConnections {
 public:
  /// connected[r]: whether this rank and rank r can write into each other's memory.
  IpcConnections(ControlMessages& control, std::shared_ptr<PeerMemory> memory,
                 std::vector<bool> connected);
  ~IpcConnections();
  IpcConnections(const IpcConnections&) = delete;
  IpcConnections& operator=(const IpcConnections&) = delete;

  /// Whether this rank and `peer` can write into each other's memory.
  bool reaches(int peer) const { return connected_[static_cast<std::size_t>(peer)]; }
  PeerMemory& memory() { return *memory_; }
  void send(int peer, int channel, const IpcControl& message);
  /// Receives the next message of the channel from `peer` if one has arrived; returns whether it
  /// has.
  bool try_receive(int peer, int channel, IpcControl& message);
  void check_sender(int peer, int channel) { control_.check_sender(peer, channel); }

  /// Exports the `bytes` bytes at `data`, memory of a ShareableBuffer, to `peer`; returns the
  /// control message that names them.
  IpcControl export_memory(int peer, const void* data, std::size_t bytes);
  /// The address in this process of the buffer that `peer` exported; maps its memory on first use.
  void* import_address(int peer, const IpcControl& buffer);

  /// Active sets of messages, in the order of posting. Waiting for one of them advances all, so
  /// that ranks may finish them in different orders.
  void add(IpcTransfer* transfer) { transfers_.push_back(transfer); }
  void remove(IpcTransfer* transfer) { std::erase(transfers_, transfer); }
  void advance() {
    for (IpcTransfer* const transfer : transfers_) transfer->advance();
  }
  /// Whether an active IpcTransfer has messages of `tag` from or to `peer`.
  bool has_transfer(int peer, int tag) const {
    return std::any_of(transfers_.begin(), transfers_.end(),
                       [&](const IpcTransfer* transfer) { return transfer->uses(peer, tag); });
  }
  /// Closes mappings at the request of their owners, and requests that others close mappings of
  /// memory that is no longer used.
  void release_unused();

  /// Number of allocations of this rank that others may have mapped, and of mappings of this rank.
  std::size_t exports() const { return exports_.size(); }
  std::size_t imports() const { return imports_.size(); }
  /// Shutdown: closes all mappings of this rank, waits until all other ranks have closed theirs,
  /// and then releases its own memory. Collective; no messages may be active.
  void close_all(const Communicator& communicator);

 private:
  struct Export {
    std::shared_ptr<ShareableMemory> memory;
    MemoryHandle handle;
    std::set<int> opened_by;
    bool is_close_requested = false;
  };
  void request_close(int peer, IpcControl::Kind kind, const MemoryHandle& memory);
  /// Receives and answers one close message if one has arrived; returns whether it has.
  bool receive_close(int peer);

  ControlMessages& control_;
  std::shared_ptr<PeerMemory> memory_;
  std::vector<bool> connected_;
  std::vector<std::int64_t> closes_sent_, closes_received_;        // by rank
  std::map<std::uint64_t, Export> exports_;                        // by allocation number
  std::map<std::pair<int, std::uint64_t>, OpenedMemory> imports_;  // by rank and allocation number
  std::vector<IpcTransfer*> transfers_;
};

}  // namespace gsim::detail
