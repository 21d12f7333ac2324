#include "src/comm/check_arguments.hpp"

#include <string>

#include "gsim/core/error.hpp"

namespace gsim::detail {

void check_root(int root, int size) {
  if (root < 0 || root >= size)
    throw CommError("internal error: rank " + std::to_string(root) + " of " + std::to_string(size) +
                    " as root of a collective; please report it");
}

void check_exchange(std::size_t parts, int size) {
  if (parts != static_cast<std::size_t>(size))
    throw CommError("internal error: exchange() was given " + std::to_string(parts) +
                    " parts for " + std::to_string(size) + " ranks; please report it");
}

void check_post(int tag, std::span<const OutgoingMessage> outgoing,
                std::span<const IncomingMessage> incoming, int size, bool under_way) {
  const auto internal_error = [](const std::string& what) {
    return CommError("internal error: " + what + "; please report it");
  };
  if (under_way) throw internal_error("messages are posted before the previous ones are finished");
  if (tag < 0 || tag >= Messages::tags)
    throw internal_error("message tag " + std::to_string(tag) + " is out of range");
  const auto check_peer = [&](int peer) {
    if (peer < 0 || peer >= size)
      throw internal_error("a message to or from rank " + std::to_string(peer) + " of " +
                           std::to_string(size));
  };
  for (const OutgoingMessage& m : outgoing) check_peer(m.peer);
  for (const IncomingMessage& m : incoming) check_peer(m.peer);
}

void throw_wrong_length(int from, int tag, std::size_t bytes, std::size_t expected) {
  throw CommError("internal error: a message from rank " + std::to_string(from) + " with tag " +
                  std::to_string(tag) + " has " + std::to_string(bytes) + " bytes where " +
                  std::to_string(expected) + " are expected; please report it");
}

}  // namespace gsim::detail
