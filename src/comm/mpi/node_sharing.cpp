#include "src/comm/mpi/node_sharing.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>

#include "gsim/core/digest.hpp"
#include "gsim/core/host_name.hpp"
#include "gsim/exec/processors.hpp"

namespace gsim::detail {

NodeSharing find_oversubscription(const std::vector<RankPlacement>& placements) {
  struct Node {
    std::size_t ranks = 0;
    std::bitset<1024> processors;
    std::size_t granted = 0;
    bool all_known = true;
  };
  std::map<std::uint64_t, Node> nodes;
  for (const RankPlacement& placement : placements) {
    Node& node = nodes[placement.node];
    ++node.ranks;
    node.processors |= placement.may_run_on;
    node.all_known = node.all_known && placement.may_run_on.any();
    node.granted = std::max(node.granted, static_cast<std::size_t>(placement.granted));
  }
  NodeSharing sharing;
  sharing.nodes = static_cast<int>(nodes.size());
  sharing.oversubscribed = std::any_of(nodes.begin(), nodes.end(), [](const auto& entry) {
    const Node& node = entry.second;
    return (node.all_known && node.ranks > node.processors.count()) ||
           (node.granted > 0 && node.ranks > node.granted);
  });
  return sharing;
}

RankPlacement this_rank_placement() {
  return {Digest().add(host_name()).value(), granted_processors(), allowed_processors()};
}

bool is_node_overloaded() {
  double load = 0;
  const auto processors = std::max(1u, std::thread::hardware_concurrency());
  return getloadavg(&load, 1) == 1 && load > 2.0 * processors;
}

}  // namespace gsim::detail
