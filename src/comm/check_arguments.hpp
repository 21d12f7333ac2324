#pragma once
// What every CommBackend checks of its arguments before any message is sent.

#include <cstddef>
#include <span>

#include "gsim/comm/messages.hpp"

namespace gsim::detail {

/// Throws CommError when `root` is no rank.
void check_root(int root, int size);
/// Throws CommError when exchange() was not given one element a rank.
void check_exchange(std::size_t parts, int size);
/// Throws CommError when a peer or the tag does not exist, or another post is `under_way`.
void check_post(int tag, std::span<const OutgoingMessage> outgoing,
                std::span<const IncomingMessage> incoming, int size, bool under_way);
/// The CommError of a message from rank `from` that has `bytes` bytes where `expected` were.
[[noreturn]] void wrong_length(int from, int tag, std::size_t bytes, std::size_t expected);

}  // namespace gsim::detail
