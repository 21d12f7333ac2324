#pragma once
// Messages between device memories of ranks that are connected by CUDA IPC, without MPI; messages
// to other ranks (other nodes, no peer access) are staged through host memory.

#include <exception>
#include <memory>
#include <vector>

#include "gsim/comm/messages.hpp"
#include "gsim/exec/transfer_buffers.hpp"
#include "src/comm/devices/ipc_connections.hpp"

namespace gsim::detail {

/// The receiver exports its receive buffer; the sender copies into it from device to device and
/// sends a confirmation. Launches that write the send buffer, or that read earlier messages from
/// the receive buffer, must have finished before post(). Addresses must belong to MessageBuffers.
class IpcMessages final : public Messages, private IpcTransfer {
 public:
  /// `staged_messages` sends the messages that are staged.
  IpcMessages(std::shared_ptr<IpcConnections> connections, Executor executor, int size,
              std::unique_ptr<Messages> staged_messages);
  ~IpcMessages() override;

  void post(int tag, std::span<const OutgoingMessage> outgoing,
            std::span<const IncomingMessage> incoming) override;
  void progress() override;
  void finish() override;

 private:
  /// Messages from and to one connected rank, sends and receives each in the order posted.
  struct Peer {
    int rank = 0;
    std::vector<OutgoingMessage> sends;
    std::vector<PeerMemory::Copy> copies;  ///< copies that belong to the first sends
    std::size_t delivered_sends = 0;       ///< sends [0, delivered_sends) are copied and confirmed
    std::vector<IncomingMessage> receives;
    std::size_t completed_receives = 0;  ///< receives [0, completed_receives) are complete
  };
  void advance() override;
  bool uses(int peer, int tag) const override;
  void advance(Peer& peer);
  /// CommError if another active IpcTransfer has messages of `tag` from or to one of the peers.
  template <class Message>
  void check_tag_is_free(int tag, std::span<const Message> messages) const;
  Peer& peer(int rank);
  bool is_complete() const;
  void wait();
  void post_staged();
  void finish_staged();
  // Channels of the control messages that export receive buffers, and of those that confirm copies.
  int buffer_channel() const { return 2 * tag_; }
  int delivery_channel() const { return 2 * tag_ + 1; }

  std::shared_ptr<IpcConnections> connections_;
  Executor executor_;
  int size_;  // number of ranks
  int tag_ = 0;
  bool under_way_ = false;
  std::vector<Peer> peers_;
  std::exception_ptr failure_;

  std::vector<OutgoingMessage> staged_out_;
  std::vector<IncomingMessage> staged_in_;
  PinnedBuffer host_out_, host_in_;
  std::unique_ptr<Messages> staged_messages_;  // destroyed first: it may still use the buffers
};

}  // namespace gsim::detail
