#pragma once
// The state of neighbour lists after atoms have moved.

namespace gsim::md {

enum class ListState {
  good,
  due,   ///< they must be shortened again
  stale  ///< they must be made again
};

}  // namespace gsim::md
