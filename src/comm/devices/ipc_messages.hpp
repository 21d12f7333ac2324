#pragma once
// Messages from device memory into other ranks' device memory, without MPI; by way of the host
// where two ranks are not connected (other nodes, no peer access).

#include <exception>
#include <memory>
#include <vector>

#include "gsim/comm/messages.hpp"
#include "gsim/exec/transfer_buffers.hpp"
#include "src/comm/devices/ipc_connections.hpp"

namespace gsim::detail {

/// A receiver offers the room where a message shall arrive; the sender copies it there from device
/// to device and says when it has arrived. Launches that write what is sent, or read what earlier
/// messages left in the room, must be over at post(). Addresses are those of MessageBuffers.
class IpcMessages final : public Messages, private IpcTransfer {
 public:
  /// `others` carry what goes by way of the host.
  IpcMessages(std::shared_ptr<IpcConnections> connections, Executor executor, int size,
              std::unique_ptr<Messages> others);
  ~IpcMessages() override;

  void post(int tag, std::span<const OutgoingMessage> outgoing,
            std::span<const IncomingMessage> incoming) override;
  void progress() override;
  void finish() override;

 private:
  /// Messages from and to one connected rank, each kind in the order posted.
  struct Peer {
    int rank = 0;
    std::vector<OutgoingMessage> sends;
    std::vector<PeerMemory::Copy> copies;  ///< of the first sends
    std::size_t confirmed = 0;             ///< the first sends whose arrival has been confirmed
    std::vector<IncomingMessage> receives;
    std::size_t arrived = 0;  ///< the first receives that are there
  };
  void advance() override;
  bool uses(int peer, int tag) const override;
  void advance(Peer& peer);
  /// CommError when another set under way has messages of `tag` from or to one of these.
  template <class Message>
  void check_tag_is_free(int tag, std::span<const Message> messages) const;
  Peer& peer(int rank);
  bool is_complete() const;
  void wait();
  void post_staged();
  void finish_staged();
  int buffer_channel() const { return 2 * tag_; }
  int delivery_channel() const { return 2 * tag_ + 1; }

  std::shared_ptr<IpcConnections> connections_;
  Executor executor_;
  int size_;
  int tag_ = 0;
  bool under_way_ = false;
  std::vector<Peer> peers_;
  std::exception_ptr failure_;

  std::vector<OutgoingMessage> staged_out_;
  std::vector<IncomingMessage> staged_in_;
  PinnedBuffer host_out_, host_in_;
  std::unique_ptr<Messages> others_;  // goes first: it may still use the buffers
};

}  // namespace gsim::detail
