#pragma once
// Checks of arguments that all backends share. They run before any message is sent.

#include <cstddef>
#include <span>

#include "gsim/comm/messages.hpp"

namespace gsim::detail {

/// Throws CommError if `root` is not a valid rank.
void check_root(int root, int size);
/// Throws CommError unless exchange() was called with one element for each rank.
void check_exchange(std::size_t parts, int size);
/// Throws CommError if a peer or the tag is invalid, or if a previous post is `under_way`.
void check_post(int tag, std::span<const OutgoingMessage> outgoing,
                std::span<const IncomingMessage> incoming, int size, bool under_way);
/// Throws the CommError for a message from rank `from` with `bytes` bytes instead of `expected`.
[[noreturn]] void throw_wrong_length(int from, int tag, std::size_t bytes, std::size_t expected);

}  // namespace gsim::detail
