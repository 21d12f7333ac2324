#pragma once
// Detects whether the ranks of a run share processors.

#include <bitset>
#include <cstdint>
#include <vector>

namespace gsim::detail {

/// Node and processors of one rank. Sent as plain bytes.
struct RankPlacement {
  std::uint64_t node = 0;    ///< digest of the node's name
  std::int64_t granted = 0;  ///< number of processors that its control group grants; 0: no limit
  std::bitset<1024> may_run_on;  ///< processors in its affinity mask; none: unknown
};

struct NodeSharing {
  int nodes = 1;
  /// Whether a node has more ranks than processors that they may use together.
  bool oversubscribed = false;
};

/// Evaluates the placement of all ranks.
NodeSharing find_oversubscription(const std::vector<RankPlacement>& placements);

/// The placement of the calling rank.
RankPlacement this_rank_placement();

/// Whether more than two threads per processor of this node, those of other programs included, were
/// runnable on average in the last minute (getloadavg).
bool is_node_overloaded();

}  // namespace gsim::detail
