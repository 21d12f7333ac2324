#pragma once
// Which GPU a rank uses, and how its buffers travel.

#include <string>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/comm/mpi_session.hpp"
#include "gsim/exec/executor.hpp"

namespace gsim {

/// `device = "auto" | "cpu" | "cuda"` in the configuration or on the command line.
enum class DeviceChoice { automatic, cpu, cuda };

/// Picks this rank's executor from its local rank: ordinal = local rank modulo visible devices. To
/// be called before MPI starts. `threads` 0 means all that this process may use. `cuda` without a
/// usable device is a DeviceError; `automatic` then falls back to the host.
Executor bind_executor(DeviceChoice choice, int local_rank, int threads);
/// The same; `threads` 0 means this rank's share of the node, when the launcher says how many ranks
/// the node holds and does not bind them to processors of their own.
Executor bind_executor(DeviceChoice choice, const LaunchEnvironment& launch, int threads);

/// What all ranks found, the same text on every rank.
struct BindingReport {
  int nodes = 1;
  int ranks = 1;
  std::vector<std::string> device_uuids;  ///< by rank, empty strings for hosts
  bool shared = false;                    ///< two ranks of one node use the same GPU (by UUID)
  std::string summary;                    ///< "4 ranks on 1 node · 4 × NVIDIA H200"
};
/// Collective.
BindingReport report_binding(const Communicator& communicator, const Executor& executor);

/// How buffers on a device reach other ranks: there is no device; MPI takes their addresses; they
/// are staged through pinned host memory (exec/transfer_buffers.hpp); or ranks of one node write
/// into each other's device memory (CUDA IPC, exec/peer_memory.hpp), and what goes elsewhere is
/// staged.
enum class BufferPath { host, direct_mpi, staged, ipc };

/// "host", "direct MPI", "staged", "CUDA IPC".
const char* to_string(BufferPath path);

/// `comm.gpu_aware` in the configuration: `automatic` asks the MPI library and proves a "yes" by a
/// ring exchange of a device buffer; `on` proves it without asking; `off` hands MPI none.
enum class GpuAware { automatic, on, off };

/// `comm.ipc`: CUDA IPC where MPI does not take device buffers, if an exchange proves it
/// (`automatic`); as an error if it does not (`on`); not at all (`off`).
enum class CudaIpc { automatic, on, off };

/// The same path and reason on every rank.
struct BufferPathReport {
  BufferPath path = BufferPath::host;
  std::string reason;  ///< "MPI is not GPU-aware", "verified by a ring exchange", …
};
/// Collective; all ranks agree. `on` with an exchange that brings wrong bytes is a CommError. (An
/// MPI library that is not GPU-aware may crash when given device memory; only `on` can bring that
/// about.)
BufferPathReport probe_buffer_path(const Communicator& communicator, const Executor& executor,
                                   GpuAware wish, CudaIpc ipc = CudaIpc::automatic);

/// Ends what probe_buffer_path() began: every rank closes the device memory of others that it has
/// open, and then lets go of its own. Collective, at the end of a run, with no messages under way;
/// nothing is sent from device memory afterwards. (After an error it may be left out: the memory
/// then stays until the process ends.)
void release_buffer_path(const Communicator& communicator);

}  // namespace gsim
