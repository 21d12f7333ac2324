#pragma once
// The state of neighbour lists after atoms have moved.

namespace gsim::md {

enum class ListState {
  good,  ///< valid
  due,   ///< the short lists must be made again from the long ones (list_schedule.hpp)
  stale  ///< the lists must be rebuilt
};

}  // namespace gsim::md
