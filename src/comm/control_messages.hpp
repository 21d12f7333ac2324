#pragma once
// Non-blocking control messages of fixed size between ranks (polled, not awaited). IpcConnections
// (devices/ipc_connections.hpp) coordinates accesses to device memory with them.

#include <cstddef>
#include <memory>
#include <span>

#include "gsim/comm/comm_backend.hpp"

namespace gsim::detail {

class IpcConnections;

/// An optional interface of a CommBackend. Messages of one channel between two ranks are received
/// in the order in which they were sent; all have the same size.
class ControlMessages {
 public:
  /// Valid channels satisfy 0 <= channel < channels: two for each tag of Messages (buffer
  /// addresses, confirmations), and one for requests to close mappings.
  static constexpr int channels = 2 * Messages::tags + 1;

  virtual ~ControlMessages() = default;
  /// Sends a copy of `message` and returns immediately.
  virtual void send_control(int peer, int channel, std::span<const std::byte> message) = 0;
  /// Receives the next message from `peer` if one has arrived; returns whether it has.
  virtual bool try_receive_control(int peer, int channel, std::span<std::byte> message) = 0;
  /// Throws if it is known that no message from `peer` will arrive any more. To be called while
  /// waiting for one.
  virtual void check_sender(int peer, int channel) = 0;
  /// Waits until all sent messages have been received. For a normal shutdown, after all receivers
  /// have polled; not needed after an error.
  virtual void flush() = 0;

  /// Created by probe_ipc(); null before.
  std::shared_ptr<IpcConnections> ipc_connections;
};

/// The ControlMessages interface of `backend`; null if it has none.
inline ControlMessages* control_messages_of(CommBackend& backend) {
  return dynamic_cast<ControlMessages*>(&backend);
}

}  // namespace gsim::detail
