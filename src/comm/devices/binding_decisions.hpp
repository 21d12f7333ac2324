#pragma once
// The parts of device binding that need neither a GPU nor MPI: what to decide from given facts.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gsim/comm/device_binding.hpp"
#include "src/comm/devices/probe_ipc.hpp"

namespace gsim::detail {

/// Ordinal of the device for a rank; `visible` >= 1.
int choose_device(int local_rank, int visible);

/// What one rank found.
struct RankDevice {
  int node_leader = 0;
  std::string uuid;  ///< empty: host
  std::string name;  ///< "NVIDIA H200", empty for hosts
};
/// The report of a run whose rank r is ranks[r].
BindingReport summarize(const std::vector<RankDevice>& ranks);

/// Host threads of one of `local_ranks` ranks on a node, when each may use `mine` processors: all
/// of them when the ranks' processors can be disjoint among the node's `on_node`, else an equal
/// share.
int share_threads(int mine, int local_ranks, int on_node);

/// This rank's facts for decide_path().
struct PathProbes {
  bool on_device = false;
  bool claims_gpu_awareness = false;
  std::function<bool()> ring_exchange;  ///< collective; true when the right bytes arrived here
  std::function<IpcReport()> link;      ///< collective: probe_ipc()
};
BufferPathReport decide_path(const Communicator& communicator, const PathProbes& facts,
                             GpuAware wish, CudaIpc ipc);

/// `words` words that tell one `salt` from another.
std::vector<std::uint32_t> test_pattern(std::uint32_t salt, std::size_t words);

/// Sends a pattern made from the rank around the ring in `executor`'s memory; true when this rank
/// received its predecessor's. Collective.
bool ring_exchange_works(const Communicator& communicator, const Executor& executor);

}  // namespace gsim::detail
