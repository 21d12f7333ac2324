#pragma once
// The decisions that all ranks make together between two slices: one small reduction combines
// faults, signals, the clock's decisions and the size of the next slice. Clocks are read on rank 0
// only.

#include "gsim/comm/communicator.hpp"

namespace gsim::engine {

struct ControlDecisions {
  int failed_rank = -1;      ///< lowest rank with a fault in its state, -1: none
  int signal = 0;            ///< number of a signal that any rank received
  bool interrupted = false;  ///< whether RunRequest::interrupt stops the run
  bool wall_time = false;    ///< whether StopRule::wall_time has passed: the run ends with results
  bool time_limit = false;   ///< whether the rest of RunOptions::time_limit is needed to save state
  bool checkpoint = false;   ///< whether a periodic checkpoint is due
  bool status = false;       ///< whether rank 0 collects what the ranks use, for the status file
  Index next_slice = 1;      ///< number of work units in the next slice

  bool stops_with_checkpoint() const { return signal != 0 || interrupted || time_limit; }
};

/// Combines the faults and signals of all ranks; the other members are those of rank 0's `mine`.
/// Collective.
ControlDecisions agree(const Communicator& communicator, const ControlDecisions& mine);

}  // namespace gsim::engine
