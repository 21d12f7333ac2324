#include "control.hpp"

#include <array>

namespace gsim::engine {

ControlDecisions agree(const Communicator& communicator, const ControlDecisions& mine) {
  const bool root = communicator.is_root();
  const auto from_root = [root](bool flag) { return std::int64_t{root && flag}; };
  std::array<std::int64_t, 8> v{
      // the lowest failed rank has the highest number
      mine.failed_rank >= 0 ? communicator.size() - mine.failed_rank : 0,
      mine.signal,
      from_root(mine.interrupted),
      from_root(mine.wall_time),
      from_root(mine.time_limit),
      from_root(mine.checkpoint),
      from_root(mine.status),
      root ? mine.next_slice : 0,
  };
  communicator.backend().allreduce(v, ReduceOp::max);
  ControlDecisions agreed;
  agreed.failed_rank = v[0] > 0 ? communicator.size() - static_cast<int>(v[0]) : -1;
  agreed.signal = static_cast<int>(v[1]);
  agreed.interrupted = v[2] != 0;
  agreed.wall_time = v[3] != 0;
  agreed.time_limit = v[4] != 0;
  agreed.checkpoint = v[5] != 0;
  agreed.status = v[6] != 0;
  agreed.next_slice = v[7];
  return agreed;
}

}  // namespace gsim::engine
