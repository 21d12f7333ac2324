#pragma once
// Checks that a decomposition belongs to the communicator.

#include <string>

#include "gsim/comm/communicator.hpp"
#include "gsim/core/error.hpp"

namespace gsim::detail {

/// Error unless a decomposition into `parts` has one part for each rank.
inline void check_ranks(int parts, const Communicator& communicator) {
  if (parts != communicator.size())
    throw Error("internal error: a decomposition for " + std::to_string(parts) +
                " ranks in a run of " + std::to_string(communicator.size()) + "; please report it");
}

}  // namespace gsim::detail
