#pragma once
// Messages between single ranks that travel while this rank computes: what halos and migration are
// made of. Made by CommBackend::make_messages (comm/comm_backend.hpp).

#include <cstddef>
#include <span>

namespace gsim {

/// `bytes` bytes at `data`, to rank `peer`.
struct OutgoingMessage {
  int peer = 0;
  const void* data = nullptr;
  std::size_t bytes = 0;
};

/// Room for exactly `bytes` bytes at `data`, from rank `peer`.
struct IncomingMessage {
  int peer = 0;
  void* data = nullptr;
  std::size_t bytes = 0;
};

/// Messages under way between this rank and others; not collective: only ranks with something to
/// say to each other take part. What one sends, the other receives with the same tag and number of
/// bytes (any; 0 are not sent at all), several of one tag in the order posted. Sets under way at
/// once have different tags or no peer in common; a CommError on path ipc. Between post() and
/// finish() a rank waits for others in no other way (collectives): messages may need it to move on.
///
/// Addresses go to the backend as they are: device memory only where BufferPath is direct_mpi
/// (comm/device_binding.hpp). MessageBuffer and make_messages() (comm/message_buffer.hpp) give
/// memory and messages that go together on every path; launches that use the memory must then be
/// over at post().
class Messages {
 public:
  /// Tags are 0 <= tag < tags.
  static constexpr int tags = 1024;

  virtual ~Messages() = default;
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  /// Starts all messages and returns at once. Until finish() returns, the receiving memory belongs
  /// to the backend and what is sent must not change; the spans themselves are copied. CommError
  /// for a peer or tag that does not exist, or when a post is under way already.
  virtual void post(int tag, std::span<const OutgoingMessage> outgoing,
                    std::span<const IncomingMessage> incoming) = 0;
  /// Gives the messages a chance to move on between two pieces of work; cheap. (MPI libraries
  /// without a thread of their own move long messages only inside calls like this one.)
  virtual void progress() = 0;
  /// Returns when all have arrived and all that is sent may change again; at once without a post.
  /// CommError where a message had another length than its receiver expected.
  virtual void finish() = 0;

 protected:
  Messages() = default;
};

}  // namespace gsim
