#pragma once
// What can be said of lists when atoms have moved.

namespace gsim::md {

enum class ListState {
  good,
  due,   ///< they must be shortened anew
  stale  ///< they must be made anew
};

}  // namespace gsim::md
