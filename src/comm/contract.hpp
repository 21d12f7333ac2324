#pragma once
// What every Transport checks of its arguments before any message is sent.

#include <cstddef>

namespace gsim::detail {

/// Throws CommError when `root` is no rank.
void check_root(int root, int size);
/// Throws CommError when exchange() was not given one element a rank.
void check_exchange(std::size_t parts, int size);

}  // namespace gsim::detail
