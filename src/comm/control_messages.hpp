#pragma once
// Small messages, by value, that are looked for and never waited for: how ranks tell each other
// where device memory may be written and when it has been (ipc_connections.hpp).

#include <cstddef>
#include <memory>
#include <span>

#include "gsim/comm/comm_backend.hpp"

namespace gsim::detail {

class IpcConnections;

/// What a CommBackend can do besides. ControlMessages of one channel between two ranks arrive in
/// order; all have the same size.
class ControlMessages {
 public:
  /// Channels are 0 <= channel < channels: two for each tag of Messages, and one.
  static constexpr int channels = 2 * Messages::tags + 1;

  virtual ~ControlMessages() = default;
  /// Returns at once; `message` may change.
  virtual void send_control(int peer, int channel, std::span<const std::byte> message) = 0;
  /// The next message from `peer`, if there is one yet.
  virtual bool try_receive_control(int peer, int channel, std::span<std::byte> message) = 0;
  /// To be called while a message from `peer` is waited for: throws where it is known that none
  /// will come any more.
  virtual void check_sender(int peer, int channel) = 0;
  /// Returns when all that was sent is with its receivers. For an orderly end, once they have taken
  /// it; there may be none after an error.
  virtual void flush() = 0;

  /// What probe_ipc() has made; null before.
  std::shared_ptr<IpcConnections> ipc_connections;
};

/// The backend's; null when it has none.
inline ControlMessages* control_messages_of(CommBackend& backend) {
  return dynamic_cast<ControlMessages*>(&backend);
}

}  // namespace gsim::detail
