#pragma once
// Non-blocking point-to-point messages, which halo exchange and migration consist of. Created by
// CommBackend::make_messages (comm/comm_backend.hpp).

#include <cstddef>
#include <span>

namespace gsim {

/// A message of `bytes` bytes at `data` to rank `peer`.
struct OutgoingMessage {
  int peer = 0;
  const void* data = nullptr;
  std::size_t bytes = 0;
};

/// Buffer for a message of exactly `bytes` bytes from rank `peer`.
struct IncomingMessage {
  int peer = 0;
  void* data = nullptr;
  std::size_t bytes = 0;
};

/// A set of messages between this rank and others. Not collective: only ranks that exchange
/// messages take part. Each message that one rank sends is received by the other with the same tag
/// and size; messages of 0 bytes are not sent. Several messages with the same tag between two ranks
/// match in the order in which they were posted. Sets that are active at the same time must differ
/// in tag or have no peer in common; only the path ipc detects a violation (CommError). Between
/// post() and finish() a rank must not wait for others in any other way (in a collective
/// operation): their progress may depend on these messages.
///
/// Pointers are passed to the backend unchanged: device memory is allowed only if BufferPath is
/// direct_mpi (comm/device_binding.hpp). MessageBuffer and make_messages()
/// (comm/message_buffer.hpp) provide memory and messages that fit together on every path; launches
/// that use the memory must have finished before post().
class Messages {
 public:
  /// Valid tags satisfy 0 <= tag < tags.
  static constexpr int tags = 1024;

  virtual ~Messages() = default;
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  /// Starts all messages and returns immediately. Until finish() returns, receive buffers must not
  /// be accessed and send buffers must not be changed; the spans themselves are copied. CommError
  /// for an invalid peer or tag, or if a previous post() has not been finished.
  virtual void post(int tag, std::span<const OutgoingMessage> outgoing,
                    std::span<const IncomingMessage> incoming) = 0;
  /// Lets the messages progress between two pieces of work; cheap. (MPI libraries without a
  /// progress thread transfer long messages only inside calls such as this one.)
  virtual void progress() = 0;
  /// Waits until all messages have been received and all send buffers may be changed again; returns
  /// immediately if nothing was posted. CommError if a message has a size that differs from the
  /// size of its receive buffer.
  virtual void finish() = 0;

 protected:
  Messages() = default;
};

}  // namespace gsim
