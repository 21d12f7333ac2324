#pragma once
// How the ranks of a run share the processors of their nodes.

#include <bitset>
#include <cstdint>
#include <vector>

namespace gsim::detail {

/// What one rank knows of its place. Travels as it is.
struct RankPlacement {
  std::uint64_t node = 0;        ///< digest of the node's name
  std::int64_t granted = 0;      ///< processors that its control group grants; 0: no limit
  std::bitset<1024> may_run_on;  ///< processors of its affinity mask; none: not known
};

struct NodeSharing {
  int nodes = 1;
  /// Whether some node has more ranks than processors that these may use together.
  bool oversubscribed = false;
};

/// What follows from the places of all ranks.
NodeSharing find_oversubscription(const std::vector<RankPlacement>& places);

/// The calling rank's.
RankPlacement this_rank_placement();

/// Whether other programs keep this node busy: more than two threads a processor wanted to run in
/// the last minute (getloadavg).
bool is_busy_with_others();

}  // namespace gsim::detail
