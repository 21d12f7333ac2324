#pragma once
// The decisions that all ranks make together between two slices: one small reduction combines
// faults, signals, the clock's decisions and the size of the next slice. Clocks are read on rank 0
// only.

#include "gsim/comm/communicator.hpp"

namespace gsim::engine {

struct Control {
  int failed_rank = -1;  ///< lowest rank with a fault in its state, -1: none
  int signal = 0;        ///< number of a signal that any rank received
  bool interrupted = false;
  bool wall_time = false;
  bool time_limit = false;
  bool checkpoint = false;
  Index next_slice = 1;

  bool stops_with_checkpoint() const { return signal != 0 || interrupted || time_limit; }
};

/// Combines the faults and signals of all ranks; the other members are those of rank 0's `mine`.
/// Collective.
Control agree(const Communicator& communicator, const Control& mine);

}  // namespace gsim::engine
