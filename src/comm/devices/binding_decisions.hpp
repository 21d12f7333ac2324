#pragma once
// Decisions of device binding that depend only on given data, so that they can be tested without a
// GPU and without MPI.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gsim/comm/device_binding.hpp"
#include "src/comm/devices/probe_ipc.hpp"

namespace gsim::detail {

/// Device ordinal for a rank; `visible` >= 1 is the number of visible devices.
int choose_device(int local_rank, int visible);

/// The device of one rank.
struct RankDevice {
  int node_leader = 0;
  std::string uuid;  ///< empty for the host
  std::string name;  ///< "NVIDIA H200"; empty for the host
};
/// Summarises the devices of all ranks; ranks[r] belongs to rank r.
BindingReport summarize(const std::vector<RankDevice>& ranks);

/// Number of host threads for one of `local_ranks` ranks on a node with `on_node` processors, if
/// each rank may use `usable` processors: all of them if the ranks can use disjoint processors,
/// else an equal share.
int share_threads(int usable, int local_ranks, int on_node);

/// Input of decide_path() on this rank.
struct PathProbes {
  bool on_device = false;             ///< this rank uses a GPU
  bool claims_gpu_awareness = false;  ///< the MPI library says that it accepts device memory
  /// Whether the MPI library can read device memory of this rank without a segmentation fault.
  std::function<bool()> mpi_can_read;
  /// collective; true if the correct bytes were received on this rank
  std::function<bool()> ring_exchange;
  std::function<IpcReport()> link;  ///< calls probe_ipc(), which is collective
};
/// Decides how messages between devices are sent, and says why: passed to MPI directly if a ring
/// exchange succeeds, else by CUDA IPC where `ipc` allows it, else staged through host memory.
/// CommError if a path that the configuration demands does not work. Collective.
BufferPathReport decide_path(const Communicator& communicator, const PathProbes& probes,
                             GpuAware requested, CudaIpc ipc);

/// A test pattern of `count` 32-bit integers that differs between values of `seed`.
std::vector<std::uint32_t> test_pattern(std::uint32_t seed, std::size_t count);

/// Sends a pattern that depends on the rank around the ring, in memory of `executor`; returns
/// whether this rank received the pattern of its predecessor. Collective.
bool ring_exchange_works(const Communicator& communicator, const Executor& executor);

/// Whether MPI can read memory of `executor`; true if `communicator` does not use MPI.
bool mpi_can_read_memory(const Communicator& communicator, const Executor& executor);

}  // namespace gsim::detail
